package import BenjiFaceTexts

/// What keeps the frame at hand from being of use, and the person can mend.
package enum FaceHint: Hashable, Sendable {
    case noFace
    case severalFaces
    case flaw(FaceFlaw)
    /// Eyes are closed, the mouth is open or the head is turned while none of that is asked for.
    case openEyes, closeMouth, faceFront
    /// The head jumped from one side to the other between two frames.
    case slower

    /// What the person is told.
    package var sentence: FaceSentence {
        switch self {
        case .noFace: .noFace
        case .severalFaces: .severalFaces
        case .flaw(let flaw): flaw.sentence
        case .openEyes: .openEyes
        case .closeMouth: .closeMouth
        case .faceFront: .turnedAway
        case .slower: .slower
        }
    }
}

extension FaceFlaw {
    /// What the person can do about it.
    package var sentence: FaceSentence {
        switch self {
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
