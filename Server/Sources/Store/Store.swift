// What must be kept, as small protocols with one error type. No SQL and no rules of a login; but who wins when two ask at once
// is written here, and `StoreConformance` holds every driver to it. Begin with `CredentialStore.swift`.

package import BenjiProtocol

/// Everything that must be kept.
///
/// A store keeps what it is given: it knows no keys, no policy and no clock. Numbers reach it sealed, credentials as
/// hashes.
package protocol Store: MasterKeyStore, AppStore, RegisterStore, CredentialStore, LedgerStore, OpenIDStore, FaceStore,
    TraceStore, GuessStore, ExpiryStore, AuditStore, AdminStore, TeamStore, SubscriberStore, PageReviewStore,
    PolicyStore,
    GatewayPairStore, OutboxStore, SMSCodeStore, SMSUpstreamStore, LoginCountStore, ConsoleStore, AttestedKeyStore,
    LogStore, RowCodeStore
{
    /// Whether reading and writing work now; throws what is wrong.
    func check() async throws(StoreError)
    /// The time by the clock of the machine that keeps the store; `nil` where that is this machine.
    func serverTime() async throws(StoreError) -> Timestamp?
    /// Finishes what is in flight and closes. Later calls fail as unavailable.
    func close() async
}

extension Store {
    package func serverTime() async throws(StoreError) -> Timestamp? { nil }
}
