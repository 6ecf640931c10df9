import Foundation

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
        case .openLogin(let info, let openID, let error):
            // An app that was not changed receives its uid.
            if superID?(sender, userDidFinishLoginWithUserInfo: info, openId: openID, error: error) == nil {
                superID?(
                    sender, userDidFinishLoginWithUserInfo: info, withAppUid: info?["app_uid"] as? String, error: error)
            }
        case .verified(let state, _): superID?(sender, faceVerifyResponse: state)
        // Only `FaceCameraDriver` looks for people, and reports this itself.
        case .found: break
        case .appToken(let state): superID?(sender, getAppTokenResponse: state)
        case .created(let error): superID?(sender, sidDidFinishCreatUserWithInfo: nil, openId: nil, error: error)
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
        case .openLogin(let info, let openID, let error):
            superID(sender, userDidFinishLoginWithUserInfo: info, openId: openID, error: error)
        case .verified(let state, _): superID(sender, faceVerifyResponse: state)
        // Only `FaceCameraDriver` looks for people, and reports this itself.
        case .found: break
        case .appToken(let state): superID(sender, getAppTokenResponse: state)
        case .created(let error): superID(sender, sidDidFinishCreatUserWithInfo: nil, openId: nil, error: error)
        }
    }
    #endif
}
