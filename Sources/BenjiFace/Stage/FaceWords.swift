package import BenjiFaceTexts
package import BenjiProtocol

extension Situation {
    /// The sentence for a person who cannot go on because of it.
    package var faceSentence: FaceSentence {
        switch self {
        case .cameraDenied: .cameraRefusedPhone
        case .cameraFailed: .cameraMissing
        case .faceDiffers: .otherPerson
        case .faceNotFound: .noFace
        case .challengeExpired: .tooLate
        case .challengeFailed: .noAttemptsLeft
        case .noNetwork, .networkFailure, .nameNotResolved, .connectionRefused, .tlsFailure, .timedOut,
            .malformedResponse, .cellularDataOff, .noSIM:
            .networkTrouble
        case .accountFrozen: .accountFrozen
        case .accountErased: .accountErased
        case .faceUnavailable: .faceUnavailable
        default: .cannotGoOn
        }
    }
}
