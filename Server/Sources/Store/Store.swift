// What must be kept, as small protocols with one error type. No SQL and no rules of a login; but who wins when two ask at once
// is written here, and `StoreConformance` holds every driver to it. Begin with `CredentialStore.swift`.

/// Everything that must be kept.
///
/// A store keeps what it is given: it knows no keys, no policy and no clock. Numbers reach it sealed, credentials as
/// hashes.
package protocol Store: MasterKeyStore, AppStore, RegisterStore, CredentialStore, LedgerStore, OpenIDStore, FaceStore,
    TraceStore, GuessStore, ExpiryStore, AuditStore, AdminStore, TeamStore, SubscriberStore, PageReviewStore,
    PolicyStore,
    GatewayPairStore, OutboxStore, SMSCodeStore, SMSUpstreamStore, LoginCountStore, ConsoleStore, AttestedKeyStore,
    LogStore
{
    /// Whether reading and writing work now; throws what is wrong.
    func check() async throws(StoreError)
    /// Finishes what is in flight and closes. Later calls fail as unavailable.
    func close() async
}
