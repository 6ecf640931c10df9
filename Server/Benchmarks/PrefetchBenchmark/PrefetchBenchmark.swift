import ArgumentParser
import BenchmarkSupport
import BenjiClient
@_spi(Server) import BenjiProtocol
import BenjiTransportCurl
import RADIUS
import Sandbox

/// How long an app waits for a prefetch: the first, and one that is still in memory.
@main
struct PrefetchBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "PrefetchBenchmark",
        abstract: "Time that an app waits for a cached prefetch, and for a cold one.",
        discussion: """
            A cold prefetch signs a proof, opens a connection, asks the server and waits: here over the loopback, so a \
            mobile network's
            round trips come on top. A cached one is the SDK's second prefetch while the first is valid: it is \
            answered from memory,
            without any network, which the server's counters must confirm. In between lies a repeated one: the app was \
            started
            anew, so the phone's memory is empty, but the server has issued a scrip for this number before.

            The ratio is cold to cached. The documents of existing services promise 10 to 30 ms for a cached prefetch.
            """)

    @OptionGroup var options: BenchmarkOptions
    @Option(help: "Prefetches of each kind that one measurement makes.") var prefetches = 200
    @Option(help: "The core of the server; the phones are on the next.") var core = 0
    @Option(help: "Folder for the server's data (default: the system's for temporary files).") var folder: String?
    @Option(help: "The benji program (default: the one beside this).") var benji: String?

    func run() async throws {
        // First, so that every thread stays there.
        try Cores.pin(to: Cores.beside(core))
        let (count, rounds) = options.smoke ? (5, 1) : (prefetches, options.rounds)
        let scratch = try Scratch("prefetch", in: folder)
        let installation = try Installation(in: scratch.path, program: benji)
        let app = try installation.createApp()
        try installation.start(core: core)
        let bench = try Bench(installation, app: app)
        options.note("announcing \(count * (rounds + 1)) phones")
        try await bench.announce(count * (rounds + 1))
        _ = try await bench.measure(count)

        var measured: [Bench.Measurement] = []
        for round in 1...rounds {
            let measurement = try await bench.measure(count)
            options.note(
                "round \(round)/\(rounds)  cold: \(measurement.cold.short) µs, cached: \(measurement.cached.short) µs")
            measured.append(measurement)
        }
        let (cold, cached) = (Figures(measured.map(\.cold)), Figures(measured.map(\.cached)))
        try options.report(
            BenchmarkResult(
                "prefetch", ratioOf: "cold / cached", ratio: cold.ratio(to: cached),
                rows: [
                    .init("cold", cold, unit: "µs", note: "over the loopback, median of \(count)"),
                    .init(
                        "repeated, the app started anew", Figures(measured.map(\.repeated)), unit: "µs",
                        note: "over the loopback, median of \(count)"),
                    .init("cached", cached, unit: "µs", note: "from the SDK's memory, median of \(count)"),
                ]))
    }
}
