import BenchmarkSupport
import Gateway

/// Makes what each series works on, and measures it.
final class Study {
    private let growth: GrowthOptions
    private let sizes: Sizes
    private let rounds: Int
    private let note: (String) -> Void
    /// The directory's bytes for a session.
    private var bytes: [(name: String, bytes: Double)] = []
    /// Which page of the console costs most over the longest ledger, beside the shortest.
    private var grown: [(engine: Books.Engine, route: String, growth: Figures)] = []

    init(growth: GrowthOptions, sizes: Sizes, rounds: Int, note: @escaping (String) -> Void) {
        (self.growth, self.sizes, self.rounds, self.note) = (growth, sizes, rounds, note)
    }

    private func series(
        _ name: String, over: String, _ sizes: [Int], _ measure: @escaping (Int) async throws -> Double
    ) async throws -> Series {
        try await Series.measured(
            name, over: over, sizes: sizes, rounds: rounds, progress: note, measure: measure)
    }

    /// Redeem and login, or one of them: servers that differ in their number of apps are there at the same time, all on
    /// one core.
    func overHTTP(_ parts: [GrowthOptions.Part]) async throws -> [Series] {
        let connections = 64
        var houses: [Int: House] = [:]
        var phones: [Int: Phones] = [:]
        for apps in sizes.apps {
            let series = !parts.contains(.redeem) ? 0 : apps == 1 ? sizes.connections.count + 1 : 1
            // First everybody has been there once.
            let first = max(apps, sizes.redemptions)
            let house = try await House(
                apps: apps, tokens: first + sizes.redemptions * rounds * series, options: growth, note: note)
            houses[apps] = house
            _ = try house.redeem(first, connections: connections)
            if parts.contains(.login) {
                phones[apps] = try await Phones(sizes.phones.max()!, of: house)
                _ = try phones[apps]!.logIn(connections: connections)
            }
        }
        let fewest = sizes.apps[0]
        var all: [Series] = []
        if parts.contains(.redeem) {
            all.append(
                try await series("redeem", over: "connections", sizes.connections) {
                    // Fewer over one connection, where each waits for a sync of its own.
                    try houses[fewest]!.redeem(min(self.sizes.redemptions, 500 * $0), connections: $0)
                })
            all.append(
                try await series("redeem", over: "apps", sizes.apps) {
                    try houses[$0]!.redeem(self.sizes.redemptions, connections: connections)
                })
        }
        if parts.contains(.login) {
            all.append(
                try await series("login", over: "phones at the same time", sizes.phones) {
                    try phones[fewest]!.logIn(connections: $0)
                })
            all.append(
                try await series("login", over: "apps", sizes.apps) {
                    try phones[$0]!.logIn(connections: connections)
                })
        }
        return all
    }

    func accounting() async throws -> Series {
        let scratch = try Scratch("growth-journal", in: growth.folder)
        var crowds: [Int: Crowd] = [:]
        for count in sizes.accounted {
            crowds[count] = try Crowd.toBeHeardOf(count, journal: scratch.file("\(count).journal"), note: note)
            _ = try await crowds[count]!.account(sizes.packets)
        }
        return try await series("accounting packet", over: "live sessions", sizes.accounted) {
            try await crowds[$0]!.account(self.sizes.packets)
        }
    }

    func store() async throws -> Series {
        var stores: [Int: FilledStore] = [:]
        for count in sizes.tokens {
            stores[count] = try await FilledStore(
                count, fresh: sizes.redemptions * (rounds + 1), folder: growth.folder, note: note)
            _ = try await stores[count]!.redeem(sizes.redemptions)
        }
        return try await series("redeem without HTTP", over: "tokens in the store", sizes.tokens) {
            try await stores[$0]!.redeem(self.sizes.redemptions)
        }
    }

    func books() async throws -> [Series] {
        var all: [Series] = []
        for engine in Books.Engine.allCases {
            var books: [Int: Books] = [:]
            for lines in sizes.lines {
                books[lines] = try await Books(
                    lines, in: engine, apps: sizes.appsWithBooks, folder: growth.folder, note: note)
                _ = try await books[lines]!.look()
            }
            let looks: [(String, Int, (Books) async throws -> Double)] = [
                ("look at an app's pages", sizes.looks, { try await $0.look() }),
                ("a month's statement", sizes.looks, { try await $0.statement() }),
                ("the pages of an app's bill", sizes.looks, { try await $0.books() }),
                ("all pages of the console", sizes.walks, { try await $0.everyPage() }),
            ]
            for (name, times, look) in looks {
                all.append(
                    try await series("\(name), \(engine.rawValue)", over: "lines of the ledger", sizes.lines) { lines in
                        var taken: [Double] = []
                        for _ in 0..<times { taken.append(try await look(books[lines]!)) }
                        return Figures(taken).median
                    })
            }
            if let least = sizes.lines.min(), let most = sizes.lines.max(),
                let slowest = books[most]!.slowest(beside: books[least]!)
            {
                grown.append((engine, slowest.route, slowest.growth))
            }
        }
        return all
    }

    /// Fails if a page of the console takes much longer over the largest ledger, so that it reads more of it.
    func checkPages() throws {
        for each in grown where each.growth.median > 1.5 {
            throw BenchmarkFailure(
                "\(each.route) grows with the ledger, on \(each.engine.rawValue): \(each.growth.median.short) times as "
                    + "long over most lines"
            )
        }
    }

    func directory() async throws -> [Series] {
        var crowds: [Int: Crowd] = [:]
        // The largest first, so that the growth of the process is its own: what others gave back would hide it.
        for count in sizes.sessions.reversed() {
            crowds[count] = try Crowd.toBeFound(count, note: note)
            bytes.append(("\(Series.text(count)) sessions", crowds[count]!.bytes))
        }
        let prefixes = try Crowd.toBeFound(sizes.dualStack, holding: .dualStack, note: note)
        bytes.append(("\(Series.text(sizes.dualStack)) sessions with an IPv6 prefix too", prefixes.bytes))
        return [
            try await series("look-up", over: "live sessions", sizes.sessions) {
                try crowds[$0]!.find(self.sizes.lookups)
            }
        ]
    }

    /// Beside the series: how much the largest size costs to the smallest, and bytes a session.
    func rows(of series: [Series]) -> [BenchmarkResult.Row] {
        let bytes = bytes.map { name, bytes in
            BenchmarkResult.Row(
                "bytes a session, \(name)", Figures([bytes]), unit: "B", note: "growth of the process")
        }
        let grown = grown.map {
            BenchmarkResult.Row(
                "the page of the console that grows most, \($0.engine.rawValue)", $0.growth, unit: "×", note: $0.route)
        }
        return bytes + grown
            + series.map { series in
                let (first, last) = (series.points[0].size, series.points[series.points.count - 1].size)
                return BenchmarkResult.Row(
                    "\(series.name), \(Series.text(last)) \(series.over) / \(Series.text(first))", series.growth,
                    unit: "×", note: "1 is flat")
            }
    }
}
