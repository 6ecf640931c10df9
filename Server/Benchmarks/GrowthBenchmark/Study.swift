import BenchmarkSupport
import Gateway

/// Makes what each series works on, and measures it.
final class Study {
    private let growth: GrowthOptions
    private let sizes: Sizes
    private let rounds: Int
    private let note: (String) -> Void
    /// What the directory takes for a session.
    private var bytes: [(name: String, bytes: Double)] = []

    init(growth: GrowthOptions, sizes: Sizes, rounds: Int, note: @escaping (String) -> Void) {
        (self.growth, self.sizes, self.rounds, self.note) = (growth, sizes, rounds, note)
    }

    private func series(
        _ name: String, over: String, _ sizes: [Int], _ measure: @escaping (Int) async throws -> Double
    ) async throws -> Series {
        try await Series.measured(
            name, over: over, sizes: sizes, rounds: rounds, progress: note, measure: measure)
    }

    /// Redeem and login, or one of them: servers that differ in their number of apps are there at the same time, all on one core.
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
        return bytes
            + series.map { series in
                let (first, last) = (series.points[0].size, series.points[series.points.count - 1].size)
                return BenchmarkResult.Row(
                    "\(series.name), \(Series.text(last)) \(series.over) / \(Series.text(first))", series.growth,
                    unit: "×", note: "1 is flat")
            }
    }
}
