import ArgumentParser
import BenchmarkSupport
import RADIUS

/// How much accounting a gateway takes in, beside a server that only answers.
@main
struct AccountingBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "AccountingBenchmark",
        abstract: "Accounting packets a second on one core, against FreeRADIUS.",
        discussion: """
            Both get the same signed packets, on the same core, one after the other. Benji keeps its directory with them and answers
            what is durable in its journal. FreeRADIUS has a configuration that says yes and nothing more: it keeps nothing.

            The ratio is that of whole lives: one Start, four Interim-Updates and one Stop for each session. Reports alone are
            measured too. Every answer's authenticator is checked; at the end the server's own counters must tell as many packets and
            sessions, and phones at random addresses must be recognised as their holders, or not at all where the session stopped.

            The benji next to this program is started: build both for release first, or all with `make bench`.
            """)

    @OptionGroup var options: BenchmarkOptions
    @Option(help: "Packets that one measurement sends.") var packets = 120_000
    @Option(help: "Packets that may wait for their answer.") var window = 512
    @Option(help: "Sockets that they come from.") var sockets = 4
    @Option(help: "Worker threads of FreeRADIUS; 0 for none, which is its fastest on one core.") var workers = 0
    @Option(help: "The core that is measured; the packets come from the next.") var core = 0
    @Option(help: "Folder on the disk whose durable writes count (default: the system's for temporary files).")
    var folder: String?
    @Option(help: "The benji program (default: the one beside this).") var benji: String?

    func run() async throws {
        // First, so that every thread stays there.
        try Cores.pin(to: Cores.beside(core))
        let (count, rounds) = options.smoke ? (1_800, 1) : (packets, options.rounds)
        let contest = try Contest(
            in: Scratch("accounting", in: folder), benji: benji, core: core, sockets: sockets,
            window: options.smoke ? 64 : window,
            workers: workers, distance: options.smoke ? 128 : 4096)
        options.note("introducing \(contest.subscribers) subscribers")
        try contest.introduce()
        var costs: [String: [Double]] = [:]
        func measure(_ who: Contest.Contestant, _ what: Contest.Workload) -> () throws -> Double {
            {
                let measured = try contest.measure(who, what, count: count)
                costs["\(who)\(what)", default: []].append(measured.processor)
                return measured.rate
            }
        }
        let figures = try await Rounds(rounds).run(
            [
                ("benji, whole lives", measure(.benji, .lives)),
                ("FreeRADIUS, whole lives", measure(.freeRADIUS, .lives)),
                ("benji, reports", measure(.benji, .reports)), ("FreeRADIUS, reports", measure(.freeRADIUS, .reports)),
            ], progress: options.note)
        try await contest.checkDirectory()

        func row(_ name: String, _ figures: Figures, _ unit: String, _ note: String = "") -> BenchmarkResult.Row {
            BenchmarkResult.Row(name, figures, unit: unit, note: note)
        }
        func cost(_ who: Contest.Contestant, _ what: Contest.Workload) -> Figures {
            Figures(costs["\(who)\(what)"] ?? [0])
        }
        try options.report(
            BenchmarkResult(
                "accounting", ratioOf: "benji / FreeRADIUS answering only", ratio: figures[0].ratio(to: figures[1]),
                rows: [
                    row("benji: Start, 4 Interim-Updates, Stop", figures[0], "/s", "directory and journal kept"),
                    row("FreeRADIUS: the same lives", figures[1], "/s", "nothing kept"),
                    row("benji: Interim-Updates", figures[2], "/s", "directory and journal kept"),
                    row("FreeRADIUS: the same Interim-Updates", figures[3], "/s", "nothing kept"),
                    row("Interim-Updates: benji / FreeRADIUS", figures[2].ratio(to: figures[3]), "×"),
                    row(
                        "the same by processor time, whole lives",
                        cost(.freeRADIUS, .lives).ratio(to: cost(.benji, .lives)),
                        "×", "FreeRADIUS's for a packet / benji's"),
                    row("benji: processor time of a packet, whole lives", cost(.benji, .lives), "µs"),
                    row("benji: processor time of an Interim-Update", cost(.benji, .reports), "µs"),
                    row("FreeRADIUS: processor time of a packet", cost(.freeRADIUS, .lives), "µs"),
                ]))
        if contest.repeated > 0 { options.note("\(contest.repeated) packets were lost on the way and sent again") }
    }
}
