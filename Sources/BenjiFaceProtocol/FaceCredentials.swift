public import BenjiProtocol

extension CredentialGrammar {
    /// Shows that the SDK knows the app's secret; every other request of the device side names one.
    public static let faceAppToken = CredentialGrammar(prefix: "SAppT", length: 53)
    /// One face session, from begin to finish.
    public static let faceSession = CredentialGrammar(prefix: "SFace", length: 53)
    /// One challenge inside a session: 190 bits. It counts only together with the session.
    public static let faceChallenge = CredentialGrammar(prefix: "", length: 32)
    /// What an account's holder has let an app do, for as long as it lives.
    public static let faceAccess = CredentialGrammar(prefix: "SAcce", length: 53)
    /// Buys the next access token, once.
    public static let faceRefresh = CredentialGrammar(prefix: "SRefr", length: 53)
    /// By which an install of an app remembers an account. It lets nobody in: it says which face to compare with.
    public static let faceRemembered = CredentialGrammar(prefix: "SReme", length: 53)
    /// What the app's server exchanges for an access token of its own.
    public static let faceCode = CredentialGrammar(prefix: "SCode", length: 53)
}
