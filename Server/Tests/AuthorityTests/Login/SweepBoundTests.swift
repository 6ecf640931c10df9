@_spi(Server) import BenjiProtocol
import GRDB
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority

@Suite("How long what a login leaves is there, to the millisecond")
struct SweepBoundTests {
    /// A table's rows are there until this moment, and not after it.
    private func expect(
        _ table: String, until moment: Timestamp, in world: AuthorityWorld,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        world.clock.advance(by: moment - world.clock.now)
        try await world.authority.deleteExpired()
        #expect(try await world.count(table) > 0, "\(table) at its end", sourceLocation: sourceLocation)
        world.clock.advance(by: .milliseconds(1))
        try await world.authority.deleteExpired()
        #expect(try await world.count(table) == 0, "\(table) after its end", sourceLocation: sourceLocation)
    }

    @Test(
        "a scrip is there for ten minutes after its end, a token for a day, and a request's name as long as it counts")
    func credentials() async throws {
        try await withWorld { world async throws in
            let begin = world.clock.now
            let response = try await world.prefetch()
            _ = try await world.authorize(response.scrip, purpose: .verification, consent: nil)
            try await world.authority.consume("a", of: world.app.record.id, sentAt: begin)
            try await expect("scrip", until: begin + .seconds(3600 + 600), in: world)
            try await expect("message", until: begin + .seconds(86_400), in: world)
            try await expect("token", until: begin + .seconds(120 + 86_400), in: world)
        }
        // The page of a web login.
        try await withWorld { world async throws in
            let end = world.clock.now + .seconds(60)
            try await world.store.insertOpenIDCredential(
                OpenIDCredential(
                    hash: CredentialHash(of: "page", .openID), kind: .page, family: 1, appID: world.app.record.id,
                    subject: nil, trace: TraceID(random: SystemRandomSource()), details: "{}",
                    issuedAt: world.clock.now, expiresAt: end))
            try await expect("openid_credential", until: end + .seconds(600), in: world)
        }
    }

    @Test("counts of logins are there for 400 days, from the hour that they are of")
    func counts() async throws {
        try await withWorld { world async throws in
            let subject = RequestSubject()
            try await RequestSubject.$current.withValue(subject) { _ = try await world.prefetch() }
            try await world.authority.writeLoginCounts()
            let hour = LoginCount.hour(of: world.clock.now)
            #expect(try await world.authority.loginCounts(of: world.app.record.id, hours: hour..<hour + 1).count == 2)
            let end = Timestamp(seconds: (hour + 1) * 3600) + .seconds(400 * 86_400) - .milliseconds(1)
            try await expect("login_count", until: end, in: world)
        }
    }

    @Test("a wrong guess and a number's tokens of a day are there for a day")
    func limits() async throws {
        try await withWorld { world async throws in
            let begin = world.clock.now
            _ = try await world.store.settle(
                Guess(
                    .number, of: world.subscription, isRight: false, now: begin, limit: 5, window: .seconds(86_400)))
            try await expect("wrong_guess", until: begin + .seconds(86_400), in: world)
        }
        try await withWorld { world async throws in
            let day = CalendarDay(world.clock.now)
            let terms = ContractTerms(
                reference: "x", currency: "CNY", rates: [.released: Amount(millionths: 1)], dailyLimitPerNumber: 5)
            _ = try await world.authority.apps.setContract(of: world.app.record.id, from: day, terms, by: .test)
            _ = try await world.token(.verification)
            // Midnight in UTC+8 is in 6400 seconds. A day later the day before it is over by a whole day.
            let end = world.clock.now + .seconds(6400 + 86_400) - .milliseconds(1)
            try await expect("number_day", until: end, in: world)
        }
    }

    @Test(
        """
        an event for a callback waits for a week, and is a dead letter for a month; a delivered one is there for three \
        days
        """
    )
    func events() async throws {
        try await withWorld { world async throws in
            let store = world.store as any Store
            let id = world.app.record.id
            _ = try await world.authority.apps.setCallback(
                of: id, url: "https://receiver.example/", events: [], rules: CallbackRules(), by: .test)
            let begin = world.clock.now
            func put(_ name: String) async throws {
                try await store.addEvent(
                    OutboxEvent(
                        id: name, appID: id, type: .test, trace: nil, holder: nil, payload: "{}", at: world.clock.now),
                    audit: nil)
            }
            func states() async throws -> [OutboxState] {
                try await store.outboxEntries(app: id, state: nil, before: nil, limit: 9).map(\.state)
            }
            try await put("evt_1")
            world.clock.advance(by: .seconds(7 * 86_400))
            try await world.authority.deleteExpired()
            #expect(try await states() == [.waiting])
            world.clock.advance(by: .milliseconds(1))
            try await world.authority.deleteExpired()
            #expect(try await states() == [.dead])
            try await expect("outbox", until: begin + .seconds(30 * 86_400), in: world)
            try await put("evt_2")
            let entry = try #require(
                try await store.claimEvent(
                    of: id, at: world.clock.now, until: world.clock.now + .seconds(60), lease: "lease"))
            let delivered = world.clock.now
            #expect(
                try await store.settleEvent(
                    entry.row, lease: "lease",
                    OutboxSettlement(state: .delivered, dueAt: delivered, outcome: "204", at: delivered)))
            try await expect("outbox", until: delivered + .seconds(3 * 86_400), in: world)
        }
    }

    @Test("what ended at a pair of gateways is there for an hour")
    func pairs() async throws {
        try await withWorld { world async throws in
            let pairs = GatewayPairs(store: world.store, pairs: ["gateway-1": "east"], clock: world.clock)
            let owned = try await pairs.claim(
                seen: try await pairs.news(after: 0, for: "gateway-1").standing, by: "gateway-1")
            let ended = PairEntry(key: [1], content: [2], isEnd: true)
            let begin = world.clock.now
            _ = try await pairs.record([ended], fence: owned.fence, after: owned.sequence, by: "gateway-1")
            try await expect("gateway_entry", until: begin + .seconds(3600), in: world)
        }
    }

    @Test(
        "an app or a person that cannot be erased is told, when all else is swept",
        arguments: ["page_submission", "erasure"])
    func unerased(table: String) async throws {
        try await withWorld { world async throws in
            let now = world.clock.now
            _ = try await world.prefetch()
            try await world.change { $0.deletedAfter = now }
            let database = try DatabaseQueue(path: world.directory + "/benji.sqlite")
            try await database.write { try $0.execute(sql: "ALTER TABLE \(table) RENAME TO elsewhere") }
            try database.close()
            world.clock.advance(by: .seconds(86_400))
            await #expect(throws: StoreError.self) { try await world.authority.deleteExpired() }
            #expect(try await world.count("scrip") == 0)
            let isErased = table == "erasure"
            #expect(try await world.store.app(world.app.record.id)?.keys.isEmpty == isErased)
        }
    }

    @Test("more rows than one step deletes are gone after one sweep")
    func slices() async throws {
        try await withWorld { world async throws in
            let database = try DatabaseQueue(path: world.directory + "/benji.sqlite")
            let (app, end) = (world.app.record.id.rawValue, world.clock.now.milliseconds)
            try await database.write { db in
                try db.execute(
                    sql: """
                        WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 4100)
                        INSERT INTO message (app, name, expires_at) SELECT ?, 'name ' || n, ? FROM number
                        """, arguments: [app, end])
            }
            try database.close()
            #expect(try await world.count("message") == 4100)
            world.clock.advance(by: .milliseconds(1))
            try await world.authority.deleteExpired()
            #expect(try await world.count("message") == 0)
        }
    }

    @Test("without settings records are kept as long as the documentation says, and months of the ledger end whole")
    func retention() {
        let retention = Retention()
        #expect(
            Retention.kinds.map { "\($0.name) \(retention[keyPath: $0.days]) of \($0.range)" } == [
                "traces 7 of 1...400", "login-counts 400 of 7...3653", "device-keys 180 of 30...730",
                "consents 1827 of 90...36500", "ledger 3653 of 62...36500", "delivered-events 3 of 1...30",
                "dead-events 30 of 8...90",
            ])
        var short = retention
        short.ledger = 62
        // 62 days before 21 September 2026 is 21 July.
        #expect(short.ledgerBegin(Timestamp(seconds: 1_790_000_000)) == 20_260_701)
        #expect(Retention.duration(2) == .seconds(172_800))
    }
}
