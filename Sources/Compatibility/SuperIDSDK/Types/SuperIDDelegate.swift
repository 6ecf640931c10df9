public import Foundation

#if canImport(ObjectiveC)
/// Receives the results of calls of ``SuperID``: on the main thread, once for each. All methods are optional.
@objc(SuperIDDelegate)
@MainActor
public protocol SuperIDDelegate: NSObjectProtocol {
    /// A login is over.
    ///
    /// - Parameters:
    ///   - userInfo: `name`, `phone`, `avatar`, `email`, `regioncode`, `app_uid`, `openId`; nil after a failure.
    ///   - uid: the app's own name for its user, or a random one until the app gives its own.
    @objc(superID:userDidFinishLoginWithUserInfo:withAppUid:error:)
    optional func superID(
        _ sender: SuperID, userDidFinishLoginWithUserInfo userInfo: [AnyHashable: Any]?, withAppUid uid: String?,
        error: (any Error)?)
    /// A binding is over.
    @objc(superID:userDidFinishAuthAppWithUserInfo:withAppUid:error:)
    optional func superID(
        _ sender: SuperID, userDidFinishAuthAppWithUserInfo userInfo: [AnyHashable: Any]?, withAppUid uid: String?,
        error: (any Error)?)
    /// The authorisation was taken back, or was not.
    @objc(superID:userDidFinishCancelAuthorization:)
    optional func superID(_ sender: SuperID, userDidFinishCancelAuthorization error: (any Error)?)
    /// A face was looked at.
    ///
    /// - Parameter featureInfo: the measured attributes; fields that nothing measures are absent.
    @objc(superID:userDidFinishGetFaceFeatureWithFeatureInfo:error:)
    optional func superID(
        _ sender: SuperID, userDidFinishGetFaceFeatureWithFeatureInfo featureInfo: [AnyHashable: Any]?,
        error: (any Error)?)
    @objc(superID:queryCurrentUserAuthorizationStateResponse:)
    optional func superID(
        _ sender: SuperID, queryCurrentUserAuthorizationStateResponse state: SIDUserAuthorizationState)
    @objc(superID:updateAppUserInfoStateResponse:)
    optional func superID(_ sender: SuperID, updateAppUserInfoStateResponse state: SIDUserUpdateResponseState)
    @objc(superID:updateAppUidResponse:)
    optional func superID(_ sender: SuperID, updateAppUidResponse state: SIDUserUpdateResponseState)

    // MARK: later releases

    /// A login of the later calls is over (1.4). A delegate without this method receives
    /// `superID:userDidFinishLoginWithUserInfo:withAppUid:error:` instead.
    ///
    /// - Parameter openId: who this is to the app, whatever uid it gives.
    @objc(superID:userDidFinishLoginWithUserInfo:openId:error:)
    optional func superID(
        _ sender: SuperID, userDidFinishLoginWithUserInfo userInfo: [AnyHashable: Any]?, openId: String?,
        error: (any Error)?)
    /// A verification is over (1.5.1).
    @objc(superID:faceVerifyResponse:)
    optional func superID(_ sender: SuperID, faceVerifyResponse state: SIDFACEVerifyState)
    /// The SDK has started, or could not (1.9).
    @objc(superID:getAppTokenResponse:)
    optional func superID(_ sender: SuperID, getAppTokenResponse state: SIDGetAppTokenState)
    /// A partner's login is over (1.9): never with a user, because there is no such partner.
    @objc(superID:SIDDidFinishCreatUserWithInfo:openId:error:)
    optional func superID(
        _ sender: SuperID, sidDidFinishCreatUserWithInfo userInfo: [AnyHashable: Any]?, openId: String?,
        error: (any Error)?)
    /// Never called: an app changes nothing of the account itself (1.9).
    @objc(superID:updateSuperIDAccountResponse:updateInfo:)
    optional func superID(
        _ sender: SuperID, updateSuperIDAccountResponse state: SIDUpdateAccountState,
        updateInfo info: [AnyHashable: Any]?)
}
#else
/// Receives the results of calls of ``SuperID``: on the main thread, once for each. All methods are optional.
@MainActor
public protocol SuperIDDelegate: AnyObject {
    func superID(
        _ sender: SuperID, userDidFinishLoginWithUserInfo userInfo: [AnyHashable: Any]?, withAppUid uid: String?,
        error: (any Error)?)
    func superID(
        _ sender: SuperID, userDidFinishAuthAppWithUserInfo userInfo: [AnyHashable: Any]?, withAppUid uid: String?,
        error: (any Error)?)
    func superID(_ sender: SuperID, userDidFinishCancelAuthorization error: (any Error)?)
    func superID(
        _ sender: SuperID, userDidFinishGetFaceFeatureWithFeatureInfo featureInfo: [AnyHashable: Any]?,
        error: (any Error)?)
    func superID(
        _ sender: SuperID, queryCurrentUserAuthorizationStateResponse state: SIDUserAuthorizationState)
    func superID(_ sender: SuperID, updateAppUserInfoStateResponse state: SIDUserUpdateResponseState)
    func superID(_ sender: SuperID, updateAppUidResponse state: SIDUserUpdateResponseState)
    func superID(
        _ sender: SuperID, userDidFinishLoginWithUserInfo userInfo: [AnyHashable: Any]?, openId: String?,
        error: (any Error)?)
    func superID(_ sender: SuperID, faceVerifyResponse state: SIDFACEVerifyState)
    func superID(_ sender: SuperID, getAppTokenResponse state: SIDGetAppTokenState)
    func superID(
        _ sender: SuperID, sidDidFinishCreatUserWithInfo userInfo: [AnyHashable: Any]?, openId: String?,
        error: (any Error)?)
    func superID(
        _ sender: SuperID, updateSuperIDAccountResponse state: SIDUpdateAccountState,
        updateInfo info: [AnyHashable: Any]?)
}

extension SuperIDDelegate {
    public func superID(
        _ sender: SuperID, userDidFinishLoginWithUserInfo userInfo: [AnyHashable: Any]?, withAppUid uid: String?,
        error: (any Error)?
    ) {}
    public func superID(
        _ sender: SuperID, userDidFinishAuthAppWithUserInfo userInfo: [AnyHashable: Any]?, withAppUid uid: String?,
        error: (any Error)?
    ) {}
    public func superID(_ sender: SuperID, userDidFinishCancelAuthorization error: (any Error)?) {}
    public func superID(
        _ sender: SuperID, userDidFinishGetFaceFeatureWithFeatureInfo featureInfo: [AnyHashable: Any]?,
        error: (any Error)?
    ) {}
    public func superID(
        _ sender: SuperID, queryCurrentUserAuthorizationStateResponse state: SIDUserAuthorizationState
    ) {}
    public func superID(_ sender: SuperID, updateAppUserInfoStateResponse state: SIDUserUpdateResponseState) {}
    public func superID(_ sender: SuperID, updateAppUidResponse state: SIDUserUpdateResponseState) {}
    /// A delegate without this method receives the uid instead.
    public func superID(
        _ sender: SuperID, userDidFinishLoginWithUserInfo userInfo: [AnyHashable: Any]?, openId: String?,
        error: (any Error)?
    ) {
        superID(
            sender, userDidFinishLoginWithUserInfo: userInfo, withAppUid: userInfo?["app_uid"] as? String, error: error)
    }
    public func superID(_ sender: SuperID, faceVerifyResponse state: SIDFACEVerifyState) {}
    public func superID(_ sender: SuperID, getAppTokenResponse state: SIDGetAppTokenState) {}
    public func superID(
        _ sender: SuperID, sidDidFinishCreatUserWithInfo userInfo: [AnyHashable: Any]?, openId: String?,
        error: (any Error)?
    ) {}
    public func superID(
        _ sender: SuperID, updateSuperIDAccountResponse state: SIDUpdateAccountState,
        updateInfo info: [AnyHashable: Any]?
    ) {}
}
#endif
