import ServerTestKit
import Testing

@testable import Authority
@testable import Endpoints

/// Calls from a phone's address, or from an address that is no phone's, for an hour: the rows that remain in each
/// table.
///
/// The limits of this suite are smaller than a server's, and so is the number of calls (``RowBudget``). Rows under a
/// budget are equally many at any pace. Rows without a budget must be gone a day later.
@Suite("What an hour at a phone's address leaves in the database", .serialized)
struct PhoneRowBudgetTests {
    private static func left(
        _ way: RowBudgetWays.Way, calls: Int, prefetches: Int = RowBudgetWorld.prefetches,
        unusedTokens: Int = RowBudgetWorld.unusedTokens
    ) async throws -> Leftovers {
        try await RowBudgetWorld.visit(prefetches: prefetches, unusedTokens: unusedTokens) { here in
            let call = try await way.prepare(here)
            return try await RowBudget.play(here.world, calls: calls, call)
        }
    }

    private static func idle() async throws -> Leftovers {
        try await RowBudgetWorld.visit { here in try await RowBudget.play(here.world, calls: 0) {} }
    }

    /// Plays all ways twice, and holds what they leave to the report.
    private func judge(
        _ section: String, _ ways: [RowBudgetWays.Way], calls: Int = RowBudget.calls, more: Int = RowBudget.moreCalls
    ) async throws {
        let idle = try await Self.idle()
        var lines: [RowBudgetReport.Line] = []
        for way in ways {
            let left = try await Self.left(way, calls: calls).more(than: idle)
            let moreLeft = try await Self.left(way, calls: more).more(than: idle)
            #expect(
                moreLeft.grown(since: left).isSubset(of: way.growing),
                "\(way.route), \(way.words): half as many calls again leave more for longer than a day")
            lines += RowBudgetReport.lines(way.route, way.words, left)
        }
        let differences = try RowBudgetReport.differences(section, lines)
        #expect(differences == [])
    }

    @Test("each route of the listener of phones has ways, and each way leaves what the report says")
    func phones() async throws {
        let routes = try await RowBudgetWorld.visit { Documents.operations($0.deviceRoutes) }
        #expect(Set(RowBudgetWays.all.map(\.route)) == routes, "a route without a way, or a way without its route")
        try await judge("phones", RowBudgetWays.all)
    }

    @Test("whoever has no secret leaves nothing at the routes of apps' servers")
    func servers() async throws {
        let routes = try await RowBudgetWorld.visit { $0.serverRoutes }
        // They are many, and every call ends alike.
        try await judge("servers", RowBudgetWays.ofServers(routes), calls: 80, more: 120)
    }

    /// A way, and a table of which it leaves more than the report says where nothing is limited.
    struct Naive: Sendable {
        var route: String
        var words: String
        var table: String
    }

    private static let naive = [
        Naive(
            route: "POST /device/v1/prefetch", words: "a phone's address, with a new key each time",
            table: "trace_event"),
        Naive(
            route: "POST /device/v1/authorize", words: "a phone's address, one scrip over and over", table: "log_leaf"),
        Naive(
            route: "POST /device/v1/forget", words: "a phone's address, a scrip with a new key each time",
            table: "trace_event"),
        Naive(
            route: "GET /openid/authorize", words: "a phone's address, pages that nobody answers",
            table: "trace_event"),
        Naive(route: "GET /openid/authorize", words: "a phone's address, codes without a page", table: "trace_event"),
        Naive(
            route: "POST /openid/login", words: "a phone's address, logins whose code nobody redeems",
            table: "log_leaf"),
        Naive(
            route: "POST /h5/getMobile",
            words: "a phone's address, with requests that the app's server signs for its page", table: "trace_event"),
    ]

    @Test("a server without budgets exceeds the report, with half the calls", arguments: naive)
    func doubles(_ naive: Naive) async throws {
        let way = try #require(RowBudgetWays.all.first { $0.route == naive.route && $0.words == naive.words })
        let reported = try #require(
            try RowBudgetReport.rowsADayLater(naive.route, naive.words, of: naive.table),
            "the report has no line of it")
        let without = try await Self.left(
            way, calls: RowBudget.calls / 2, prefetches: 1_000_000, unusedTokens: 1_000_000)
        #expect(without.day.rows(naive.table) > reported, "the double must fall")
        let more = try await Self.left(
            way, calls: RowBudget.moreCalls / 2, prefetches: 1_000_000, unusedTokens: 1_000_000)
        #expect(more.grown(since: without).contains(naive.table), "the double must fall")
    }
}
