import BenjiProtocol
import Crypto
import Store

/// Codes of the rows that give rights (decision 63).
extension Vault {
    /// Has a store give codes to these rows and refuse those without one. The first time in the life of an
    /// installation, rows that an earlier version wrote get theirs.
    ///
    /// - Parameters:
    ///   - kept: the data secrets as the store keeps them.
    ///   - onlyIfEmpty: whether rows of an earlier version are refused, because this node knows of codes already.
    /// - Returns: whether rows have codes now. `false` if the data secrets were changed meanwhile; then nothing was
    ///   done.
    /// - Throws: ``Store/StoreError/Code/corrupt`` if the data secrets are older than the codes.
    func protectRows(
        of store: any RowCodeStore, dataSecrets kept: Sealed?, onlyIfEmpty: Bool, at moment: Timestamp
    ) async throws(StoreError) -> Bool {
        useRowCodes(of: store)
        guard secrets.rowsSealedAt == nil, let kept else {
            try await store.sealRevocations()
            return true
        }
        let sealed: Sealed
        do {
            sealed = try seal(secrets.rowsSealed(at: moment).bytes, purpose: DataSecrets.purpose, owner: [])
        } catch { throw StoreError(.corrupt, "seal the data secrets: nothing can be sealed under the master key") }
        let line = AuditEntry(at: moment, actor: "benji", role: "installation", origin: "start", order: "rows.seal")
        do throws(StoreError) {
            return try await store.sealRows(from: kept, to: sealed, onlyIfEmpty: onlyIfEmpty, audit: line)
        } catch {
            // A rotation was quicker.
            guard error.code == .keyChanged else { throw error }
            return false
        }
    }

    /// The same for a look that changes nothing: rows are checked if they have codes.
    func checkRows(of store: any RowCodeStore, _ memory: SealedRowsFile?) async throws(StoreError) {
        guard secrets.rowsSealedAt == nil else { return useRowCodes(of: store) }
        try await MasterKeyVerification.noteFormerCodes(of: store, memory)
    }

    private func useRowCodes(of store: any RowCodeStore) {
        store.rowCodes.use { [key = secrets.rows] bytes in
            Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
        }
    }
}
