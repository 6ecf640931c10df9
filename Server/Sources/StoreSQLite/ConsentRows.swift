import BenjiProtocol
import Foundation
import GRDB
import Sightings
import Store
import StoreRows

extension ConsentRows {
    /// Spellings of one page that are kept; consents in a further one are kept whole.
    private static let spellings = 4

    /// - Parameter credential: the token or code that it bought, if it bought one.
    static func insert(_ consent: ConsentEvidence, of credential: CredentialHash? = nil, _ db: Database) throws {
        let record = Data(consent.record.utf8)
        let piece = try piece(of: record, consent, db)
        let rest = piece.map {
            String(decoding: record[..<$0.range.lowerBound] + record[$0.range.upperBound...], as: UTF8.self)
        }
        try db.run(
            """
            INSERT INTO consent
                (app, trace, subscription, epoch, sim_generation, content_digest, record, content, content_at, \
            received_at,
                token, assurance)
            VALUES (?,?,?,?,?,?,?,?,?,?,?,?)
            """,
            consent.appID.rawValue, consent.trace.rawValue, consent.subscription.subscription,
            consent.subscription.epoch, consent.subscription.simGeneration, consent.contentDigest,
            rest ?? consent.record, piece?.id, piece?.range.lowerBound, consent.receivedAt.milliseconds,
            credential?.bytes,
            consent.assurance?.rawValue)
    }

    /// Deletes the consent to a credential that was never spent. Call it in the transaction that deletes that. A
    /// consent that is older than ``StoreRows/ConsentRows/pendingAge`` at that moment stays.
    static func deletePending(
        of credential: CredentialHash, _ trace: TraceID, at moment: Timestamp, _ db: Database
    ) throws {
        let gone = try db.rows(
            "DELETE FROM consent WHERE trace = ? AND token = ? AND received_at >= ? RETURNING id", of: "consent",
            trace.rawValue, credential.bytes, moment.milliseconds - pendingAge
        ) { try $0.integer(Int64.self) }
        try LogRows.forget(.consent, gone, db)
    }

    /// The number of the piece that the record shares, which is written if it is the first of its spelling, and where
    /// it lies.
    private static func piece(
        of record: Data, _ consent: ConsentEvidence, _ db: Database
    ) throws -> (id: Int64, range: Range<Int>)? {
        let receivedAt = consent.receivedAt.milliseconds
        let known = try db.rows(
            "SELECT id, received_at, text FROM consent_content WHERE digest = ? ORDER BY id", of: "consent_content",
            consent.contentDigest
        ) { columns in
            (id: try columns.integer(Int64.self), receivedAt: try columns.integer(Int64.self), text: try columns.text())
        }
        for one in known {
            guard let range = record.range(of: Data(one.text.utf8)) else { continue }
            if receivedAt - one.receivedAt > pieceAge {
                try db.run("UPDATE consent_content SET received_at = ? WHERE id = ?", receivedAt, one.id)
            }
            return (one.id, range)
        }
        guard known.count < spellings, let range = SharedPiece.range(in: record) else { return nil }
        try db.run(
            "INSERT INTO consent_content (digest, text, received_at) VALUES (?,?,?)", consent.contentDigest,
            String(decoding: record[range], as: UTF8.self), receivedAt)
        return (db.lastInsertedRowID, range)
    }

    /// Deletes consents that were received before `moment`, among the `limit` oldest, and the pieces that no consent
    /// needs any more.
    static func delete(before moment: Timestamp, limit: Int, _ codes: RowCodes, _ db: Database) throws -> Int {
        // They lie in the order in which they were received, so that nothing needs an index of the time.
        let gone = try db.rows(
            """
            DELETE FROM consent WHERE id IN
                (SELECT id FROM (SELECT id, received_at FROM consent ORDER BY id LIMIT ?2) WHERE received_at < ?1) \
            RETURNING id
            """, of: "consent", moment.milliseconds, limit
        ) { try $0.integer(Int64.self) }
        try LogRows.forget(.consent, gone, db)
        try EvidenceMark.takeOff(.consent, gone, codes, db)
        let count = gone.count
        // With a whole batch there may be older ones that still need theirs.
        if count < limit {
            try db.run("DELETE FROM consent_content WHERE received_at < ?", moment.milliseconds - pieceAge)
        }
        return count
    }
}
