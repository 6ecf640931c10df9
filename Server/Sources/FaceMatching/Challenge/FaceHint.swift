package import BenjiFaceTexts

/// The reason why the current frame is unusable, which the person can correct.
package enum FaceHint: Hashable, Sendable {
    case noFace
    /// There is a face, but not in the ring.
    case outside
    case severalFaces
    case pictureTurned
    case flaw(FaceFlaw)
    /// Eyes are closed, the mouth is open or the head is turned while none of that is asked for.
    case openEyes, closeMouth, faceFront
    /// The head jumped from one side to the other between two frames.
    case slower

    /// The sentence for the person.
    package var sentence: FaceSentence {
        switch self {
        case .noFace: .noFace
        case .outside: .placeFace
        case .severalFaces: .severalFaces
        case .pictureTurned: .pictureTurned
        case .flaw(let flaw): flaw.sentence
        case .openEyes: .openEyes
        case .closeMouth: .closeMouth
        case .faceFront: .turnedAway
        case .slower: .slower
        }
    }
}

extension FaceHint {
    /// What to tell of a picture without a face that could be measured; `nil` if the error is about something else.
    package init?(_ error: FaceError) {
        switch error.code {
        case .noFace: self = .noFace
        case .faceOutside: self = .outside
        case .severalFaces: self = .severalFaces
        case .imageTurned: self = .pictureTurned
        default: return nil
        }
    }
}

extension FaceFlaw {
    /// The advice to the person.
    package var sentence: FaceSentence {
        switch self {
        case .mouthCovered: .mouthCovered
        case .eyesCovered: .eyesCovered
        case .half: .halfFace
        case .unclear: .covered
        case .small: .tooSmall
        case .turned: .turnedAway
        case .raised: .raised
        case .tilted: .tilted
        case .dark: .tooDark
        case .bright: .tooBright
        case .clipped: .harshLight
        case .flat: .flatLight
        case .uneven: .unevenLight
        case .blurred: .blurred
        }
    }
}
