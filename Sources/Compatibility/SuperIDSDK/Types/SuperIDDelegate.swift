public import Foundation

#if canImport(ObjectiveC)
/// Hears how calls of ``SuperID`` ended: on the main thread, once for each. All methods are optional.
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
    /// - Parameter featureInfo: what was measured; fields that nothing measures are absent.
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
}
#else
/// Hears how calls of ``SuperID`` ended: on the main thread, once for each. All methods are optional.
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
}
#endif
