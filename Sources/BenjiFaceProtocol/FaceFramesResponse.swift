public import BenjiProtocol

/// How a challenge stands after some frames.
public enum FaceFramesResponse: Hashable, Sendable {
    /// Send more frames.
    case more(FaceProgress)
    /// It is passed, and the face is the account's if the account has one. Attributes are there when they were the
    /// purpose.
    case passed(FaceAttributeValues?)
    case failed(Failure)

    /// A challenge that is over.
    public struct Failure: Hashable, Sendable {
        /// ``BenjiProtocol/Situation/challengeFailed``, ``BenjiProtocol/Situation/challengeExpired``,
        /// ``BenjiProtocol/Situation/faceNotFound``, ``BenjiProtocol/Situation/faceDiffers`` or
        /// ``BenjiProtocol/Situation/pictureInvalid``.
        public var situation: Situation
        /// What to tell the person: a name of `FaceSentence`.
        public var sentence: String
        /// Challenges that the session may still ask for.
        public var attemptsLeft: Int64

        public init(situation: Situation, sentence: String, attemptsLeft: Int64) {
            self.situation = situation
            self.sentence = sentence
            self.attemptsLeft = attemptsLeft
        }
    }

    public var json: JSON {
        switch self {
        case .more(let step): .object(["code": "success", "state": "more", "step": step.json])
        case .passed(let attributes): .object(["code": "success", "state": "passed", "attributes": attributes?.json])
        case .failed(let failure):
            .object([
                "code": "success", "state": "failed", "situation": .string(failure.situation.rawValue),
                "sentence": .string(failure.sentence), "attemptsLeft": .integer(failure.attemptsLeft),
            ])
        }
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        switch try reader.string("state", length: 1...16) {
        case "more": self = .more(try FaceProgress(try reader.value("step"), path: "$.step"))
        case "passed":
            self = .passed(
                try reader.optional("attributes").map { json throws(JSONError) in
                    try FaceAttributeValues(json, path: "$.attributes")
                })
        case "failed":
            self = .failed(
                Failure(
                    situation: Self.known(Situation(rawValue: try reader.string("situation", length: 1...64))),
                    sentence: try reader.string("sentence", length: 1...64),
                    attemptsLeft: try reader.integer("attemptsLeft", in: 0...100)))
        default: throw JSONError(place: "$.state", problem: "must be more, passed or failed")
        }
    }

    /// A reason of a newer server is still a failure.
    private static func known(_ situation: Situation) -> Situation {
        (Situation.ofNumberLogin + Situation.ofFaceLogin).contains(situation) ? situation : .challengeFailed
    }
}
