/// Everything that must be kept, as small protocols that drivers next door implement (StoreSQLite) and one list of
/// promises holds them to (StoreConformance).
///
/// A store keeps what it is given: it knows no keys, no policy and no clock. Numbers reach it sealed, credentials as
/// hashes.
package protocol Store: MasterKeyStore, AppStore, RegisterStore, CredentialStore, LedgerStore, OpenIDStore, FaceStore,
    TraceStore, GuessStore, ExpiryStore
{
    /// Whether reading and writing work now; throws what is wrong.
    func check() async throws(StoreError)
    /// Finishes what is in flight and closes. Later calls fail as unavailable.
    func close() async
}
