import Foundation

/// What an app is told: its delegate, or the block of the call.
enum SuperIDAnswer {
    /// As 1.2.8 tells it.
    case login([AnyHashable: Any]?, uid: String?, NSError?)
    /// As later releases tell it.
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

    /// What a search screen hears.
    enum Search {
        case somebody(openID: String)
        case nobody
        /// Whoever was in front of the camera did not do what was asked.
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
