@_spi(Server) package import BenjiProtocol
package import Requests
import Store

extension Authority {
    /// How long a receipt under the former key may still be made after a rotation: running servers hear of the new key
    /// within a minute.
    static let receiptKeyOverlap: Duration = .seconds(600)

    /// The keys that receipts are checked by, newest first: the present one and all before it.
    package func receiptKeys() async throws(Refusal) -> [PublishedReceiptKey] {
        let records: [ReceiptKeyRecord]
        do { records = try await store.receiptKeys() } catch { throw Refusal(error) }
        // A store that belongs to no master key has none.
        guard !records.isEmpty else { return [PublishedReceiptKey(vault.receiptKey)] }
        do {
            return try records.map { record in
                PublishedReceiptKey(
                    try DevicePublicKey(jwk: JSON(parsing: record.publicKey), path: "receipt key \(record.id)"),
                    from: record.from, until: record.until)
            }
        } catch { throw Refusal(.internalError, "a receipt key in the store cannot be read") }
    }

    /// Signs receipts with a new key from now on. The former one stays published, with its end.
    /// - Returns: the new key.
    package func rotateReceiptKey(by note: OrderNote) async throws(Refusal) -> DevicePublicKey {
        let key = ReceiptKey.make()
        let now = clock.now
        let entry = note.entry(
            at: now, from: .object(["receiptKey": .string(vault.receiptKey.thumbprint)]),
            to: .object(["receiptKey": .string(key.id)]))
        do {
            try await vault.following { () throws(StoreError) in
                guard let record = try? key.record(from: now, under: vault.masterKey) else {
                    throw StoreError(.corrupt, "a receipt key could not be sealed")
                }
                try await store.addReceiptKey(record, othersUntil: now + Self.receiptKeyOverlap, audit: entry)
            }
            try await vault.follow()
        } catch { throw Refusal(error) }
        return key.signer.publicKey
    }
}
