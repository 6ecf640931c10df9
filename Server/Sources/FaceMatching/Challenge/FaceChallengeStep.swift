public import BenjiProtocol

/// A challenge that has begun: what the device must know.
public struct FaceChallenge: Sendable {
    /// Random; single use.
    public var id: String
    public var expires: Timestamp
    /// How often a frame is wanted, how many may be in one post and how large they may be.
    public var pace: Duration
    public var framesPerPost: Int
    public var bytesPerFrame: Int
    public var step: FaceChallengeStep
}

/// Where a challenge stands: what to tell the person now.
public struct FaceChallengeStep: Hashable, Sendable {
    public var prompt: FacePrompt
    /// What keeps the last frame from being of use.
    public var hint: FaceHint?
    /// Gestures that are done, and all of them.
    public var done: Int
    public var count: Int
}

/// What frames have led to.
public enum FaceVerdict: Sendable {
    case goingOn(FaceChallengeStep)
    /// The challenge is over and the proof is handed out this once.
    case passed(FaceProof)
}
