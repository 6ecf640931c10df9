import Authority
package import BenjiFaceProtocol
import BenjiFaceTexts
package import BenjiProtocol
package import FaceMatching

extension FaceChallengeFailure.Reason {
    /// The situation reported for this reason. `nil` if the challenge goes on or the fault is the server's.
    package var situation: Situation? {
        switch self {
        case .unavailable, .busy, .unknown, .failed: nil
        case .expired, .late: .challengeExpired
        case .tooManyFrames, .frameTooLarge, .frameUnreadable, .timesWrong: .pictureInvalid
        case .faceLost: .faceNotFound
        case .interrupted, .severalFaces, .pictureTurned, .unclear, .mouthCovered, .eyesCovered, .halfFace,
            .anotherFace, .leap, .wrongGesture, .gestureMissed, .still,
            .replayed, .notLive:
            .challengeFailed
        }
    }
}

extension FaceProgress {
    /// The progress reported to the device after a step.
    package init(_ step: FaceChallengeStep) {
        self.init(
            prompt: step.prompt.sentence.rawValue, hint: step.hint?.sentence.rawValue, done: Int64(step.done),
            count: Int64(step.count))
    }
}
