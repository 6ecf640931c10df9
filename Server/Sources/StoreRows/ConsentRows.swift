package import BenjiProtocol
package import Store

extension TableStore {
    package func consents(of trace: TraceID) async throws(StoreError) -> [ConsentEvidence] {
        try await readOne("read consents") { db in try ConsentRows.of(trace, db) }
    }

    package func outerConsents(of holder: LogLeaf.Holder) async throws(StoreError) -> [ConsentEvidence] {
        try await readOne("read consents") { db in try ConsentRows.outer(of: holder, db) }
    }
}

/// Rows of consents. What a page showed is the same for everybody who sees it, so that piece of a record is kept once
/// (decision 38).
package enum ConsentRows {
    /// The age in milliseconds up to which a consent is deleted with the credential that it bought. It is a day more
    /// than the longest life of a credential. An older consent stays, because it counts in its mark
    /// (``EvidenceMark/settledAge``).
    package static let pendingAge: Int64 = 31 * 86_400_000

    /// How far behind a piece's newest consent its time may be, in milliseconds, so that it is seldom written.
    package static let pieceAge: Int64 = 86_400_000

    /// Whether a consent among the `limit` oldest, or a piece, is to be deleted because it was received before
    /// `moment`. Call it before a deletion, because logins wait for a deletion.
    package static func isDue(before moment: Timestamp, limit: Int, _ db: some StatementRunner) throws -> Bool {
        try db.hasRow(
            """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM (SELECT received_at FROM consent ORDER BY id LIMIT $2) AS oldest
                    WHERE received_at < $1)
                OR EXISTS (SELECT 1 FROM consent_content WHERE received_at < $3)
            """, moment.milliseconds, Int64(max(limit, 0)), moment.milliseconds - pieceAge)
    }

    /// The record as the device sent it; NULL if its piece is missing.
    static let record = """
        CASE WHEN content IS NULL THEN record
            ELSE substr(record, 1, CAST(content_at AS integer)) || (SELECT text FROM consent_content WHERE id = \
        consent.content)
                || substr(record, CAST(content_at AS integer) + 1) END
        """
    private static let selecting = """
        SELECT app, trace, subscription, epoch, sim_generation, content_digest, \(record), assurance, received_at FROM \
        consent
        """
    package static func of(_ trace: TraceID, _ db: some StatementRunner) throws -> [ConsentEvidence] {
        try db.rows("\(selecting) WHERE trace = $1 ORDER BY id", of: "consent", trace.rawValue, read: decode)
    }

    package static func of(_ subscription: Int64, _ epoch: Int32, _ db: some StatementRunner) throws
        -> [ConsentEvidence]
    {
        try db.rows(
            "\(selecting) WHERE subscription = $1 AND subscription <> 0 AND epoch = $2 ORDER BY id", of: "consent",
            subscription, epoch, read: decode)
    }

    static func outer(of holder: LogLeaf.Holder, _ db: some StatementRunner) throws -> [ConsentEvidence] {
        let theirs = "FROM consent WHERE subscription = $1 AND subscription <> 0 AND epoch = $2 GROUP BY content_digest"
        return try db.rows(
            "\(selecting) WHERE id IN (SELECT min(id) \(theirs) UNION SELECT max(id) \(theirs)) ORDER BY id",
            of: "consent", holder.subscription, holder.epoch, read: decode)
    }

    private static func decode(_ columns: inout some Columns) throws -> ConsentEvidence {
        ConsentEvidence(
            appID: try columns.raw(), trace: try columns.raw(), subscription: try columns.reference(),
            contentDigest: try columns.text(), record: try columns.text(),
            assurance: try columns.optionalText().flatMap(Assurance.init(rawValue:)),
            receivedAt: try columns.timestamp())
    }
}
