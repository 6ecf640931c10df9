internal import ArgumentParser
internal import BenchmarkSupport
@_spi(Server) internal import BenjiProtocol
@_spi(Server) internal import Gateway
internal import NIOConcurrencyHelpers

/// How fast a gateway knows a caller, and what a session costs in memory.
@main
struct DirectoryBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "DirectoryBenchmark",
        abstract: "Look-ups a second on one core, and bytes a session, with one and with ten million sessions.",
        discussion: """
            Every look-up takes a random session. The ratio is the rate with many sessions to that with few: 1 would be flat. A Dictionary
            from address to session, of the same machine in the same run, is the yardstick.
            """)

    @OptionGroup var options: BenchmarkOptions
    @Option(help: "Sessions of the small directory.") var few = 1_000_000
    @Option(help: "Sessions of the large directory.") var many = 10_000_000
    @Option(help: "Look-ups that one measurement makes.") var lookups = 1_000_000
    @Option(help: "The core that looks up; accounting runs on the next.") var core = 0

    func run() async throws {
        try Cores.pin(to: core)
        let (few, many, lookups) = options.smoke ? (10_000, 50_000, 20_000) : (few, many, lookups)
        var rows: [BenchmarkResult.Row] = []
        // One after the other, so that growth of the process is growth of one directory.
        let large = try Population(many, holding: .v4, note: options.note)
        let small = try Population(few, holding: .v4, note: options.note)
        let prefixes = try Population(many, holding: .dualStack, note: options.note)
        let blocks = try Population(many, holding: .portBlock, note: options.note)
        let yardstick = Yardstick(many)

        let names = (few: "\(Double(few).short) sessions", many: "\(Double(many).short) sessions")
        let contention = Contention(large)
        let contestants: [Rounds.Contestant] = [
            ("v4, \(names.few)", { try small.finds(lookups) }),
            ("v4, \(names.many)", { try large.finds(lookups) }),
            ("v6 prefix, \(names.many)", { try prefixes.finds(lookups) }),
            ("NAT port block, \(names.many)", { try blocks.finds(lookups) }),
            ("unknown address, \(names.many)", { try large.misses(lookups) }),
            ("Dictionary, \(names.many)", { try yardstick.finds(lookups) }),
            ("whole sighting, \(names.many)", { try large.sightings(lookups) }),
            ("whole sighting beside accounting", { try contention.sightings(lookups, core: core + 1) }),
        ]
        let figures = try await Rounds(options.rounds).run(contestants, progress: options.note)
        for (contestant, figures) in zip(contestants, figures) {
            rows.append(.init(contestant.name, figures, unit: "/s"))
        }
        rows.append(.init("accounting events meanwhile", contention.events, unit: "/s", note: "on another core"))
        for (name, population) in [
            ("v4", large), ("v4, few", small), ("v4 + v6 prefix", prefixes), ("v4 + NAT port block", blocks),
        ] {
            rows.append(
                .init(
                    "\(name): bytes a session", Figures([population.resident]), unit: "B", note: "growth of the process"
                ))
            rows.append(
                .init(
                    "\(name): bytes a session", Figures([population.stated]), unit: "B", note: "as the directory counts"
                ))
        }
        rows.append(
            .init(
                "Dictionary: bytes a session", Figures([yardstick.resident]), unit: "B", note: "growth of the process"))
        try options.report(
            BenchmarkResult(
                "directory", ratioOf: "v4, \(names.many) / \(names.few)", ratio: figures[1].ratio(to: figures[0]),
                rows: rows))
    }
}
