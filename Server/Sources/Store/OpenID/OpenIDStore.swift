import BenjiProtocol

/// Keeps what the OpenID provider gave out, and what else it needs.
package protocol OpenIDStore: OpenIDClientStore, OpenIDKeyStore, NameStore, RememberedConsentStore,
    BackchannelRequestStore
{
    /// One whose binding has been revoked is stored too, but dead.
    func insertOpenIDCredential(_ credential: OpenIDCredential) async throws(StoreError)
    func openIDCredential(_ hash: CredentialHash) async throws(StoreError) -> OpenIDLookup
    /// Spends a credential: one conditional write that is durable before this returns (decision 4). However many calls
    /// and processes show one credential, at most one gets ``OpenIDExchangeOutcome/spent(_:)``.
    func exchange(_ exchange: OpenIDExchange) async throws(StoreError) -> OpenIDExchangeOutcome
    /// Ends everything of a family that is not spent.
    func revokeOpenIDCredentials(family: Int64) async throws(StoreError)
}
