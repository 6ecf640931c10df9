import BenjiProtocol
import Foundation
import GRDB
import Logging
import Sightings
import Store
import Testing

@testable import StoreConformance
@testable import StoreSQLite

@Suite("Files of every released version are read")
struct SchemaTests {
    /// A database as the fixture describes it.
    private func restore(_ fixture: String, to path: String) throws {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/\(fixture)", withExtension: "sql"))
        let sql = try String(contentsOf: url, encoding: .utf8)
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test("a store that version 1 wrote is brought forward with all it held")
    func version1() async throws {
        let place = try TemporaryPlace()
        try restore("schema-v1", to: place.path)
        let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        let scenario = Scenario(store: store) { store }
        let at = Timestamp(milliseconds: 1_795_000_000_000)
        func hash(_ byte: UInt8) -> CredentialHash { CredentialHash(bytes: Array(repeating: byte, count: 32)) }

        let app = try #require(try await store.app(withSourceID: "source-1"))
        #expect(app.name == "示例应用")
        #expect(app.capabilities == [.login, .verification])
        #expect(app.tokenLifetime == 60)
        #expect(
            app.keys == [
                AppKeyRecord(use: .package, version: 2, sealed: Sealed(bytes: [1, 2, 3]), createdAt: nil)
            ])
        #expect(!app.openIDFromAnywhere, "it named server addresses")
        #expect(app.revision == 1)
        #expect(!app.phonesWithoutKey && !app.unsignedRequests)
        let subscription = try #require(
            try await store.subscription(numberIndex: NumberIndex(BlindIndex(bytes: Array(repeating: 7, count: 32)))))
        #expect(subscription.reference == SubscriptionReference(subscription: 1, epoch: 2, simGeneration: 3))
        #expect(subscription.sealedSIM == Sealed(bytes: Array(repeating: 8, count: 32)))
        #expect(try await store.scrip(hash(0x10)).word == "superseded")
        #expect(try await store.scrip(hash(0x12)).word == "current")
        let late = scenario.scrip("late", of: subscription, binding: 7)
        try await store.insertScrip(late)
        #expect(try await store.scrip(late.hash) == .revoked(late))
        let spent = try #require(try await store.token(hash(0x30)))
        let unspent = try #require(try await store.token(hash(0x31)))
        #expect(try await scenario.redeem(spent, message: "message-2", now: at).word == "alreadySpent")
        #expect(try await scenario.redeem(unspent, message: "message-3", now: at).word == "spent")
        #expect(try await store.ledgerEntries(app: app.id, limit: 9).map(\.result) == ["released", "released"])
        #expect(try await store.billed(app: app.id, day: 20_261_118) == 2)
        #expect(try await scenario.redeem(unspent, message: "message-3", now: at).word == "messageReplayed")
        #expect(try await store.traceEvents(spent.trace).map(\.step) == ["authorize"])
        await store.close()
    }

    /// A database of version 6 with a hundred lines of two apps and four days.
    private func writeLines(to path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try Schema.migrator.migrate(queue, upTo: "v6")
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
                    INSERT INTO ledger (app, trace, interface, result, at, day)
                    SELECT '30000000000' || (i % 2), i, 'test', 'released', i, 20261118 + i % 4 FROM n;
                    INSERT INTO billing_day (app, day, answered) SELECT app, day, count(*) FROM ledger GROUP BY app, day
                    """)
        }
        try queue.close()
    }

    @Test(
        "lines that an earlier version wrote are counted before and after they are in sums, which nobody lessens or removes"
    )
    func ledgerSums() async throws {
        let place = try TemporaryPlace()
        try writeLines(to: place.path)
        let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        let app = try #require(AppID(rawValue: "300000000001"))
        let days: ClosedRange<Int32> = 20_261_118...20_261_130
        let before = try await store.ledgerCounts(app: app, days: days)
        #expect(before.lines.map(\.answers) == [25, 25] && before.billed == [20_261_119: 25, 20_261_121: 25])
        #expect(try await store.sumLedger(limit: 30) == 30)
        #expect(try await store.ledgerCounts(app: app, days: days) == before)
        #expect(try await store.sumLedger(limit: 90) == 70)
        #expect(try await store.ledgerCounts(app: app, days: days) == before)
        for statement in [
            "UPDATE ledger_sum SET answers = answers - 1", "UPDATE ledger_sum SET app = 'other'",
            "DELETE FROM ledger_sum", "UPDATE ledger_mark SET line = line - 1", "DELETE FROM ledger_mark",
        ] {
            await #expect(throws: StoreError.self, "\(statement)") {
                try await store.write("test") { db in try db.run(statement) }
            }
        }
        #expect(try await store.ledgerCounts(app: app, days: days) == before)
        await store.close()
    }

    @Test("what was issued before credentials had an order is found by its text still, and spent once")
    func former() async throws {
        let place = try TemporaryPlace()
        try restore("schema-v1", to: place.path)
        let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        let scenario = Scenario(store: store) { store }
        let at = Timestamp(milliseconds: 1_795_000_000_000)
        // As the text is hashed now: seven of its characters come first.
        func hash(_ byte: UInt8) -> CredentialHash {
            CredentialHash(bytes: Array("0aZ4sid".utf8) + Array(repeating: byte, count: 32))
        }
        guard case .current(let scrip) = try await store.scrip(hash(0x12)) else {
            Issue.record("the scrip is gone")
            return
        }
        #expect(scrip.hash == hash(0x12).former)
        var token = try #require(try await store.token(hash(0x31)))
        token.hash = hash(0x31)
        #expect(try await scenario.redeem(token, message: "m", now: at).word == "spent")
        #expect(try await scenario.redeem(token, message: "n", now: at).word == "alreadySpent")
        token.hash = hash(0x77)
        #expect(try await scenario.redeem(token, message: "m", now: at).word == "unknown")
        await store.close()
    }

    @Test("a token's row keeps its size when it is spent, and the pages of tokens their number")
    func size() async throws {
        try await withStore { store, scenario in
            let subscription = try await scenario.subscription()
            var tokens: [TokenRecord] = []
            for index in 0..<200 {
                tokens.append(try await scenario.issue(scenario.token("t\(index)", of: subscription)))
            }
            func pages() async throws -> [Int] {
                try await store.read("measure tokens") { db in
                    try db.rows("SELECT count(*), sum(payload) FROM dbstat WHERE name = 'token'", of: "dbstat") {
                        columns in
                        [try columns.integer(), try columns.integer()]
                    }
                }.flatMap { $0 }
            }
            let before = try await pages()
            for (index, token) in tokens.enumerated() {
                let name = index % 2 == 0 ? UUID().uuidString : nil
                #expect(try await scenario.redeem(token, message: name).word == "spent")
            }
            #expect(try await pages() == before)
        }
    }

    @Test("who may work beside a server of an earlier version is refused at its file, and changes nothing in it")
    func earlier() throws {
        let place = try TemporaryPlace()
        try restore("schema-v1", to: place.path)
        let before = try Data(contentsOf: URL(fileURLWithPath: place.path))
        let error = #expect(throws: StoreError.self) {
            try SQLiteStore(path: place.path, bringingForward: false, logger: Logger(label: "test"))
        }
        #expect(error?.code == .outdated)
        #expect(error?.detail.contains("benji migrate") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)) == before)
        #expect(try SQLiteStore.hasCurrentSchema(path: place.path) == false)
    }

    @Test(
        "what was kept before limits were counted stays as it was: no scrip is brief, no assurance is made up, no key known"
    )
    func limits() async throws {
        let place = try TemporaryPlace()
        try restore("schema-v1", to: place.path)
        let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        let scenario = Scenario(store: store) { store }
        func hash(_ byte: UInt8) -> CredentialHash { CredentialHash(bytes: Array(repeating: byte, count: 32)) }
        guard case .current(let scrip) = try await store.scrip(hash(0x12)) else {
            Issue.record("the scrip is gone")
            return
        }
        #expect(!scrip.isBrief)
        let app = try #require(AppID(rawValue: "300000000001"))
        #expect(try await store.ledgerEntries(app: app, limit: 9).map(\.assurance) == [nil])
        let token = try #require(try await store.token(hash(0x31)))
        func isFamiliar() async throws -> Bool {
            try await store.isFamiliar(deviceKey: token.deviceKey, app: app, subscription: token.subscription)
        }
        #expect(try await !isFamiliar())
        let at = Timestamp(milliseconds: 1_795_000_000_000)
        #expect(try await scenario.redeem(token, message: "message-3", now: at).word == "spent")
        #expect(try await isFamiliar())
        func guess() async throws -> GuessOutcome {
            try await store.settle(
                Guess(
                    .digits(app), of: token.subscription, isRight: false, now: at, limit: 1,
                    window: .seconds(60)))
        }
        #expect(try await guess() == .wrong)
        #expect(try await guess() == .tooMany)
        await store.close()
    }

    @Test("a store that version 2 wrote is brought forward, and its apps are granted nothing that they did not have")
    func version2() async throws {
        let place = try TemporaryPlace()
        try restore("schema-v2", to: place.path)
        let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        let app = try #require(try await store.apps().first)
        #expect(app.name == "示例应用")
        #expect(app.revision == 5)
        #expect(!app.phonesWithoutKey && !app.unsignedRequests)
        #expect(app.legacyNumberWithoutPage, "the column before the new ones is read from its own place")
        await store.close()
    }

    @Test("a store that version 3 wrote is brought forward, and its apps keep what that version granted them")
    func version3() async throws {
        let place = try TemporaryPlace()
        try restore("schema-v3", to: place.path)
        let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        let app = try #require(try await store.apps().first)
        #expect(app.phonesWithoutKey && !app.unsignedRequests)
        #expect(app.revision == 5 && app.keys.map(\.version) == [2])
        await store.close()
    }

    @Test(
        "a copy of a released version is brought forward step by step, and each step says what it does",
        arguments: [("v1", 9), ("v2", 8), ("v3", 7), ("v4", 6), ("v5", 5)])
    func steps(version: String, count: Int) async throws {
        let place = try TemporaryPlace()
        try restore("schema-\(version)", to: place.path)
        let before = try Data(contentsOf: URL(fileURLWithPath: place.path))
        let pending = try SQLiteStore.pendingSteps(path: place.path)
        #expect(pending.map(\.version) == ["v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10"].suffix(count))
        #expect(try SQLiteStore.contents(path: place.path).schema == version)
        #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)) == before, "a look changed the file")
        var done: [SchemaStep] = []
        try SQLiteStore.bringForward(path: place.path) { step, _ in done.append(step) }
        #expect(done == pending)
        #expect(try SQLiteStore.pendingSteps(path: place.path).isEmpty)
        #expect(try SQLiteStore.hasCurrentSchema(path: place.path))
        #expect(try SQLiteStore.damage(path: place.path) == nil)
    }

    @Test("every step of the schema is told to operators")
    func told() {
        #expect(Schema.steps.map(\.version) == Schema.migrator.migrations)
        #expect(
            Schema.steps.allSatisfy { $0.summary.count > 20 }
                && Set(Schema.steps.map(\.summary)).count == Schema.steps.count)
    }

    @Test("a store that version 4 wrote is read with its OpenID client, keys and credentials")
    func version4() async throws {
        let place = try TemporaryPlace()
        try restore("schema-v4", to: place.path)
        let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        let at = Timestamp(milliseconds: 1_795_000_000_000)
        func hash(_ byte: UInt8) -> CredentialHash { CredentialHash(bytes: Array(repeating: byte, count: 32)) }

        let app = try #require(try await store.apps().first)
        let client = try #require(try await store.openIDClient(app.id))
        #expect(client.redirectURIs == ["https://shop.example/callback"])
        #expect(client.purposes == [], "what version 5 added is granted to nobody")
        #expect(app.keys.map(\.createdAt) == [app.createdAt])
        #expect(app.openIDFromAnywhere, "its server was let in from everywhere")
        #expect(
            client.secrets.first?.version == 1 && client.secrets.first?.acceptedUntil == nil && client.revision == 1)
        #expect(client.idTokenAlgorithm == .rs256 && client.asksMiddleDigits && client.secrets.map(\.hash) == [hash(9)])
        #expect(
            try await store.openIDKeys(at: Timestamp(milliseconds: 1_794_900_000_000)).map(\.id) == [
                "new-key", "old-key",
            ])
        #expect(try await store.openIDKeys(at: at).map(\.id) == ["new-key"])
        for (byte, state) in [(0x40, "live"), (0x41, "spent"), (0x42, "live"), (0x43, "revoked")] as [(UInt8, String)] {
            let found = try await store.openIDCredential(hash(byte))
            #expect("\(found)".hasPrefix(state), "credential \(byte)")
        }
        let billing = OpenIDExchange.Billing(
            interface: "openid.userinfo", result: "released", quota: AnswerQuota(daily: 1), day: 1)
        let exchange = OpenIDExchange(hash: hash(0x44), kind: .access, appID: app.id, now: at, billing: billing)
        guard case .spent(let token) = try await store.exchange(exchange) else {
            Issue.record("the access token was not spent")
            return
        }
        #expect(token.subject?.binding == BindingID(rawValue: 7))
        #expect(try await store.ledgerEntries(app: app.id, limit: 9).map(\.interface) == ["openid.userinfo"])
        await store.close()
    }

    @Test("a look at a store tells whether it is of an earlier version, and brings nothing forward")
    func look() async throws {
        let place = try TemporaryPlace()
        try restore("schema-v5", to: place.path)
        let before = try Data(contentsOf: URL(fileURLWithPath: place.path))
        #expect(try SQLiteStore.hasCurrentSchema(path: place.path) == false)
        #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)) == before)
        let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        #expect(try await store.masterKeyRing().keys.isEmpty, "what an earlier version wrote is tied to no key yet")
        await store.close()
        #expect(try SQLiteStore.hasCurrentSchema(path: place.path))
        #expect(throws: StoreError.self) { try SQLiteStore.hasCurrentSchema(path: place.folder) }
    }

    @Test("a store that version 5 wrote is read with its face accounts and groups, its images and purposes")
    func version5() async throws {
        let place = try TemporaryPlace()
        try restore("schema-v5", to: place.path)
        let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        let at = Timestamp(milliseconds: 1_795_000_000_000)
        func hash(_ byte: UInt8) -> CredentialHash { CredentialHash(bytes: Array(repeating: byte, count: 32)) }

        let app = try #require(try await store.apps().first)
        #expect(app.capabilities == [.login, .face, .faceGroups])
        let client = try #require(try await store.openIDClient(app.id))
        #expect(client.purposes == ["dpv:FraudPreventionAndDetection"])
        #expect(
            client.frameAncestors == [] && !client.stableSubjectWithoutPage, "what version 6 added is granted to nobody"
        )
        let digest = String(repeating: "0", count: 64)
        #expect(try await store.openIDMediaDigests(of: app.id) == ["logo": digest])
        #expect(try await store.openIDMedia(digest: digest)?.type == "image/png")
        let account = try #require(try await store.faceAccount(subscription: 1, epoch: 2))
        #expect(account.id == 3 && account.terms == "1" && !account.isFrozen)
        #expect(account.sealedKey == Sealed(bytes: Array(repeating: 0x55, count: 6) + Array(repeating: 0, count: 8)))
        let binding = try #require(try await store.faceBinding(uid: "uid-1", app: app.id))
        #expect(binding.openID == "open-1" && !binding.isRandomUID && binding.groupsAgreedAt != nil)
        for (byte, state) in [
            (0x60, "live"), (0x61, "live"), (0x62, "spent"), (0x63, "live"), (0x64, "revoked"),
        ] as [(UInt8, String)] {
            #expect(try await store.faceCredential(hash(byte)).word == state, "credential \(byte)")
        }
        let exchange = FaceExchange(
            hash: hash(0x61), kind: .refresh, appID: app.id, deviceKey: "thumbprint", now: at, next: [])
        guard case .spent = try await store.exchangeFaceCredential(exchange) else {
            Issue.record("the refresh token was not spent")
            return
        }
        #expect(try await store.faceGroupMembers("g", app: app.id).map(\.openID) == ["open-1"])
        #expect(try await store.faceGroups(of: 3, app: app.id).map(\.name) == ["员工"])
        #expect(try await store.faceCounts() == FaceCounts(accounts: 2, frozen: 1, bindings: 2))
        let erased = try await store.eraseOutdatedFaceAccounts(unboundBefore: at, limit: 9)
        #expect(erased == 1, "the one whose subscription is another's")
        let row = try #require(try await store.subscription(1))
        #expect(account.simGeneration == row.simGeneration, "whoever enrolled before keeps what they have")
        #expect(binding.uidSince == binding.authorizedAt && binding.revision > 0)
        #expect(try await store.eraseFaceAccount(3, revision: account.revision, at: at) == .done)
        #expect(try await store.faceGroupMembers("g", app: app.id).isEmpty)
        await store.close()
    }

    @Test(
        "a released version is still what this code makes: a change of the schema is a new version",
        arguments: ["v1", "v2", "v3", "v4", "v5"])
    func releasedVersionsAreFrozen(version: String) throws {
        let place = try TemporaryPlace()
        try restore("schema-\(version)", to: place.path)
        let released = try DatabaseQueue(path: place.path)
        let made = try DatabaseQueue()
        try Schema.migrator.migrate(made, upTo: version)
        let schema = "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master ORDER BY type, name"
        let expected = try released.read { try String.fetchAll($0, sql: schema) }
        #expect(try made.read { try String.fetchAll($0, sql: schema) } == expected)
        #expect(expected.count > 25)
    }

    @Test("the hottest look-ups use an index")
    func plans() async throws {
        try await withStore { store, _ in
            let look = [
                "SELECT count(*) FROM token WHERE subscription = 1 AND issued_at > 1 AND listed = 1 AND spent_at IS NULL",
                "UPDATE token SET listed = 0 WHERE subscription = 1 AND listed = 1 AND spent_at IS NOT NULL",
                "UPDATE token SET revoked = 1 WHERE binding = 1 AND listed = 1 AND spent_at IS NULL AND revoked = 0",
                "UPDATE scrip SET revoked = 1 WHERE family = 1 AND revoked = 0",
                "SELECT hash FROM token WHERE expires_at < 1 LIMIT 1",
                "SELECT binding FROM revoked_binding WHERE at < 1 LIMIT 1",
                "SELECT app FROM message WHERE expires_at < 1 LIMIT 1",
                "UPDATE openid_credential SET revoked = 1 WHERE family = 1 AND spent_at IS NULL AND revoked = 0",
                "UPDATE openid_credential SET revoked = 1 WHERE binding = 1 AND spent_at IS NULL AND revoked = 0",
                "SELECT hash FROM openid_credential WHERE expires_at < 1 LIMIT 1",
                "SELECT id FROM ledger WHERE app = '' ORDER BY id DESC LIMIT 1",
                "SELECT result FROM ledger WHERE app = '' AND id > 1 AND day + 0 BETWEEN 1 AND 2",
                "SELECT answers FROM ledger_sum WHERE app = '' AND day BETWEEN 1 AND 2",
            ]
            for sql in look {
                let plan = try await store.pool.read { db in
                    try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String }
                }
                #expect(plan.allSatisfy { $0.contains("USING") && !$0.contains("TEMP B-TREE") }, "\(sql): \(plan)")
            }
        }
    }
}
