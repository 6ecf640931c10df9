import Foundation

/// What a delegate is told.
enum SuperIDAnswer {
    case login([AnyHashable: Any]?, uid: String?, NSError?)
    case binding([AnyHashable: Any]?, uid: String?, NSError?)
    case cancelled(NSError?)
    case feature([AnyHashable: Any]?, NSError?)
    case state(SIDUserAuthorizationState)
    case userInfo(SIDUserUpdateResponseState)
    case uid(SIDUserUpdateResponseState)
}

extension SuperIDDelegate {
    // In Objective-C every method is optional.
    #if canImport(ObjectiveC)
    func take(_ answer: SuperIDAnswer, from sender: SuperID) {
        switch answer {
        case .login(let info, let uid, let error):
            superID?(sender, userDidFinishLoginWithUserInfo: info, withAppUid: uid, error: error)
        case .binding(let info, let uid, let error):
            superID?(sender, userDidFinishAuthAppWithUserInfo: info, withAppUid: uid, error: error)
        case .cancelled(let error): superID?(sender, userDidFinishCancelAuthorization: error)
        case .feature(let info, let error):
            superID?(sender, userDidFinishGetFaceFeatureWithFeatureInfo: info, error: error)
        case .state(let state): superID?(sender, queryCurrentUserAuthorizationStateResponse: state)
        case .userInfo(let state): superID?(sender, updateAppUserInfoStateResponse: state)
        case .uid(let state): superID?(sender, updateAppUidResponse: state)
        }
    }
    #else
    func take(_ answer: SuperIDAnswer, from sender: SuperID) {
        switch answer {
        case .login(let info, let uid, let error):
            superID(sender, userDidFinishLoginWithUserInfo: info, withAppUid: uid, error: error)
        case .binding(let info, let uid, let error):
            superID(sender, userDidFinishAuthAppWithUserInfo: info, withAppUid: uid, error: error)
        case .cancelled(let error): superID(sender, userDidFinishCancelAuthorization: error)
        case .feature(let info, let error):
            superID(sender, userDidFinishGetFaceFeatureWithFeatureInfo: info, error: error)
        case .state(let state): superID(sender, queryCurrentUserAuthorizationStateResponse: state)
        case .userInfo(let state): superID(sender, updateAppUserInfoStateResponse: state)
        case .uid(let state): superID(sender, updateAppUidResponse: state)
        }
    }
    #endif
}
