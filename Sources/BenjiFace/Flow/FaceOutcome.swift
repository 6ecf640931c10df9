public import BenjiFaceProtocol
import BenjiProtocol

/// How a face session ended well.
public enum FaceOutcome: Hashable, Sendable {
    case loggedIn(FaceUser)
    /// It is the account's face.
    case verified
    /// The measured attributes; fields that nothing measures, or that the app may not read, are absent.
    case attributes(FaceAttributeValues)
    /// The likely member; `nil` if none is like the face, or two are. It is no login: that takes a second factor.
    case found(openID: String?)
}

/// The logged-in person.
public struct FaceUser: Hashable, Sendable, Redacted {
    /// The person's identifier at this app, whatever uid the app has given.
    public var openID: String
    /// The app's own name for its user, or a random one until the app gives its own.
    public var uid: String
    public var isRandomUID: Bool
    public var userInfo: FaceUserInfo
    /// For the app's server, once.
    public var authorizationCode: String

    package init(_ response: FaceFinishResponse) {
        openID = response.openID
        uid = response.uid
        isRandomUID = response.isRandomUID
        userInfo = response.userInfo
        authorizationCode = response.authorizationCode
    }
}
