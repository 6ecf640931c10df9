public import BenjiProtocol

extension CredentialGrammar {
    /// Shows that the SDK knows the app's secret; every other request of the device side names one.
    public static let faceAppToken = CredentialGrammar(prefix: "SAppT", length: 53)
    /// One face session, from begin to finish.
    public static let faceSession = CredentialGrammar(prefix: "SFace", length: 53)
    /// One challenge inside a session: 190 bits. It counts only together with the session.
    public static let faceChallenge = CredentialGrammar(prefix: "", length: 32)
    /// An app's access to an account, as its holder has granted it, for the token's lifetime.
    public static let faceAccess = CredentialGrammar(prefix: "SAcce", length: 53)
    /// Buys the next access token, once.
    public static let faceRefresh = CredentialGrammar(prefix: "SRefr", length: 53)
    /// The account that an install of an app remembers. It grants no access: it selects the face to compare with.
    public static let faceRemembered = CredentialGrammar(prefix: "SReme", length: 53)
    /// A code that the app's server exchanges for an access token of its own.
    public static let faceCode = CredentialGrammar(prefix: "SCode", length: 53)
}
