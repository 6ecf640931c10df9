import Administration
import Authority
@_spi(Server) import BenjiProtocol
import Logging
import ServerTestKit
import Sightings
import Store
import Testing

@Suite("How an app's logins went is counted")
struct LoginCountTests {
    /// As the listener does for each request.
    private func request<Answer: Sendable>(_ body: @Sendable () async throws -> Answer) async throws -> Answer {
        try await RequestSubject.$current.withValue(RequestSubject()) { try await body() }
    }

    private func counts(_ answer: JSON, _ list: String, _ name: String) -> [String: Int64] {
        Dictionary(
            (answer[list]?.arrayValue ?? []).map { ($0[name]?.stringValue ?? "", $0["count"]?.integerValue ?? 0) },
            uniquingKeysWith: +)
    }

    @Test("one login is one in each stage, and a token that is redeemed again is a refusal and no login")
    func stages() async throws {
        let world = try await AdministrationWorld()
        #expect(try await world.order(CountLogins(world.app))["steps"]?.arrayValue == [])
        let token = try await request { try await world.world.token() }
        _ = try await request { try await world.world.redeem(world.call(), token.token) }
        let again = try await refusal {
            _ = try await request { try await world.world.redeem(world.call(), token.token) }
        }
        #expect(again == .tokenSpent)
        let answer = try await world.order(CountLogins(world.app, by: .hour, last: 2))
        #expect(
            counts(answer, "stages", "stage") == ["asked": 1, "recognised": 1, "agreed": 1, "redeemed": 1])
        let ends = counts(answer, "steps", "situation")
        #expect(ends["token_spent"] == 1)
        #expect(answer["steps"]?.arrayValue?.contains { $0["carrier"] == "mobile" } == true)
        #expect(!answer.text.contains(AuthorityWorld.number.national))
        await world.end()
    }

    @Test("the logins of all apps are those of each app together, and a developer is told none of them")
    func allApps() async throws {
        let world = try await AdministrationWorld()
        let other = try await world.authority.apps.register(Apps.Registration(name: "Zebra Market")).record.id
        let token = try await request { try await world.world.token() }
        _ = try await request { try await world.world.redeem(world.call(), token.token) }
        let hour = LoginCount.hour(of: world.clock.now)
        try await (world.world.store as any Store).addLoginCounts([
            LoginCount(
                app: other, hour: hour, carrier: .unicom, party: .authority, step: "prefetch", situation: .success,
                count: 7),
            LoginCount(
                app: other, hour: hour - 1, carrier: nil, party: .authority, step: "prefetch",
                situation: .addressUnknown, count: 4),
        ])
        for unit in CountLogins.Unit.allCases {
            let answer = try await world.order(CountAllLogins(by: unit, last: 2))
            #expect(
                counts(answer, "stages", "stage") == ["asked": 12, "recognised": 8, "agreed": 1, "redeemed": 1],
                "\(unit)")
            let apps = answer["apps"]?.arrayValue ?? []
            #expect(apps.map { $0["app"]?.stringValue } == [other.rawValue, world.app.rawValue], "the most first")
            #expect(apps.first?["name"] == "Zebra Market" && apps.first?["refused"] == 4)
            for (app, told) in zip([other, world.app], apps) {
                let alone = try await world.order(CountLogins(app, by: unit, last: 2))
                #expect(counts(told, "stages", "stage") == counts(alone, "stages", "stage"), "\(unit)")
            }
        }
        #expect(try await world.order(CountAllLogins(by: .hour, last: 1))["apps"]?.arrayValue?.first?["refused"] == 0)
        try await world.world.change { $0.name = "\u{200b}" }
        let nameless = try await world.order(CountAllLogins(last: 2))["apps"]?.arrayValue?.last
        #expect(nameless?["name"]?.stringValue == world.app.rawValue, "a name that shows nothing gives way to the id")
        for order in [CountAllLogins(last: 0), CountAllLogins(last: 32), CountAllLogins(by: .hour, last: 745)] {
            #expect(try await world.refused(order) == .parameterInvalid)
        }
        let developer = world.caller(.developer, apps: [world.app, other])
        #expect(try await world.refused(CountAllLogins(), by: developer) == .orderNotPermitted)
        await world.end()
    }

    @Test("a phone that no network knows is counted although nothing else is kept of it")
    func unknownPhones() async throws {
        let world = try await AdministrationWorld()
        let refused = try await refusal {
            _ = try await request {
                try await world.world.prefetch(world.world.call(sighting: .failure(.unknownAddress)))
            }
        }
        #expect(refused == .addressUnknown)
        let answer = try await world.order(CountLogins(world.app))
        #expect(counts(answer, "stages", "stage") == ["asked": 1, "recognised": 0, "agreed": 0, "redeemed": 0])
        #expect(try await world.order(FindTraces(TraceFilter(app: world.app)))["traces"]?.arrayValue == [])
        await world.end()
    }

    @Test("days are those of UTC+8, and what is counted of one is told until the last of them is left out")
    func days() async throws {
        let world = try await AdministrationWorld()
        let day: Int64 = 86_400_000
        _ = try await request { try await world.world.token() }
        let first = try await world.order(CountLogins(world.app, last: 1))
        let since = try #require(first["since"]?.integerValue)
        #expect((since + 8 * 3_600_000) % day == 0 && first["until"]?.integerValue == since + day)
        #expect(since <= world.clock.now.milliseconds && world.clock.now.milliseconds < since + day)
        #expect(counts(first, "stages", "stage")["agreed"] == 1)
        world.clock.advance(by: .seconds(86400))
        #expect(try await counts(world.order(CountLogins(world.app, last: 1)), "stages", "stage")["agreed"] == 0)
        let both = try await world.order(CountLogins(world.app, last: 2))
        #expect(counts(both, "stages", "stage")["agreed"] == 1)
        #expect(both["steps"]?.arrayValue?.allSatisfy { $0["at"]?.integerValue == since } == true)
        #expect(try await world.refused(CountLogins(world.app, last: 0)) == .parameterInvalid)
        #expect(try await world.refused(CountLogins(world.app, last: 401)) == .parameterInvalid)
        await world.end()
    }

    @Test("counts that a store did not take are written with the next, and old ones are forgotten")
    func waiting() async throws {
        let world = try await AdministrationWorld()
        _ = try await request { try await world.world.token() }
        try await world.world.authority.writeLoginCounts()
        try await world.world.authority.writeLoginCounts()
        #expect(try await counts(world.order(CountLogins(world.app)), "stages", "stage")["agreed"] == 1, "counted once")
        world.clock.advance(by: .seconds(401 * 86400))
        try await world.world.authority.deleteExpired()
        let answer = try await world.order(CountLogins(world.app, last: 400))
        #expect(answer["steps"]?.arrayValue == [])
        await world.end()
    }

    @Test("whoever reads while counts are being written waits for them")
    func reading() async throws {
        let (counts, store) = (LoginCounts(), SlowCounts())
        let subject = RequestSubject()
        subject.note(app: AppID(rawValue: "300000000001")!)
        RequestSubject.$current.withValue(subject) {
            counts.count(
                TraceEvent(
                    trace: TraceID(rawValue: String(repeating: "a", count: 32))!, at: Timestamp(milliseconds: 0),
                    party: .authority, step: "prefetch", situation: .success, detail: ""))
        }
        let first = Task { try await counts.write(to: store, Logger(label: "test")) }
        try await until { await store.isWriting }
        // Nothing waits to be written any more, and nothing is in the store yet.
        let second = Task {
            try await counts.write(to: store, Logger(label: "test"))
            return await store.kept
        }
        try await until { counts.writes == 2 }
        // A reader that does not wait has its turn here.
        for _ in 0..<1000 { await Task.yield() }  // gate: one that waits does so for any number of turns
        await store.goOn()
        #expect(try await second.value == 1)
        try await first.value
    }
}

/// Takes counts only when it is told to.
private actor SlowCounts: LoginCountStore {
    private(set) var kept = 0
    private var waiting: CheckedContinuation<Void, Never>?
    var isWriting: Bool { waiting != nil }

    func goOn() {
        waiting?.resume()
        waiting = nil
    }

    func addLoginCounts(_ counts: [LoginCount]) async throws(StoreError) {
        await withCheckedContinuation { waiting = $0 }
        kept += counts.count
    }

    func loginCounts(of app: AppID, hours: Range<Int64>) async throws(StoreError) -> [LoginCount] { [] }
    func loginCounts(
        hours: Range<Int64>, unit: Int64, offset: Int64
    ) async throws(StoreError) -> [LoginCount] { [] }
}
