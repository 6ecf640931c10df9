// Persistence as small protocols with one error type, without SQL or rules of a login. The protocols state the outcome
// of concurrent calls; `StoreConformance` holds every driver to it. Begin with `CredentialStore.swift`.

package import BenjiProtocol

/// The whole persistent state.
///
/// A store keeps what it is given: it knows no keys, no policy and no clock. Numbers reach it sealed, credentials as
/// hashes.
package protocol Store: MasterKeyStore, AppStore, RegisterStore, CredentialStore, LedgerStore, OpenIDStore, FaceStore,
    TraceStore, GuessStore, ExpiryStore, AuditStore, AdminStore, TeamStore, SubscriberStore, PageReviewStore,
    PolicyStore,
    GatewayPairStore, OutboxStore, SMSCodeStore, SMSUpstreamStore, LoginCountStore, ConsoleStore, AttestedKeyStore,
    LogStore, RowCodeStore
{
    /// Checks that reading and writing work now; otherwise throws the problem.
    func check() async throws(StoreError)
    /// The time by the clock of the machine that keeps the store; `nil` where that is this machine.
    func serverTime() async throws(StoreError) -> Timestamp?
    /// Finishes pending calls and closes. Later calls fail as unavailable.
    func close() async
}

extension Store {
    package func serverTime() async throws(StoreError) -> Timestamp? { nil }
}
