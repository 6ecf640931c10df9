import BenjiProtocol
import Sightings
import Store
import StoreRows

extension ConsentRows {
    /// A consent, and the token or code that it bought, if it bought one.
    struct New {
        var consent: ConsentEvidence
        var credential: CredentialHash?
    }

    static func insert(
        _ consents: [ConsentEvidence], of credential: CredentialHash? = nil, _ db: Session
    ) throws {
        if consents.isEmpty { return }
        try db.run(inserting(consents.map { New(consent: $0, credential: credential) }, db))
    }

    /// Deletes the consents to credentials that were never spent. Call it once, in the transaction that deletes these
    /// credentials. Consents that are older than ``StoreRows/ConsentRows/pendingAge`` at that moment stay. The log's
    /// writer holds consents in the order of their numbers (``LogRows/reach(_:after:settled:limit:isHeld:_:)``), so
    /// they are deleted in that order.
    static func deletePending(
        of credentials: [(hash: CredentialHash, trace: TraceID)], at moment: Timestamp, _ db: Session
    ) throws {
        if credentials.isEmpty { return }
        let gone = try db.rows(
            """
            DELETE FROM consent WHERE id = ANY (ARRAY
                (SELECT c.id FROM unnest($1, $2) AS n (trace, token)
                    JOIN consent AS c ON c.trace = n.trace AND c.token = n.token AND c.received_at >= $3
                    ORDER BY c.id FOR UPDATE OF c)) RETURNING id
            """, of: "consent", Values(credentials.map(\.trace.rawValue)), Values(credentials.map(\.hash.bytes)),
            moment.milliseconds - pendingAge
        ) { try $0.integer(Int64.self) }
        try LogRows.forget(.consent, gone, db)
    }

    /// Returns the statements that insert consents, once their pieces are known or written.
    static func inserting(_ new: [New], _ db: Session) throws -> [Statement] {
        var pieces = try ConsentPieces(of: new.map(\.consent), db)
        let divided = try new.map { try pieces.divide($0.consent, db) }
        let consents = new.map(\.consent)
        let statement = Statement(
            """
            INSERT INTO consent
                (app, trace, subscription, epoch, sim_generation, content_digest, record, content, content_at, \
            received_at,
                token, assurance)
            SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            """, Values(consents.map(\.appID.rawValue)), Values(consents.map(\.trace.rawValue)),
            Values(consents.map(\.subscription.subscription)), Values(consents.map(\.subscription.epoch)),
            Values(consents.map(\.subscription.simGeneration)), Values(consents.map(\.contentDigest)),
            Values(divided.map(\.record)), Values(divided.map(\.piece)), Values(divided.map(\.place)),
            Values(consents.map(\.receivedAt.milliseconds)), Values(new.map(\.credential?.bytes)),
            Values(consents.map(\.assurance?.rawValue)))
        return pieces.touching + [statement]
    }

    /// Deletes consents that were received before `moment`, among the `limit` oldest, and the pieces that no consent
    /// needs any more.
    static func delete(before moment: Timestamp, limit: Int, _ codes: RowCodes, _ db: Session) throws -> Int {
        // They lie in the order in which they were received, so that nothing needs an index of the time.
        let gone = try db.rows(
            """
            DELETE FROM consent WHERE id = ANY (ARRAY
                (SELECT id FROM (SELECT id, received_at FROM consent ORDER BY id LIMIT $2) AS oldest WHERE received_at \
            < $1)) RETURNING id
            """, of: "consent", moment.milliseconds, limit
        ) { try $0.integer(Int64.self) }
        try LogRows.forget(.consent, gone, db)
        try EvidenceMark.takeOff(.consent, gone, codes, db)
        let count = gone.count
        // With a whole batch there may be older ones that still need theirs.
        if count < limit {
            try db.run("DELETE FROM consent_content WHERE received_at < $1", moment.milliseconds - pieceAge)
        }
        return count
    }
}
