import BenjiProtocol
import Foundation
import Store
import Testing

@testable import StorePostgres
@testable import StoreRows

@Suite("Marks of ledger and consents in PostgreSQL")
struct StoredMarkTests {
    private static func lines(_ range: ClosedRange<Int>, day: Int = 20_261_118) -> String {
        """
        INSERT INTO benji.ledger (app, trace, interface, result, at, day)
        SELECT '\(Scene.app.rawValue)', 'trace ' || n, 'test', 'released', 1, \(day)
        FROM generate_series(\(range.lowerBound), \(range.upperBound)) AS n;
        """
    }

    private static func consents(_ count: Int, token: String = "NULL::bytea") -> String {
        """
        INSERT INTO benji.consent
            (app, trace, subscription, epoch, sim_generation, content_digest, record, received_at, token)
        SELECT '\(Scene.app.rawValue)', 'trace ' || n, 1, 1, 1, 'digest', '{}', 5000, \(token)
        FROM generate_series(1, \(count)) AS n;
        """
    }

    private static func mark(_ store: PostgresStore) async throws {
        while try await store.markEvidence(at: nil).hasMore {}
    }

    /// As often as it takes until all that is committed is settled.
    private static func markAll(_ stores: [PostgresStore]) async throws {
        for _ in 0..<3 { for store in stores { try await mark(store) } }
    }

    /// A transaction that stays open.
    private static func open(_ database: TemporaryDatabase) throws -> Session {
        let session = try ReadySession.make(database.parameters, insistsOnDurability: false)
        session.begin()
        try session.run("SET LOCAL idle_in_transaction_session_timeout = 0")
        return session
    }

    private static func problems(_ store: PostgresStore) async throws -> [String] {
        try await store.settleEvidence(inHour: nil, at: Timestamp(milliseconds: 6000))
        return try await store.evidenceProblems()
    }

    @Test(
        "Rows that the tables' owner takes out are noticed, and a store without marks notices none",
        arguments: [
            """
            ALTER TABLE benji.ledger DISABLE TRIGGER USER; DELETE FROM benji.ledger WHERE trace IN ('trace 7', 'trace \
            9')
            """,
            "ALTER TABLE benji.ledger DISABLE TRIGGER USER; TRUNCATE benji.ledger",
            "SET search_path = benji; UPDATE ledger_begin SET day = 20270101; DELETE FROM ledger",
            "DELETE FROM benji.consent WHERE id = 1",
            """
            ALTER TABLE benji.ledger DISABLE TRIGGER USER; ALTER TABLE benji.evidence_mark DISABLE TRIGGER USER;
            DELETE FROM benji.ledger; DELETE FROM benji.evidence_mark WHERE kind = 'ledger'
            """,
        ])
    func taken(attack: String) async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        let stores = try await StoredRowTests.stores(database)
        // More than one bucket.
        try await database.sql(Self.lines(1...20_000) + Self.consents(3))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores { group.addTask { try await Self.mark(store) } }
            try await group.waitForAll()
        }
        try await Self.markAll(stores)
        let counted = "SELECT kind, entries FROM benji.evidence_mark WHERE bucket = -1 ORDER BY kind"
        #expect(try await database.sql(counted) == "consent|3\nledger|20000\n")
        #expect(try await stores[1].examineRows() == [])
        try await database.sql(attack)
        let naive = try Scene.open(database)
        #expect(try await naive.evidenceProblems() == [])
        #expect(try await Self.problems(stores[1]).count == 1)
        for store in stores + [naive] { await store.close() }
    }

    @Test(
        "A line that is committed after one with a greater number is counted, and so is a token that is redeemed late")
    func late() async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        let stores = try await StoredRowTests.stores(database)
        let scene = try await Scene(stores[0])
        try await scene.issue(1)
        let late = try Self.open(database)
        try late.run(
            """
            INSERT INTO ledger (app, trace, interface, result, at, day) VALUES ('a', 't', 'late', 'released', 1, \
            20261118)
            """)
        try await database.sql(Self.lines(1...2) + Self.consents(1, token: "(SELECT hash FROM benji.token)"))
        try await Self.markAll(stores)
        #expect(try await stores[0].markEvidence(at: nil).waiting == [.consent, .release])
        let stuck = try await stores[1].obstacles(stores[1].rowCodes, every: .milliseconds(10))
        #expect(stuck.count == 2 && stuck.allSatisfy { $0.contains("does not end") }, "\(stuck)")
        try late.commit()
        #expect(try await stores[1].evidenceProblems() == [], "what waits is counted next")
        try await Self.markAll(stores)
        let counted = "SELECT kind, entries, pending FROM benji.evidence_mark WHERE bucket = 0 ORDER BY kind"
        #expect(try await database.sql(counted) == "consent|0|1\nledger|3|0\n")
        #expect(try await Scene.redeem(1, on: stores[0], message: "m"))
        try await Self.markAll(stores)
        #expect(try await Self.problems(stores[1]) == [])
        #expect(try await database.sql(counted) == "consent|1|0\nledger|4|0\n")
        try await database.sql("DELETE FROM benji.consent")
        #expect(try await Self.problems(stores[1]).count == 1)
        for store in stores { await store.close() }
    }

    @Test("A session that holds the lock of the marks is reported; rows that nobody has counted yet are no fault")
    func locked() async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        let stores = try await StoredRowTests.stores(database)
        try await database.sql(Self.lines(1...2))
        #expect(try await stores[0].evidenceProblems() == [], "as after a stop")
        let holder = try Self.open(database)
        try holder.run("SELECT pg_advisory_xact_lock(1113943658, 8)")
        let found = try await stores[0].evidenceProblems()
        #expect(found.count == 1 && found[0].contains("the marks cannot be written"), "\(found)")
        holder.rollBack()
        try await Self.markAll(stores)
        #expect(try await stores[0].examineRows() == [])
        for store in stores { await store.close() }
    }

    @Test("A mark that somebody else wrote meanwhile is not overwritten")
    func refused() async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        let stores = try await StoredRowTests.stores(database)
        let scene = try await Scene(stores[0])
        try await scene.issue(1)
        try await database.sql(Self.consents(2, token: "(SELECT hash FROM benji.token)"))
        try await Self.markAll(stores)
        #expect(try await Scene.redeem(1, on: stores[0], message: "m"))
        let codes = stores[0].rowCodes
        let change = try #require(
            try await stores[0].read("count pending rows") { db in
                try EvidenceMark.settled(.consent, 0, since: 0, codes, db)
            })
        try await stores[1].settleEvidence(inHour: nil, at: nil)
        let isPut = try await stores[0].write("mark rows", locks: [.evidenceMarks]) { db in
            try EvidenceMark.put(change, codes, db)
        }
        #expect(!isPut)
        let counted = "SELECT entries, pending FROM benji.evidence_mark WHERE kind = 'consent' ORDER BY bucket"
        #expect(try await database.sql(counted) == "2|0\n2|0\n")
        for store in stores { await store.close() }
    }

    /// The sample of docs/operations/rows.md that begins with a line.
    private static func sample(_ first: String) throws -> String {
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let text = try String(contentsOf: root.appendingPathComponent("docs/operations/rows.md"), encoding: .utf8)
        let blocks = text.components(separatedBy: "\n```")
        let block = try #require(blocks.first { $0.hasPrefix("sql\n\(first)\n") })
        return String(block.dropFirst(4))
    }

    @Test("The statements of the guide take away rows, and put back marks, with numbers that were never given out")
    func remedy() async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        let stores = try await StoredRowTests.stores(database)
        let line = AuditEntry(at: Scene.now, actor: "ops", role: "operator", origin: "test", order: "first")
        try await stores[0].appendAudit(line)
        try await database.sql(Self.lines(1...4) + Self.consents(2))
        try await Self.markAll(stores)
        for _ in 0..<3 { _ = try await stores[0].sumLedger(limit: 2) }
        let forged = Int64(1) << 61
        try await database.sql(
            """
            INSERT INTO benji.ledger (id, app, trace, interface, result, at, day)
            VALUES (\(forged), '\(Scene.app.rawValue)', 'forged', 'test', 'released', 1, 20261118);
            INSERT INTO benji.consent
                (id, app, trace, subscription, epoch, sim_generation, content_digest, record, received_at)
            VALUES (\(forged), '\(Scene.app.rawValue)', 'forged', 1, 1, 1, 'digest', '{}', 5000);
            INSERT INTO benji.audit (id, at, actor, role, origin, order_name, outcome)
            VALUES (\(forged), 1, 'ops', 'operator', 'test', 'forged', 'success');
            UPDATE benji.ledger_mark SET line = \(forged);
            INSERT INTO benji.log_mark (kind, source) VALUES ('consent', \(forged)), ('release', \(forged))
            ON CONFLICT (kind) DO UPDATE SET source = excluded.source
            """)
        #expect(try await Self.problems(stores[0]).count == 4)
        #expect(try await stores[0].auditLogProblem() != nil)
        try await database.sql(Self.sample("-- Rows with numbers that were never given out."))
        try await database.sql(Self.sample("-- Marks of the sums and of the public log at such numbers."))
        #expect(try await Self.problems(stores[0]) == [])
        #expect(try await stores[0].auditLogProblem() == nil)
        for _ in 0..<4 { _ = try await stores[0].sumLedger(limit: 2) }
        #expect(try await database.sql("SELECT sum(answers) FROM benji.ledger_sum") == "4\n")
        #expect(try await database.sql("SELECT line FROM benji.ledger_mark") == "4\n")
        await #expect(throws: (any Error).self) { try await database.sql("DELETE FROM benji.ledger WHERE id = 1") }
        for store in stores { await store.close() }
    }

    @Test(
        "A row whose number was never given out stops neither marks nor sums, log or syslog, and is reported",
        arguments: [Int64.max, 1 << 62])
    func neverGivenOut(id: Int64) async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        let stores = try await StoredRowTests.stores(database)
        let line = AuditEntry(at: Scene.now, actor: "ops", role: "operator", origin: "test", order: "first")
        try await stores[0].appendAudit(line)
        try await database.sql(Self.lines(1...2) + Self.consents(2))
        try await Self.markAll(stores)
        // A serving role may do this.
        try await database.sql(
            """
            INSERT INTO benji.ledger (id, app, trace, interface, result, at, day)
            VALUES (\(id), '\(Scene.app.rawValue)', 'forged', 'test', 'released', 1, 20261118);
            INSERT INTO benji.consent
                (id, app, trace, subscription, epoch, sim_generation, content_digest, record, received_at)
            VALUES (\(id), '\(Scene.app.rawValue)', 'forged', 1, 1, 1, 'digest', '{}', 5000);
            INSERT INTO benji.audit (id, at, actor, role, origin, order_name, outcome)
            VALUES (\(id), 1, 'ops', 'operator', 'test', 'forged', 'success')
            """)
        try await database.sql(Self.lines(3...4) + Self.consents(1))
        try await stores[0].appendAudit(line)
        try await Self.markAll(stores)
        let counted = "SELECT kind, entries FROM benji.evidence_mark WHERE bucket = -1 ORDER BY kind"
        #expect(try await database.sql(counted) == "consent|3\nledger|4\n")
        for _ in 0..<3 { _ = try await stores[0].sumLedger(limit: 100) }
        #expect(try await database.sql("SELECT line FROM benji.ledger_mark") == "4\n")
        for _ in 0..<3 { _ = try await stores[0].settledLogRows(for: .log) }
        #expect(try await stores[0].settledLogRows(for: .log) == [.consent: 3, .release: 4])
        let day: Int32 = 20_261_118
        let counts = try await stores[0].ledgerCounts(app: Scene.app, days: day...day)
        #expect(counts.lines.map(\.answers) == [4], "it is in no statement")
        #expect(try await stores[0].billed(app: Scene.app, inMonthOf: day) == 4)
        let sent = try await stores[0].auditLines(after: 0, limit: 9)
        #expect(sent.map(\.order) == ["first", "first"])
        #expect(try await stores[0].lastAuditLine() == sent.last?.id)
        let found = try await Self.problems(stores[1])
        #expect(found.count == 2 && found.allSatisfy { $0.contains("was never given out") }, "\(found)")
        #expect(try await stores[1].auditLogProblem()?.contains("was never given out") == true)
        // A mark that is begun again, and the next line, ignore that row, too.
        let row = try #require(try await stores[0].rowToSeal(.auditMark, id: ""))
        #expect(try await stores[0].seal(row, audit: line))
        try await stores[0].appendAudit(line)
        try await database.sql(
            "ALTER TABLE benji.ledger DISABLE TRIGGER USER; DELETE FROM benji.ledger WHERE id = 3")
        #expect(try await Self.problems(stores[1]).count == 3)
        for store in stores { await store.close() }
    }

    @Test("An old consent counts although its token looks unredeemed, and is not deleted with that any more")
    func old() async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        let stores = try await StoredRowTests.stores(database)
        let scene = try await Scene(stores[0])
        try await scene.issue(1)
        let consent = """
            INSERT INTO benji.consent
                (app, trace, subscription, epoch, sim_generation, content_digest, record, received_at, token)
            SELECT app, trace, 1, 1, 1, 'digest', '{}', n, hash FROM benji.token,
                (VALUES (5000), ((extract(epoch FROM clock_timestamp()) * 1000)::bigint)) AS moments (n)
            """
        try await database.sql(consent)
        try await Self.markAll(stores)
        let counted = "SELECT entries, pending FROM benji.evidence_mark WHERE kind = 'consent' AND bucket = 0"
        #expect(try await database.sql(counted) == "0|2\n")
        // A clock that is ahead of the database's makes the young one no older.
        try await stores[0].settleEvidence(inHour: nil, at: Timestamp(milliseconds: .max))
        #expect(try await database.sql(counted) == "1|1\n")
        let day: Int64 = 86400
        _ = try await stores[0].deleteExpiredCredentials(before: Scene.now + .seconds(33 * day), limit: 9)
        #expect(try await database.sql("SELECT count(*) FROM benji.token") == "0\n")
        #expect(try await stores[1].evidenceProblems() == [])
        for store in stores { await store.close() }
    }

    @Test("What retention deletes while two stores count is no fault")
    func retention() async throws {
        let database = try await TemporaryDatabase(isUsedAgain: false)
        let stores = try await StoredRowTests.stores(database)
        try await database.sql(
            Self.lines(1...17_000, day: 20_260_930) + Self.lines(17_001...20_000) + Self.consents(40))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores { group.addTask { try await Self.mark(store) } }
            group.addTask { while try await stores[0].shortenLedger(to: 20_261_001, limit: 2000) >= 2000 {} }
            group.addTask {
                _ = try await stores[1].deleteConsents(before: Timestamp(milliseconds: 9000), limit: 30)
            }
            try await group.waitForAll()
        }
        try await Self.markAll(stores)
        #expect(try await stores[0].examineRows() == [])
        let counted = "SELECT kind, entries FROM benji.evidence_mark WHERE bucket = -1 ORDER BY kind"
        #expect(try await database.sql(counted) == "consent|10\nledger|3000\n")
        for store in stores { await store.close() }
    }
}
