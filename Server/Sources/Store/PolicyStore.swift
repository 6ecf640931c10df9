package import BenjiProtocol

/// A policy that held here, and since when.
package struct PolicyRecord: Hashable, Sendable {
    /// Counts the changes; 0 until it is written.
    package var id: Int64
    /// base64url of the SHA-256 of the text.
    package var digest: String
    /// The policy's name for its version.
    package var version: String
    /// The policy in its canonical form. JSON.
    package var text: String
    package var since: Timestamp
    /// The user of the machine who started the server that had it first.
    package var recordedBy: String
    /// Where that was: the machine's name, and where the policy came from.
    package var origin: String

    package init(
        id: Int64 = 0, digest: String, version: String, text: String, since: Timestamp, recordedBy: String,
        origin: String
    ) {
        self.id = id
        self.digest = digest
        self.version = version
        self.text = text
        self.since = since
        self.recordedBy = recordedBy
        self.origin = origin
    }
}

/// Keeps the policies that servers started with. Each holds until the next one begins.
package protocol PolicyStore: Sendable {
    /// Keeps a policy and its line of the audit log, if another one held until now. Answers whether it was kept.
    func addPolicy(_ policy: PolicyRecord, audit: AuditEntry?) async throws(StoreError) -> Bool
    /// Policies, newest first, at most `limit`.
    /// - Parameter before: only those with a smaller number; `nil` from the newest on.
    func policies(before: Int64?, limit: Int) async throws(StoreError) -> [PolicyRecord]
}
