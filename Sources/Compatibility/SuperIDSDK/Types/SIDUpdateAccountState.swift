/// How an update of the account itself ended (1.9). Nothing here updates one from an app, so it is never reported.
#if canImport(ObjectiveC)
@objc(SIDUpdateAccountState)
#endif
public enum SIDUpdateAccountState: Int, Sendable {
    /// It was updated.
    #if canImport(ObjectiveC)
    @objc(SIDAccountUpdateSucceed)
    #endif
    case succeed
    /// It was not.
    #if canImport(ObjectiveC)
    @objc(SIDAccountUpdateFail)
    #endif
    case fail
    /// The access was ended.
    #if canImport(ObjectiveC)
    @objc(SIDAccountUpdate_accessTokenInvalid)
    #endif
    case accessTokenInvalid
    /// The account is frozen.
    #if canImport(ObjectiveC)
    @objc(SIDAccountUpdate_accountBeenFrozen)
    #endif
    case accountBeenFrozen
    /// The access has expired.
    #if canImport(ObjectiveC)
    @objc(SIDAccountUpdate_accessTokenExpired)
    #endif
    case accessTokenExpired
}
