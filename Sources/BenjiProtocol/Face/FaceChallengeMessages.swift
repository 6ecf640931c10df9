/// What a person is asked to do in front of the camera. Left and right are the person's own.
public enum FaceStep: String, Hashable, Sendable, CaseIterable {
    case lookAhead = "look-ahead"
    case turnLeft = "turn-left"
    case turnRight = "turn-right"
    case blink
    case openMouth = "open-mouth"
}

/// Asks for steps. The camera should be ready: their time is short.
public struct FaceChallengeRequest: Hashable, Sendable {
    public var session: String

    public init(session: String) { self.session = session }

    public var json: JSON { .object(["session": .string(session)]) }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        session = try reader.credential("session", .faceSession, "a face session")
        try reader.finish()
    }
}

/// The steps to show, in this order. A new challenge ends the one before it.
public struct FaceChallengeResponse: Hashable, Sendable {
    public var challenge: String
    /// Empty when a good picture is all that is asked for (``FacePurpose/attributes``).
    public var steps: [FaceStep]
    /// Seconds from the answer within which all frames must have arrived.
    public var lifetime: Int64
    /// Frames that are read at most, over all requests of this challenge.
    public var greatestFrames: Int64
    /// Challenges that this session may still ask for after this one.
    public var attemptsLeft: Int64

    public init(challenge: String, steps: [FaceStep], lifetime: Int64, greatestFrames: Int64, attemptsLeft: Int64) {
        self.challenge = challenge
        self.steps = steps
        self.lifetime = lifetime
        self.greatestFrames = greatestFrames
        self.attemptsLeft = attemptsLeft
    }

    public var json: JSON {
        .object([
            "code": "success", "challenge": .string(challenge), "steps": .array(steps.map { .string($0.rawValue) }),
            "lifetime": .integer(lifetime), "greatestFrames": .integer(greatestFrames),
            "attemptsLeft": .integer(attemptsLeft),
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        challenge = try reader.credential("challenge", .faceChallenge, "a challenge")
        steps = []
        for step in try reader.array("steps", count: 0...16) {
            guard let known = step.stringValue.flatMap(FaceStep.init(rawValue:)) else {
                throw JSONError(place: "$.steps", problem: "holds a step that this version does not know")
            }
            steps.append(known)
        }
        lifetime = try reader.integer("lifetime", in: 1...600)
        greatestFrames = try reader.integer("greatestFrames", in: 1...1000)
        attemptsLeft = try reader.integer("attemptsLeft", in: 0...100)
    }
}
