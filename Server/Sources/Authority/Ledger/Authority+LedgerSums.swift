package import Store

/// The sums of the ledger's lines that statements go by (decision 61).
extension Authority {
    /// Lines in one commit. SQLite sorts no more of them than its memory for it holds.
    static let ledgerSlice = 5000

    /// Adds lines of the ledger to the sums that statements read. Call it every few seconds.
    ///
    /// - Returns: whether there may be more to add at once.
    package func sumLedger() async throws(StoreError) -> Bool {
        try await store.sumLedger(limit: Self.ledgerSlice) >= Self.ledgerSlice
    }
}
