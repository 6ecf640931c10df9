/// How an update of the uid or of the app's user ended.
#if canImport(ObjectiveC)
@objc(SIDUserUpdateResponseState)
#endif
public enum SIDUserUpdateResponseState: Int, Sendable {
    /// The app's data about its user was updated.
    #if canImport(ObjectiveC)
    @objc(SIDUpdateUserInfoSucceed)
    #endif
    case updateUserInfoSucceed
    /// It was not.
    #if canImport(ObjectiveC)
    @objc(SIDUpdateAppUserInfoFail)
    #endif
    case updateAppUserInfoFail
    /// The uid was updated.
    #if canImport(ObjectiveC)
    @objc(SIDUpdateAppUidSucceed)
    #endif
    case updateAppUidSucceed
    /// Another account has this uid.
    #if canImport(ObjectiveC)
    @objc(SIDUidHasExist)
    #endif
    case uidHasExist
    /// The uid was not updated.
    #if canImport(ObjectiveC)
    @objc(SIDUpdateAppUidFail)
    #endif
    case updateAppUidFail
    /// No person who has authorised the app is logged in.
    #if canImport(ObjectiveC)
    @objc(SIDUserNoAuthToSuperID)
    #endif
    case userNoAuthToSuperID
    /// The authorisation has expired: the person logs in again.
    #if canImport(ObjectiveC)
    @objc(SIDUserAccessExpired)
    #endif
    case userAccessExpired
}
