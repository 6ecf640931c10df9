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
    /// The reason why the last frame was unusable.
    package var hint: FaceHint?
    /// Gestures that are done, and all of them.
    package var done: Int
    package var count: Int
}

/// The result of judging frames.
package enum FaceVerdict: Sendable {
    case goingOn(FaceChallengeStep)
    /// The challenge is over and the proof is handed out this once.
    case passed(FaceProof)
}
