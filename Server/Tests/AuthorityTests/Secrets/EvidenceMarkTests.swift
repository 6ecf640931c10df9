import BenjiProtocol
import Foundation
import GRDB
import Store
import StoreSQLite
import Testing

@testable import Authority

/// The owner of a file can drop a trigger that is in the way.
private let unguarded = "DROP TRIGGER IF EXISTS ledger_is_never_shortened; "

@Suite("Ledger and consents, and a party that takes rows out of the database")
struct EvidenceMarkTests {
    private static let app = "300000000001"
    private static let trace = String(repeating: "0", count: 32)

    /// Lines of the ledger, as redemptions write them.
    private func bill(_ count: Int, day: Int = 20_261_118, _ place: RowPlace) throws {
        for _ in 0..<count {
            try place.attack(
                """
                INSERT INTO ledger (app, trace, interface, result, at, day)
                VALUES ('\(Self.app)', 'trace', 'loginTokenValidate', 'released', 1, ?)
                """, [day])
        }
    }

    /// A consent, and the token that it bought.
    private func consent(_ name: String, receivedAt: Int64 = 5000, _ place: RowPlace) throws {
        let hash = Data(RowPlace.hash(name).bytes)
        try place.attack(
            """
            INSERT INTO token (hash, app, purpose, subscription, epoch, sim_generation, carrier, binding, device_key,
                assurance, trace, dialect, issued_at, expires_at)
            VALUES (?, '\(Self.app)', 'login', 1, 1, 1, 'mobile', 1, 'key', 'net', '\(Self.trace)', 'native', 1, 2)
            """, [hash])
        try place.attack(
            """
            INSERT INTO consent (app, trace, subscription, epoch, sim_generation, content_digest, record, received_at, \
            token)
            VALUES ('\(Self.app)', '\(Self.trace)', 1, 1, 1, 'digest', '{}', ?, ?)
            """, [receivedAt, hash])
    }

    private func redeem(_ name: String, _ place: RowPlace) throws {
        try place.attack("UPDATE token SET spent_at = 1 WHERE hash = ?", [Data(RowPlace.hash(name).bytes)])
    }

    /// Deletes an unredeemed token with its consent, as Benji does.
    private func drop(_ name: String, _ place: RowPlace) throws {
        let hash = Data(RowPlace.hash(name).bytes)
        try place.attack("DELETE FROM token WHERE hash = ?", [hash])
        try place.attack("DELETE FROM consent WHERE token = ?", [hash])
    }

    private func mark(_ store: SQLiteStore, at now: Int64 = 6000) async throws {
        while try await store.markEvidence(at: Timestamp(milliseconds: now)).hasMore {}
    }

    /// As an hour's examination does.
    private func problems(_ store: SQLiteStore) async throws -> [String] {
        try await store.settleEvidence(inHour: nil, at: Timestamp(milliseconds: 6000))
        return try await store.evidenceProblems()
    }

    @Test(
        "What Benji deletes itself is no fault: months that end, old consents, consents that bought nothing, and names"
    )
    func honest() async throws {
        try await RowPlace.use { place in
            _ = try await place.tie()
            try bill(3, day: 20_260_930, place)
            try bill(4, place)
            for name in ["first", "second", "third", "fourth"] {
                try consent(name, receivedAt: name == "first" ? 1000 : 5000, place)
            }
            for name in ["first", "second"] { try redeem(name, place) }
            try await mark(place.store)
            #expect(try await problems(place.store) == [])
            // The third token stays unredeemed; the fourth is redeemed.
            try drop("third", place)
            try redeem("fourth", place)
            #expect(try await problems(place.store) == [])
            #expect(try await place.store.shortenLedger(to: 20_261_001, limit: 2) == 2)
            #expect(try await problems(place.store) == [])
            #expect(try await place.store.shortenLedger(to: 20_261_001, limit: 2) == 1)
            #expect(try await place.store.deleteConsents(before: Timestamp(milliseconds: 2000), limit: 9) == 1)
            try place.attack(
                "UPDATE consent SET subscription = 0, epoch = 0, sim_generation = 0, token = NULL WHERE subscription = "
                    + "1"
            )
            #expect(try await problems(place.store) == [])
            // Three lines and a consent more, of which the last goes by the end of a month too.
            try bill(3, place)
            try consent("fifth", place)
            try await mark(place.store)
            #expect(try await place.store.shortenLedger(to: 20_261_201, limit: 99) == 7)
            #expect(try await place.store.examineRows() == [])
            let found = try await place.restarted { store in
                _ = try await place.tie(store)
                return try await store.examineRows()
            }
            #expect(found == [])
        }
    }

    @Test(
        """
        Rows that the file's owner takes out are noticed, also after later ones, and a store without marks notices none
        """,
        arguments: [
            unguarded + "DELETE FROM ledger", unguarded + "DELETE FROM ledger WHERE id = 2",
            unguarded + "DELETE FROM ledger WHERE id = (SELECT max(id) FROM ledger)",
            "UPDATE ledger_begin SET day = 20270101; DELETE FROM ledger",
            "DELETE FROM consent", "DELETE FROM consent WHERE id = 1",
            unguarded + "DELETE FROM ledger; UPDATE evidence_mark SET entries = 0, changes = changes + 1",
            unguarded + "DROP TRIGGER evidence_mark_stays; DELETE FROM ledger; DELETE FROM evidence_mark",
            unguarded + """
                DROP TRIGGER evidence_mark_stays; DELETE FROM ledger WHERE id <= 16384;
                DELETE FROM evidence_mark WHERE kind = 'ledger' AND bucket = 0
                """,
        ])
    func attacked(attack: String) async throws {
        try await RowPlace.use { place in
            _ = try await place.tie()
            try bill(3, place)
            // In another bucket.
            try place.attack(
                """
                INSERT INTO ledger (id, app, trace, interface, result, at, day)
                VALUES (20000, '\(Self.app)', 'trace', 'loginTokenValidate', 'released', 1, 20261118)
                """)
            for name in ["first", "second"] {
                try consent(name, place)
                try redeem(name, place)
            }
            try await mark(place.store)
            #expect(try await problems(place.store) == [])
            try place.attack(attack)
            #expect(try await problems(place.naive) == [])
            let expected = attack.contains("UPDATE evidence_mark") ? 2 : 1
            let found = try await problems(place.store)
            #expect(found.count == expected, "\(found)")
            #expect(found.allSatisfy { $0.contains("benji rows show evidence_mark") })
            let hasNone = attack.hasSuffix("DELETE FROM evidence_mark")
            #expect(found.contains { $0.contains("comes from a build between") } == hasNone)
            try bill(2, place)
            try consent("third", place)
            try await mark(place.store)
            let examined = try await place.restarted { store in
                _ = try await place.tie(store)
                return try await store.examineRows()
            }
            #expect(examined.count == expected, "\(examined)")
        }
    }

    @Test(
        """
        A missing row is noticed once it was counted, and a consent once its token was redeemed and it was looked at \
        again
        """
    )
    func window() async throws {
        try await RowPlace.use { place in
            _ = try await place.tie()
            try await mark(place.store)
            try bill(2, place)
            try place.attack(unguarded + "DELETE FROM ledger WHERE id = 2")
            try await mark(place.store)
            #expect(try await problems(place.store) == [], "it was not counted")
            for name in ["first", "second"] { try consent(name, place) }
            try await mark(place.store)
            try redeem("first", place)
            #expect(try await problems(place.store) == [])
            // The second consent is pending, and does not replace the missing one.
            try place.attack("DELETE FROM consent WHERE id = 1")
            let found = try await problems(place.store)
            #expect(found.count == 1 && found[0].contains("the consents: 1 row that was there is missing"), "\(found)")
        }
    }

    @Test("Rows that retention deletes while others count them are in no mark")
    func concurrent() async throws {
        try await RowPlace.use { place in
            _ = try await place.tie()
            try bill(40, day: 20_260_930, place)
            try bill(40, place)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await mark(place.store) }
                group.addTask { while try await place.store.shortenLedger(to: 20_261_001, limit: 3) >= 3 {} }
                group.addTask {
                    try await place.restarted { store in
                        _ = try await place.tie(store)
                        try await mark(store)
                    }
                }
                try await group.waitForAll()
            }
            try await mark(place.store)
            #expect(try await problems(place.store) == [])
            try place.attack(unguarded + "DELETE FROM ledger WHERE id = 60")
            #expect(try await problems(place.store).count == 1)
        }
    }

    @Test(
        "Marks are begun anew by an order alone, and rows that are taken out from then on are noticed",
        arguments: [
            "DELETE FROM ledger WHERE id = 1", "DROP TRIGGER evidence_mark_stays; DELETE FROM evidence_mark",
            "UPDATE evidence_mark SET entries = 9, changes = \(Int64.max)",
        ])
    func begunAnew(attack: String) async throws {
        try await RowPlace.use { place in
            _ = try await place.tie()
            try bill(3, place)
            try await mark(place.store)
            #expect(try await place.store.rowToSeal(.evidenceMark, id: "")?.isValid == true)
            try place.attack(unguarded + attack)
            try await mark(place.store)
            let row = try #require(try await place.store.rowToSeal(.evidenceMark, id: ""))
            #expect(!row.isValid)
            #expect(try await place.store.seal(row, audit: RowPlace.line("rows.seal")))
            try await mark(place.store)
            #expect(try await place.store.examineRows() == [])
            #expect(try await place.store.rowToSeal(.evidenceMark, id: "")?.isValid == true)
            try place.attack("DELETE FROM ledger WHERE id = 2")
            #expect(try await problems(place.store).count == 1)
        }
    }

    /// A line of the ledger and a consent with a number that somebody chose.
    private static func rows(_ id: Int64) -> String {
        """
        INSERT INTO ledger (id, app, trace, interface, result, at, day)
        VALUES (\(id), '\(app)', 'trace', 'loginTokenValidate', 'released', 1, 20261118);
        INSERT INTO consent (id, app, trace, subscription, epoch, sim_generation, content_digest, record, received_at)
        VALUES (\(id), '\(app)', 'trace', 1, 1, 1, 'digest', '{}', 5000);
        """
    }

    @Test("A row of whatever number ends no counting", arguments: [Int64.max, 1 << 62, 0, -1, .min])
    func anyNumber(id: Int64) async throws {
        try await RowPlace.use { place in
            _ = try await place.tie()
            try bill(2, place)
            try consent("first", place)
            try redeem("first", place)
            try place.attack(Self.rows(id))
            try await mark(place.store)
            #expect(try await problems(place.store) == [])
            // After the greatest number the database gives none.
            if id < .max { try bill(2, place) }
            try await mark(place.store)
            #expect(try await problems(place.store) == [])
            #expect(try await place.store.deleteConsents(before: Timestamp(milliseconds: 9000), limit: 9) == 2)
            #expect(try await problems(place.store) == [])
            try place.attack(unguarded + "DELETE FROM ledger WHERE id = 2")
            if id < .max { try place.attack("DELETE FROM ledger WHERE id = (SELECT max(id) FROM ledger)") }
            let found = try await problems(place.store)
            #expect(found.count == 1 && found[0].contains("\(id < .max ? 2 : 1) row"), "\(found)")
        }
    }

    @Test("A row whose number was never given out is reported, counted nowhere, and not sent on")
    func neverGivenOut() async throws {
        try await RowPlace.use { place in
            _ = try await place.tie()
            try bill(2, place)
            try await place.store.appendAudit(RowPlace.line("first"))
            try place.attack(
                Self.rows(1 << 62) + """
                    INSERT INTO audit (id, at, actor, role, origin, order_name, outcome)
                    SELECT \(Int64(1) << 62), at, actor, role, origin, 'forged', outcome FROM audit LIMIT 1;
                    UPDATE sqlite_sequence SET seq = 2 WHERE name IN ('ledger', 'consent', 'audit')
                    """)
            try await mark(place.store)
            let found = try await problems(place.store)
            #expect(found.count == 2 && found.allSatisfy { $0.contains("was never given out") }, "\(found)")
            #expect(try await place.store.auditLogProblem()?.contains("was never given out") == true)
            #expect(try await place.store.auditLines(after: 0, limit: 9).allSatisfy { $0.order != "forged" })
            #expect(try await place.store.lastAuditLine() <= 2)
            let app = try #require(AppID(rawValue: Self.app))
            let counts = try await place.store.ledgerCounts(app: app, days: 20_261_118...20_261_118)
            #expect(counts.lines.map(\.answers) == [2], "it is in no statement")
            try place.attack("INSERT INTO log_mark (kind, source) VALUES ('release', 9)")
            #expect(try await !place.store.logState().hasMore, "the public log does not wait for these rows")
            #expect(try await problems(place.store).contains { $0.contains("a mark is at number 9") })
        }
    }

    @Test("An old consent counts although its token looks unredeemed, and is not deleted with that any more")
    func old() async throws {
        try await RowPlace.use { place in
            _ = try await place.tie()
            let day: Int64 = 86_400_000
            for name in ["first", "second"] { try consent(name, receivedAt: 5000, place) }
            try consent("young", receivedAt: 30 * day, place)
            try await mark(place.store)
            try consent("newest", receivedAt: 34 * day, place)
            try await place.store.settleEvidence(inHour: nil, at: Timestamp(milliseconds: 60 * day))
            // The tokens' end is long ago.
            _ = try await place.store.deleteExpiredCredentials(before: Timestamp(milliseconds: 33 * day), limit: 9)
            #expect(try await problems(place.store) == [], "the young ones went, and the old ones stay")
            try place.attack("DELETE FROM consent WHERE id = 2")
            let found = try await problems(place.store)
            #expect(found.count == 1 && found[0].contains("the consents: 1 row"), "\(found)")
        }
    }

    @Test("A consent that is old when it is counted first counts at once, although its token looks unredeemed")
    func oldAtFirst() async throws {
        try await RowPlace.use { place in
            _ = try await place.tie()
            let day: Int64 = 86_400_000
            try consent("old", receivedAt: 5000, place)
            try consent("young", receivedAt: 40 * day, place)
            try await mark(place.store, at: 40 * day)
            _ = try await place.store.deleteExpiredCredentials(before: Timestamp(milliseconds: 40 * day), limit: 9)
            #expect(try await place.store.evidenceProblems() == [])
            try place.attack("DELETE FROM consent WHERE id = 1")
            #expect(try await place.store.evidenceProblems().count == 1)
        }
    }

    @Test(
        "A clock that is ahead of the newest consent, or is not trusted, makes no consent old",
        arguments: [true, false])
    func ahead(isTrusted: Bool) async throws {
        try await RowPlace.use { place in
            _ = try await place.tie()
            for name in ["first", "second"] { try consent(name, place) }
            try await mark(place.store, at: 60 * 86_400_000)
            let later = Timestamp(milliseconds: 60 * 86_400_000)
            try await place.store.settleEvidence(inHour: nil, at: isTrusted ? later : nil)
            try drop("first", place)
            #expect(try await problems(place.store) == [])
        }
    }

    @Test("Each hour has the newest rows and one in 24 of the others compared, and without an hour all are")
    func turns() async throws {
        try await RowPlace.use { place in
            _ = try await place.tie()
            try bill(3, place)
            try place.attack(Self.rows(30 * 16384))
            try await mark(place.store)
            try place.attack(unguarded + "DELETE FROM ledger WHERE id = 2")
            for hour in 1...23 { #expect(try await place.store.evidenceProblems(inHour: hour) == [], "hour \(hour)") }
            #expect(try await place.store.evidenceProblems(inHour: 24).count == 1)
            #expect(try await place.store.evidenceProblems().count == 1)
            try place.attack("DELETE FROM consent")
            #expect(try await place.store.evidenceProblems(inHour: 1).count == 1, "one of the newest")
        }
    }
}
