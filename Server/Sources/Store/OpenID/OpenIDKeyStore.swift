package import BenjiProtocol

/// Keeps the keys that sign ID tokens.
package protocol OpenIDKeyStore: Sendable {
    /// Stores a key that signs from now on; keys of the same algorithm that did so until now are shown until
    /// `publishedUntil`. One durable step.
    ///
    /// - Parameter audit: who ordered it; `nil` for the first key, which comes with the first client.
    func addOpenIDKey(
        _ key: OpenIDKeyRecord, othersPublishedUntil: Timestamp, audit: AuditEntry?
    ) async throws(StoreError)
    /// The keys that must be shown at `moment`, newest first.
    func openIDKeys(at moment: Timestamp) async throws(StoreError) -> [OpenIDKeyRecord]
}
