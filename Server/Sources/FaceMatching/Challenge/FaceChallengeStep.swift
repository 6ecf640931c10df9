package import BenjiProtocol

/// A challenge that has begun: what the device must know.
package struct FaceChallenge: Sendable {
    /// Random; single use.
    package var id: String
    package var expires: Timestamp
    /// How often a frame is wanted, how many may be in one post and how large they may be.
    package var pace: Duration
    package var framesPerPost: Int
    package var bytesPerFrame: Int
    package var step: FaceChallengeStep
}

/// Where a challenge stands: what to tell the person now.
package struct FaceChallengeStep: Hashable, Sendable {
    package var prompt: FacePrompt
    /// What keeps the last frame from being of use.
    package var hint: FaceHint?
    /// Gestures that are done, and all of them.
    package var done: Int
    package var count: Int
}

/// What frames have led to.
package enum FaceVerdict: Sendable {
    case goingOn(FaceChallengeStep)
    /// The challenge is over and the proof is handed out this once.
    case passed(FaceProof)
}
