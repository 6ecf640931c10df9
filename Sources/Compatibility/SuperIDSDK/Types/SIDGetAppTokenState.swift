/// How the SDK's start ended (1.9).
#if canImport(ObjectiveC)
@objc(SIDGetAppTokenState)
#endif
public enum SIDGetAppTokenState: Int, Sendable {
    /// The SDK has its app token.
    #if canImport(ObjectiveC)
    @objc(SIDGetAppTokenSucceed)
    #endif
    case succeed
    /// The server gave none: the app is not known, or the secret is another's.
    #if canImport(ObjectiveC)
    @objc(SIDGetAppTokenFail)
    #endif
    case fail
    /// The server could not be reached. Later calls try again by themselves.
    #if canImport(ObjectiveC)
    @objc(SIDGetAppTokenNetWorkError)
    #endif
    case netWorkError
}
