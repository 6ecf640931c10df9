import GRDB
import HTTPTypes
import ServerTestKit
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider
@testable import Requests
@testable import StoreSQLite

/// A script at a phone's address, which needs nothing but an app's public client id.
@Suite("What web logins from a phone's address leave in the database")
struct OpenIDRowsTests {
    /// Logins of one number at one app in ten minutes of which something lasting is kept.
    private static let budget = 10

    private struct Rows: Equatable {
        var traces = 0
        var consents = 0
        var leaves = 0
        /// Pages, codes and tokens.
        var credentials = 0
    }

    private func rows(_ world: OpenIDWorld) async throws -> Rows {
        // Reading a trace writes the waiting events first.
        _ = try await world.store.traceEvents(TraceID(random: SystemRandomSource()))
        while try await world.authority.appendToLog() {}
        return try await world.store.pool.read { db in
            func count(_ table: String) throws -> Int {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
            }
            return Rows(
                traces: try count("trace_event"), consents: try count("consent"), leaves: try count("log_leaf"),
                credentials: try count("openid_credential"))
        }
    }

    /// The rows after as many logins as the budget has, and after as many more, twenty a second.
    private func twice(
        _ world: OpenIDWorld, _ logIn: () async throws -> Void
    ) async throws -> (full: Rows, more: Rows) {
        func script() async throws -> Rows {
            for _ in 0..<Self.budget {
                world.clock.advance(by: .milliseconds(50))
                try await logIn()
            }
            return try await rows(world)
        }
        let full = try await script()
        return (full, try await script())
    }

    @Test("above the budget no login leaves a trace, a consent or a leaf, and what a redeemed one needs is there")
    func pages() async throws {
        try await OpenIDWorld.visit(limit: Self.budget) { world in
            let (full, brief) = try await twice(world) { _ = try await world.code() }
            #expect(full.consents == Self.budget && full.leaves == Self.budget)
            #expect(full.traces == 4 * Self.budget, "sighting, page, tap and code")
            #expect(brief.traces == full.traces)
            #expect(brief.consents == full.consents && brief.leaves == full.leaves)

            // The person's own login is one of those above the budget.
            let answer = try await world.exchange(try await world.code())
            let token = try #require(answer.json["access_token"]?.stringValue)
            #expect(try await world.userInfo(token).status == .ok)
            let redeemed = try await rows(world)
            #expect(redeemed.consents == full.consents + 1)
            #expect(redeemed.leaves == full.leaves + 2, "its consent and the release")

            // The others were not redeemed. Their pages, codes and consents are deleted; the redeemed one's consent
            // stays.
            world.clock.advance(by: .seconds(1100))
            try await world.authority.deleteExpired()
            let swept = try await rows(world)
            #expect(swept.consents == 1)
            #expect(swept.credentials == 2, "the code that was redeemed and its token, for a day")
            world.clock.advance(by: .seconds(2 * 86400))
            try await world.authority.deleteExpired()
            let last = try await rows(world)
            #expect(last.consents == 1 && last.credentials == 0)
        }
        // The double is without a budget.
        try await OpenIDWorld.visit { world in
            let (full, naive) = try await twice(world) { _ = try await world.code() }
            #expect(full.consents == Self.budget && full.traces == 4 * Self.budget)
            #expect(naive.consents == 2 * Self.budget && naive.leaves == 2 * Self.budget, "the double must fall")
            #expect(naive.traces == 8 * Self.budget, "the double must fall")
        }
    }

    /// A login by a request that the app's server made.
    enum OwnRequest: CaseIterable { case pushed, signed }

    private func logIn(_ world: OpenIDWorld, _ request: OwnRequest) async throws {
        let page: Exchange
        switch request {
        case .pushed:
            let pushed = try await world.call(.post, .push, headers: world.basic(), form: OpenIDLogin.request(world))
            let query = OpenIDWorld.encoded([
                "client_id": world.shop.record.id.rawValue,
                "request_uri": try #require(pushed.json["request_uri"]?.stringValue),
            ])
            page = try await world.browse(.get, "/openid/authorize?\(query)")
        case .signed: page = try await world.openSigned(try world.requestObject { try world.signed($0) })
        }
        #expect(try await world.tap(page).landing["code"] != nil)
    }

    @Test(
        "the budget holds for what the app's server pushes or signs, which a script at its link has it do",
        arguments: OwnRequest.allCases)
    func servers(request: OwnRequest) async throws {
        try await OpenIDWorld.visit(limit: Self.budget) { world in
            let (full, brief) = try await twice(world) { try await logIn(world, request) }
            #expect(full.consents == Self.budget && full.traces == 4 * Self.budget)
            #expect(brief.traces == full.traces)
            #expect(brief.consents == full.consents && brief.leaves == full.leaves)
        }
        // The double counts each such request under a name of its own, and so admits all of them.
        try await OpenIDWorld.visit { world in
            let (_, naive) = try await twice(world) { try await logIn(world, request) }
            #expect(naive.consents == 2 * Self.budget && naive.traces == 8 * Self.budget, "the double must fall")
        }
    }

    @Test("above the budget no code without a page leaves a trace, and a redeemed one leaves its release")
    func network() async throws {
        let scope = "\(OpenIDWorld.verify) \(OpenIDWorld.purpose)"
        try await OpenIDWorld.visitBank(limit: Self.budget) { world in
            let (full, brief) = try await twice(world) {
                let code = try await world.askNetwork(scope).landing["code"]
                #expect(code != nil)
            }
            #expect(full.traces == 2 * Self.budget)
            #expect(brief.traces == full.traces && brief.consents == 0 && brief.leaves == 0)
            world.clock.advance(by: .milliseconds(50))
            let token = try await world.networkToken(OpenIDWorld.readNumber)
            #expect(try await world.camara(.devicePhoneNumber, token).status == .ok)
            let redeemed = try await rows(world)
            #expect(redeemed.consents == 0 && redeemed.leaves == 1)
            world.clock.advance(by: .seconds(1100))
            try await world.authority.deleteExpired()
            let swept = try await rows(world)
            #expect(swept.credentials == redeemed.credentials - 2 * Self.budget, "codes that were not redeemed")
            world.clock.advance(by: .seconds(2 * 86400))
            try await world.authority.deleteExpired()
            #expect(try await rows(world).credentials == 0)
        }
        // The double is without a budget.
        try await OpenIDWorld.visitBank { world in
            let (_, naive) = try await twice(world) {
                let code = try await world.askNetwork(scope).landing["code"]
                #expect(code != nil)
            }
            #expect(naive.traces == 4 * Self.budget, "the double must fall")
        }
    }

    @Test("logins without a page, which nobody sees, make no login on a page brief; with one count for all they do")
    func hidden() async throws {
        let naive = RateLimiter(limit: Self.budget, window: .seconds(600))
        try await OpenIDWorld.visit(\.remembersConsent, limit: Self.budget) { world in
            let done = try await world.tap(try await world.open(), remembers: true)
            let cookie = try #require(done.cookie)
            for _ in 0..<(2 * Self.budget) {
                world.clock.advance(by: .milliseconds(50))
                _ = naive.admits("shop", now: world.clock.now)
                let answer = try await world.open(["prompt": "none"], headers: [.cookie: cookie])
                #expect(answer.landing["code"] != nil)
            }
            let before = try await rows(world)
            _ = try await world.code()
            let after = try await rows(world)
            #expect(after.consents == before.consents + 1 && after.traces == before.traces + 4)
            let isLasting = naive.admits("shop", now: world.clock.now)
            #expect(!isLasting, "the double must fall")
        }
        try await OpenIDWorld.visitBank(limit: Self.budget) { world in
            for _ in 0..<(2 * Self.budget) {
                world.clock.advance(by: .milliseconds(50))
                let answer = try await world.askNetwork("\(OpenIDWorld.verify) \(OpenIDWorld.purpose)")
                #expect(answer.landing["code"] != nil)
            }
            let before = try await rows(world)
            try await logIn(world, .signed)
            let after = try await rows(world)
            #expect(after.consents == before.consents + 1 && after.traces == before.traces + 4)
        }
    }
}
