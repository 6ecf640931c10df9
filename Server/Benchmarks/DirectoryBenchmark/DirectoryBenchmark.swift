import ArgumentParser
import BenchmarkSupport
@_spi(Server) import BenjiProtocol
import Gateway
import NIOConcurrencyHelpers

/// How fast a gateway knows a caller, and what a session costs in memory.
@main
struct DirectoryBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "DirectoryBenchmark",
        abstract: "Look-ups a second on one core, and bytes a session, with one and with ten million sessions.",
        discussion: """
            Every look-up takes a random session. The ratio is the rate with many sessions to that with few: 1 would \
            be flat. A
            Dictionary from address to session, on the same machine in the same run, is the yardstick. A whole \
            sighting is what
            an endpoint asks for: with lock, clock and metrics. Bytes a session are the growth of the process. Ten \
            million
            sessions need five gigabytes of memory and a minute to be taken in.
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

        let contention = Contention(large)
        let contestants: [Rounds.Contestant] = [
            ("v4, few sessions", { try small.finds(lookups) }),
            ("v4, many sessions", { try large.finds(lookups) }),
            ("v6 prefix, many sessions", { try prefixes.finds(lookups) }),
            ("NAT port block, many sessions", { try blocks.finds(lookups) }),
            ("unknown address, many sessions", { try large.misses(lookups) }),
            ("Dictionary, many sessions", { try yardstick.finds(lookups) }),
            ("whole sighting, many sessions", { try large.sightings(lookups) }),
            ("whole sighting beside accounting", { try contention.sightings(lookups, core: core + 1) }),
        ]
        let figures = try await Rounds(options.smoke ? 1 : options.rounds).run(contestants, progress: options.note)
        for (contestant, figures) in zip(contestants, figures) {
            let count = contestant.name.contains("few") ? few : many
            rows.append(.init(contestant.name, figures, unit: "/s", note: "\(Double(count).short) sessions"))
        }
        rows.append(.init("accounting events meanwhile", contention.events, unit: "/s", note: "on another core"))
        func bytes(_ name: String, _ bytes: Double, _ note: String) {
            rows.append(.init(name, Figures([bytes]), unit: "B", note: note))
        }
        for (name, population) in [
            ("v4, few", small), ("v4", large), ("v4 and v6 prefix", prefixes), ("v4 and NAT port block", blocks),
        ] {
            bytes("bytes a session, \(name)", population.resident, "growth of the process")
        }
        bytes("bytes a session, v4, counted", large.stated, "what the directory knows of")
        bytes("bytes an entry, Dictionary", yardstick.resident, "growth of the process")
        try options.report(
            BenchmarkResult(
                "directory", ratioOf: "v4, many sessions / few sessions", ratio: figures[1].ratio(to: figures[0]),
                rows: rows))
    }
}
