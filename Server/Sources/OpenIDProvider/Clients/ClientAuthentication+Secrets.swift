import Store

extension ClientAuthentication {
    /// Whether the secrets of a client that authenticated in another way serve for this one as well.
    func fits(_ former: ClientAuthentication) -> Bool {
        usesSecret && former.usesSecret && (self == .clientSecretJWT) == (former == .clientSecretJWT)
    }
}

extension OpenIDClientRecord {
    /// Whether an authorization request must have been pushed.
    var takesPushedRequestsAlone: Bool { requiresPushedRequests || profile == .fapi2 }
    /// Whether it gets no access token that is not bound to a key. FAPI 2.0 §5.3.2.1 leaves the choice between a key
    /// and a certificate.
    var takesKeyBoundTokensAlone: Bool { bindsAccessTokens || profile == .fapi2 && !bindsToCertificate }
}
