public import BenjiFaceProtocol
public import BenjiProtocol

/// A question to the person during a face session, one at a time.
public enum FaceQuestion: Hashable, Sendable {
    /// The separate consent to the use of their face.
    case consent(FaceTerms)
    /// The same before a search, which compares with other people and keeps nothing.
    case searchConsent(FaceTerms)
    /// To let the app know who they are.
    case authorization(FaceAuthorization)
    /// To be found by their face in the app's groups. A no is no obstacle.
    case groups(FaceAuthorization)
    /// A name and, if they like, a picture of themselves.
    case profile
    /// To let the app use the camera. Answered by ``FaceReply/ready`` once it runs.
    case camera
    /// Whether to try again after an attempt that failed.
    ///
    /// - Parameters:
    ///   - sentence: the reason of the failure: a name of `FaceSentence`.
    ///   - left: attempts that are left.
    case retry(sentence: String, left: Int)
}

/// The person's reply to a ``FaceQuestion``.
public enum FaceReply: Hashable, Sendable {
    /// A yes to a consent or an authorisation.
    case agreed(FaceAgreement)
    case profile(FaceProfile)
    /// The camera runs, or another attempt is wanted.
    case ready
    /// A no to the question.
    case declined
    /// The camera may not be used. The person has been told how to allow it.
    case cameraDenied
    /// There is no camera, or it does not work.
    case cameraFailed
    /// The person closed the screen.
    case left
}

/// A yes: the content shown, and when, by the phone's clock.
public struct FaceAgreement: Hashable, Sendable {
    /// Every text that was shown, in reading order.
    public var texts: [String]
    public var button: String
    /// BCP 47.
    public var language: String
    public var shownAt: Timestamp
    public var tickedAt: Timestamp
    public var tappedAt: Timestamp

    public init(
        texts: [String], button: String, language: String, shownAt: Timestamp, tickedAt: Timestamp, tappedAt: Timestamp
    ) {
        self.texts = texts
        self.button = button
        self.language = language
        self.shownAt = shownAt
        self.tickedAt = tickedAt
        self.tappedAt = tappedAt
    }
}

/// The name and picture of an account's holder.
public struct FaceProfile: Hashable, Sendable, Redacted {
    /// 1 to 64 bytes of UTF-8.
    public var name: String
    /// A JPEG of at most `FaceUserInfo.maximumAvatar` bytes; optional.
    public var avatar: [UInt8]?

    public init(name: String, avatar: [UInt8]? = nil) {
        self.name = name
        self.avatar = avatar
    }
}
