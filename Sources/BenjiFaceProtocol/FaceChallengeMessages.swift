public import BenjiProtocol

/// Asks for a challenge. The camera should be ready: its time is short.
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

/// A challenge that has begun. A new one ends the one before it. What to do is told one step at a time.
public struct FaceChallengeResponse: Hashable, Sendable {
    public var challenge: String
    public var step: FaceProgress
    /// Seconds from the answer within which all frames must have arrived.
    public var lifetime: Int64
    /// Milliseconds between two frames.
    public var pace: Int64
    /// Frames of one request, and bytes of one frame, at most.
    public var framesPerRequest: Int64
    public var bytesPerFrame: Int64
    /// Challenges that this session may still ask for after this one.
    public var attemptsLeft: Int64

    public init(
        challenge: String, step: FaceProgress, lifetime: Int64, pace: Int64, framesPerRequest: Int64,
        bytesPerFrame: Int64, attemptsLeft: Int64
    ) {
        self.challenge = challenge
        self.step = step
        self.lifetime = lifetime
        self.pace = pace
        self.framesPerRequest = framesPerRequest
        self.bytesPerFrame = bytesPerFrame
        self.attemptsLeft = attemptsLeft
    }

    public var json: JSON {
        .object([
            "code": "success", "challenge": .string(challenge), "step": step.json, "lifetime": .integer(lifetime),
            "pace": .integer(pace), "framesPerRequest": .integer(framesPerRequest),
            "bytesPerFrame": .integer(bytesPerFrame), "attemptsLeft": .integer(attemptsLeft),
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        challenge = try reader.credential("challenge", .faceChallenge, "a challenge")
        step = try FaceProgress(try reader.value("step"), path: "$.step")
        lifetime = try reader.integer("lifetime", in: 1...600)
        pace = try reader.integer("pace", in: 1...10_000)
        framesPerRequest = try reader.integer("framesPerRequest", in: 1...Int64(FaceFramesRequest.maximumCount))
        bytesPerFrame = try reader.integer("bytesPerFrame", in: 1...Int64(FaceFramesRequest.maximumLength))
        attemptsLeft = try reader.integer("attemptsLeft", in: 0...100)
    }
}
