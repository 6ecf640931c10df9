public import BenjiProtocol

/// Keeps what the OpenID provider needs: clients, signing keys, and what it gave out.
public protocol OpenIDStore: Sendable {
    /// Makes the app a client, or replaces what it was. Fails with ``StoreError/Code/notFound`` if there is no such app.
    func putOpenIDClient(_ client: OpenIDClientRecord) async throws(StoreError)
    func openIDClient(_ app: AppID) async throws(StoreError) -> OpenIDClientRecord?
    /// Replaces the images of a client's page. Fails with ``StoreError/Code/notFound`` if the app is no client.
    func putOpenIDMedia(_ media: [OpenIDMedia], of app: AppID) async throws(StoreError)
    /// The digests of the images of a client's page, by name.
    func openIDMediaDigests(of app: AppID) async throws(StoreError) -> [String: String]
    /// An image that some client's page has.
    func openIDMedia(digest: String) async throws(StoreError) -> OpenIDMedia?
    /// Ends the app's being a client, and everything that it holds, its page's images too. Quiet if it is none.
    func removeOpenIDClient(_ app: AppID) async throws(StoreError)

    /// Stores a key that signs from now on; keys of the same algorithm that did so until now are shown until
    /// `publishedUntil`. One durable step.
    func addOpenIDKey(_ key: OpenIDKeyRecord, othersPublishedUntil: Timestamp) async throws(StoreError)
    /// The keys that must be shown at `moment`, newest first.
    func openIDKeys(at moment: Timestamp) async throws(StoreError) -> [OpenIDKeyRecord]

    /// One whose binding has been revoked is stored too, but dead.
    func insertOpenIDCredential(_ credential: OpenIDCredential) async throws(StoreError)
    func openIDCredential(_ hash: CredentialHash) async throws(StoreError) -> OpenIDLookup
    /// Spends a credential: one conditional write that is durable before this returns (decision 4). Of any number of
    /// calls for one credential, in any number of processes, one at most gets ``OpenIDExchangeOutcome/spent(_:)``.
    func exchange(_ exchange: OpenIDExchange) async throws(StoreError) -> OpenIDExchangeOutcome
    /// Ends everything of a family that is not spent.
    func revokeOpenIDCredentials(family: Int64) async throws(StoreError)
    /// Takes a name that an app may use once, such as a client assertion's `jti`; `false` if it is taken.
    func takeName(_ name: String, app: AppID, until: Timestamp, now: Timestamp) async throws(StoreError) -> Bool
}
