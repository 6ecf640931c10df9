import Foundation

/// An answer to an app: to its delegate, or to the block of the call.
enum SuperIDAnswer {
    /// In the form of 1.2.8.
    case login([AnyHashable: Any]?, uid: String?, NSError?)
    /// In the form of later releases.
    case openLogin([AnyHashable: Any]?, openID: String?, NSError?)
    case binding([AnyHashable: Any]?, uid: String?, NSError?)
    case cancelled(NSError?)
    case feature([AnyHashable: Any]?, NSError?)
    case verified(SIDFACEVerifyState, NSError?)
    case state(SIDUserAuthorizationState)
    case userInfo(SIDUserUpdateResponseState)
    case uid(SIDUserUpdateResponseState)
    case found(Search)
    case appToken(SIDGetAppTokenState)
    /// A partner's login that is not there.
    case created(NSError)

    /// The result for a search screen.
    enum Search {
        case somebody(openID: String)
        case nobody
        /// The person in front of the camera did not follow the instructions.
        case notLive
    }

    /// The end of a session that could not begin.
    init(refusing kind: SuperIDSession.Kind, _ error: NSError) {
        switch kind {
        case .attributes: self = .feature(nil, error)
        case .verification: self = .verified(.faceVerifyFail, error)
        case .search: self = .found(.nobody)
        case .binding: self = .binding(nil, uid: nil, error)
        case .login, .loginWithNumber: self = .login(nil, uid: nil, error)
        case .loginWithModel: self = .openLogin(nil, openID: nil, error)
        }
    }
}
