package import BenjiProtocol

/// Keeps what the OpenID provider needs: clients, signing keys, and what it gave out.
package protocol OpenIDStore: Sendable {
    /// Makes the app a client, if the record's revision is 0 and it is none, or replaces what it was, if that is still at
    /// the record's revision; and changes the images of its page in the same step.
    ///
    /// A client that was removed and made anew never has a revision that it had before.
    ///
    /// - Parameters:
    ///   - media: images that are added, or take the place of those of the same name. The others stay.
    ///   - removedMedia: names of images that are removed.
    /// - Returns: the record with its new revision.
    /// - Throws: ``StoreError/Code/notFound`` if there is no such app, ``StoreError/Code/outdated`` if the client is at
    ///   another revision.
    @discardableResult
    func putOpenIDClient(
        _ client: OpenIDClientRecord, media: [OpenIDMedia], removedMedia: [String]
    ) async throws(StoreError) -> OpenIDClientRecord
    func openIDClient(_ app: AppID) async throws(StoreError) -> OpenIDClientRecord?
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

extension OpenIDStore {
    /// The same without a change of images.
    @discardableResult
    package func putOpenIDClient(_ client: OpenIDClientRecord) async throws(StoreError) -> OpenIDClientRecord {
        try await putOpenIDClient(client, media: [], removedMedia: [])
    }
}
