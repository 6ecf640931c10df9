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
    case appToken(SIDGetAppTokenState)
    /// A partner's login that is not there.
    case created(NSError)
}
