package import BenjiProtocol
package import Sightings
package import Store
import StoreRows

extension PostgresStore {
    package func insertScrip(
        _ scrip: ScripRecord, appRevision: Int64?, fence: PairFence?
    ) async throws(StoreError) {
        guard try await newScrips(NewScrip(scrip: scrip, appRevision: appRevision, fence: fence)) else {
            throw StoreError(.outdated, "insert scrip: the app was changed")
        }
    }

    package func scrip(_ hash: CredentialHash) async throws(StoreError) -> ScripLookup { try await lookUps(hash) }

    package func revokeScrips(family: Int64) async throws(StoreError) {
        try await write("revoke scrips", locks: [.credentials(family)]) { db in
            try db.run("UPDATE scrip SET revoked = true WHERE family = $1 AND NOT revoked", family)
        }
    }

    package func revokeCredentials(bindings: [BindingID], at: Timestamp) async throws(StoreError) {
        if bindings.isEmpty, pool.isOpen { return }
        try await write("revoke credentials", locks: bindings.map { .credentials($0) }) { db in
            let values = Values(Set(bindings.map(\.rawValue)).sorted())
            try db.commit(
                after: [RevokedBindings.remembering(values, at: at)]
                    + ["scrip", "token", "openid_credential"].map { table in
                        let unspent = table == "scrip" ? "" : "AND spent_at IS NULL"
                        return Statement(
                            """
                            UPDATE \(table) SET revoked = true WHERE hash = ANY (ARRAY
                                (SELECT hash FROM \(table) WHERE binding = ANY($1) AND NOT revoked \(unspent)
                                 ORDER BY hash FOR UPDATE)) AND NOT revoked \(unspent)
                            """, values)
                    })
        }
    }

    package func deleteExpiredCredentials(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await write("delete expired credentials") { db in
            var gone = 0
            func deleting(_ table: String) -> String {
                """
                DELETE FROM \(table) WHERE hash = ANY (ARRAY
                    (SELECT hash FROM \(table) WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))
                """
            }
            for table in ["scrip", "face_credential"] {
                gone += try db.run(deleting(table), moment.milliseconds, max(limit, 0))
            }
            var unspent: [(hash: CredentialHash, trace: TraceID)] = []
            for table in ["token", "openid_credential"] {
                let expired = try db.rows(
                    "\(deleting(table)) RETURNING hash, trace, spent_at IS NOT NULL", of: table, moment.milliseconds,
                    max(limit, 0)
                ) { columns in
                    (
                        hash: try columns.hash(), trace: try columns.raw(TraceID.self), isSpent: try columns.bool()
                    )
                }
                gone += expired.count
                unspent += expired.filter { !$0.isSpent }.map { (hash: $0.hash, trace: $0.trace) }
            }
            try ConsentRows.deletePending(of: unspent, at: moment, db)
            return try gone + RevokedBindings.forget(before: moment, limit: limit, db)
        }
    }

    package func deleteExpiredPages(_ expiry: Range<Timestamp>, limit: Int) async throws(StoreError) -> Int {
        try await write("delete expired pages") { db in
            let gone = try db.rows(
                """
                DELETE FROM openid_credential WHERE hash = ANY (ARRAY
                    (SELECT hash FROM openid_credential WHERE expires_at >= $1 AND expires_at < $2
                        AND (kind = 'page' OR kind = 'code' AND spent_at IS NULL) LIMIT $3 FOR UPDATE SKIP LOCKED))
                RETURNING hash, trace
                """, of: "openid_credential", expiry.lowerBound.milliseconds, expiry.upperBound.milliseconds,
                max(limit, 0)
            ) { columns in (hash: try columns.hash(), trace: try columns.raw(TraceID.self)) }
            try ConsentRows.deletePending(of: gone, at: expiry.upperBound, db)
            return gone.count
        }
    }

    package func deleteExpiredScrips(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await write("delete expired scrips") { db in
            try db.run(
                """
                DELETE FROM scrip WHERE hash = ANY (ARRAY
                    (SELECT hash FROM scrip WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))
                """,
                moment.milliseconds, max(limit, 0))
        }
    }
}

extension RevokedBindings {
    static func remembering(_ bindings: Values<Int64>, at moment: Timestamp) -> Statement {
        Statement(
            """
            INSERT INTO revoked_binding (binding, at) SELECT binding, $2 FROM unnest($1) AS n (binding) ORDER BY binding
            ON CONFLICT (binding) DO UPDATE SET at = greatest(revoked_binding.at, excluded.at)
            """, bindings, moment.milliseconds)
    }

    static func forget(before moment: Timestamp, limit: Int, _ db: Session) throws -> Int {
        try db.run(
            """
            DELETE FROM revoked_binding WHERE binding = ANY (ARRAY
                (SELECT binding FROM revoked_binding WHERE at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))
            """, moment.milliseconds, max(limit, 0))
    }
}

enum ScripRows {
    private static let columns = """
        hash, family, generation, app, subscription, epoch, sim_generation, carrier, binding, device_key, nonce_hash, \
        trace, dialect, reusable, brief, expires_at
        """

    static func locks(_ scrips: [NewScrip]) -> [StoreLock] {
        scrips.map { StoreLock.credentials($0.scrip.binding).shared }
            + scrips.compactMap { $0.fence.map { StoreLock.pair($0.pair).shared } }
    }

    /// Whether each was judged by its app's record as it is; those that were, are stored.
    static func insert(_ scrips: [NewScrip], _ db: Session) throws -> [Result<Bool, StoreError>] {
        var stored: Set<CredentialHash> = []
        var revisions: [AppID: Int64] = [:]
        var pairs: [String: PairStanding] = [:]
        let fences = scrips.compactMap(\.fence)
        if !fences.isEmpty {
            try db.run([PairRows.standings(of: fences)]) { _, answer in pairs = try PairRows.standings(answer) }
        }
        func isReplaced(_ new: NewScrip) -> Bool { new.fence.map { pairs[$0.pair]?.isUnder($0) != true } ?? false }
        let kept = fences.isEmpty ? scrips : scrips.filter { !isReplaced($0) }
        try db.commit(after: [inserting(kept, ifNew: true), AppRows.revisions(of: scrips.map(\.scrip.appID))]) {
            place, answer in
            switch place {
            case 0: stored = Set(try answer.rows(of: "scrip") { try $0.hash() })
            default: revisions = try AppRows.revisions(answer)
            }
        }
        return scrips.map { new in
            if isReplaced(new) {
                return .failure(StoreError(.gatewayReplaced, "insert scrip: another gateway owns the pair"))
            }
            if let revision = new.appRevision, revisions[new.scrip.appID] != revision { return .success(false) }
            // If two scrips have the same hash, only the first was stored.
            if stored.remove(new.scrip.hash) != nil { return .success(true) }
            return .failure(StoreError(.alreadyExists, "insert scrip: exists already"))
        }
    }

    /// - Parameter ifNew: Skips rows that exist already; otherwise these fail.
    static func inserting(_ new: [NewScrip], ifNew: Bool = false) -> Statement {
        let scrips = new.map(\.scrip)
        return Statement(
            """
            INSERT INTO scrip (\(columns), revoked)
                SELECT \(columns), \(RevokedBindings.contain("n.binding"))
                FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
                    WITH ORDINALITY AS n (\(columns), judged_by, place)
                WHERE judged_by IS NULL OR EXISTS (SELECT 1 FROM app WHERE app.id = n.app AND app.revision = judged_by)
                ORDER BY hash, place
            \(ifNew ? "ON CONFLICT (hash) DO NOTHING RETURNING hash" : "")
            """, Values(scrips.map(\.hash.bytes)), Values(scrips.map(\.family)), Values(scrips.map(\.generation)),
            Values(scrips.map(\.appID.rawValue)), Values(scrips.map(\.subscription.subscription)),
            Values(scrips.map(\.subscription.epoch)), Values(scrips.map(\.subscription.simGeneration)),
            Values(scrips.map(\.carrier.rawValue)), Values(scrips.map(\.binding.rawValue)),
            Values(scrips.map(\.deviceKey)), Values(scrips.map(\.nonceHash.bytes)),
            Values(scrips.map(\.trace.rawValue)),
            Values(scrips.map(\.dialect.rawValue)), Values(scrips.map(\.reusable)), Values(scrips.map(\.isBrief)),
            Values(scrips.map(\.expiresAt.milliseconds)), Values(new.map(\.appRevision)))
    }

    static func find(_ hashes: [CredentialHash], _ db: Session) throws -> [Result<ScripLookup, StoreError>] {
        let found = try db.rows(
            "SELECT \(columns), used, revoked FROM scrip WHERE hash = ANY($1)", of: "scrip",
            Values(Set(hashes.map(\.bytes))), read: decode)
        let byHash = Dictionary(found) { first, _ in first }
        return hashes.map { .success(byHash[$0] ?? .unknown) }
    }

    private static func decode(_ columns: inout ColumnReader) throws -> (CredentialHash, ScripLookup) {
        let record = ScripRecord(
            hash: try columns.hash(), family: try columns.integer(), generation: try columns.integer(),
            appID: try columns.raw(), subscription: try columns.reference(), carrier: try columns.raw(),
            binding: try columns.binding(), deviceKey: try columns.text(), nonceHash: try columns.hash(),
            trace: try columns.raw(), dialect: try columns.raw(), reusable: try columns.bool(),
            isBrief: try columns.bool(), expiresAt: try columns.timestamp())
        let used = try columns.bool()
        let revoked = try columns.bool()
        return (record.hash, revoked ? .revoked(record) : used ? .superseded(record) : .current(record))
    }
}

/// A scrip to be stored.
struct NewScrip: Sendable {
    var scrip: ScripRecord
    /// The revision of the app's record that the request was judged by, or `nil` for whichever there is.
    var appRevision: Int64?
    /// Under which ownership the phone was seen; `nil` if its gateway is of no pair.
    var fence: PairFence?
}
