public import BenjiFaceProtocol
import BenjiProtocol

/// The purpose of a face session.
public enum FaceGoal: Hashable, Sendable, Redacted {
    /// Logging in. Where there is no account yet, or the app is not authorised, that happens on the way.
    ///
    /// - Parameters:
    ///   - phone: a number that the app says it is; the account must have it.
    ///   - userInfo: what the app knows of its user.
    case logIn(phone: String? = nil, userInfo: FaceUserInfo? = nil)
    /// Tying a user of the app's own to the account.
    ///
    /// - Parameter userInfo: what the app knows of its user.
    case bind(uid: String, phone: String? = nil, userInfo: FaceUserInfo? = nil)
    /// Comparing once more, for an app that wants to be sure. Needs an account that has authorised the app.
    case verify
    /// Reading the attributes of the face in front of the camera. Needs the same.
    case attributes
    /// Looking for the face in one group of the app's own. It finds only people who have agreed to that, and does not
    /// log them in. The app needs the capability for groups.
    case search(group: String)

    /// The word of the wire.
    var purpose: FacePurpose? {
        switch self {
        case .logIn: .login
        case .bind: .bind
        case .verify: .verify
        case .attributes: .attributes
        case .search: nil
        }
    }

    package var uid: String? {
        if case .bind(let uid, _, _) = self { uid } else { nil }
    }

    package var phone: String? {
        switch self {
        case .logIn(let phone, _), .bind(_, let phone, _): phone
        case .verify, .attributes, .search: nil
        }
    }

    package var userInfo: FaceUserInfo? {
        switch self {
        case .logIn(_, let userInfo), .bind(_, _, let userInfo): userInfo
        case .verify, .attributes, .search: nil
        }
    }

    /// Whether it ends with somebody logged in.
    var logsIn: Bool {
        switch self {
        case .logIn, .bind: true
        case .verify, .attributes, .search: false
        }
    }

    /// Whether it is about the logged-in person.
    var needsAccess: Bool {
        switch self {
        case .verify, .attributes: true
        case .logIn, .bind, .search: false
        }
    }
}
