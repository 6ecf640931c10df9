/// Whether one of the app's users is tied to an account.
#if canImport(ObjectiveC)
@objc(SIDUserAuthorizationState)
#endif
public enum SIDUserAuthorizationState: Int, Sendable {
    /// It is.
    #if canImport(ObjectiveC)
    @objc(SIDUserHasAuth)
    #endif
    case userHasAuth
    /// It is not.
    #if canImport(ObjectiveC)
    @objc(SIDUserNoAuth)
    #endif
    case userNoAuth
    /// It could not be determined.
    #if canImport(ObjectiveC)
    @objc(SIDQueryUserAuthorizationFail)
    #endif
    case queryUserAuthorizationFail
}
