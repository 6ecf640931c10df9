package import BenjiProtocol

/// Keeps the keys that sign ID tokens.
package protocol OpenIDKeyStore: Sendable {
    /// Stores keys that sign from now on, one of an algorithm, in one durable step. Earlier keys of the same algorithms
    /// are shown until `othersPublishedUntil` and lose their private halves.
    ///
    /// - Parameters:
    ///   - publicKeys: public halves, by key id, of keys that an earlier version stored without one. A key without a
    ///     known public half keeps its private half.
    ///   - othersPublishedUntil: `nil` removes all other keys of the algorithms at once.
    ///   - audit: who ordered it; `nil` for the first key, which comes with the first client.
    func addOpenIDKeys(
        _ keys: [OpenIDKeyRecord], publicKeys: [String: String], othersPublishedUntil: Timestamp?, audit: AuditEntry?
    ) async throws(StoreError)
    /// The keys that must be shown at `moment`, newest first.
    func openIDKeys(at moment: Timestamp) async throws(StoreError) -> [OpenIDKeyRecord]
}
