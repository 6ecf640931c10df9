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
            All get the same signed packets, on the same core, one after the other. Benji keeps its directory with \
            them and answers
            what is durable in its journal. FreeRADIUS has a configuration that says yes and nothing more: it keeps \
            nothing. Three
            more keep each packet, in a file (detail), in SQLite and in PostgreSQL; the two databases get a tenth of \
            the packets.

            The ratio is that of whole lives: one Start, four Interim-Updates and one Stop for each session. Reports \
            alone are
            measured too. Every answer's authenticator is checked; at the end the server's own counters must tell as \
            many packets and
            sessions, and phones at random addresses must be recognised as their holders, or not at all where the \
            session stopped.
            After the rounds each that keeps something is started again under strace, which counts its syncs, killed \
            in the middle of
            a load, started again, and must know every session whose Start it had answered. Else it is not durable, \
            and has no ratio.

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
        let rounds = options.smoke ? 1 : options.rounds
        let scratch = try Scratch("accounting", in: folder)
        let sending =
            options.smoke
            ? Contestant.Sending(sockets: sockets, window: 64, distance: 128, count: 1_800)
            : Contestant.Sending(sockets: sockets, window: window, distance: 4096, count: packets)
        var small = sending
        (small.count, small.distance) = (sending.count / (options.smoke ? 3 : 10), 0)
        small.window = min(window, options.smoke ? 32 : 128)
        let gateway = try BenjiGateway(in: scratch, benji: benji, core: core, sending: sending)
        let benji = gateway.contestant
        let others = try FreeRADIUS.Keeping.allCases.map { keeping in
            try FreeRADIUS(keeping, in: scratch, core: core, threads: keeping == .nothing ? workers : nil)
        }
        let peers = try others.map { try $0.contestant([.sqlite, .postgresql].contains($0.keeping) ? small : sending) }
        let contestants = [benji] + peers
        defer { for contestant in contestants { contestant.group.kill() } }
        for contestant in contestants {
            options.note("introducing \(contestant.core.subscribers) subscribers to \(contestant.name)")
            if contestant !== benji { try contestant.begin() }
            try contestant.introduce()
        }
        var measured: [String: [Contestant.Measurement]] = [:]
        func entrant(_ who: Contestant, _ what: Contestant.Workload) -> Rounds.Contestant {
            let name = "\(who.name), \(what)"
            return (
                name,
                {
                    let measurement = try who.measure(what)
                    measured[name, default: []].append(measurement)
                    return measurement.rate
                }
            )
        }
        let slow = peers[1...]
        _ = try await Rounds(rounds).run(
            [entrant(benji, .lives), entrant(peers[0], .lives), entrant(benji, .reports), entrant(peers[0], .reports)]
                + slow.map { entrant($0, .lives) }, progress: options.note)
        try await gateway.checkDirectory()
        for (freeRADIUS, contestant) in zip(others, peers) where freeRADIUS.keeping != .nothing {
            let kept = try freeRADIUS.kept().count
            guard kept == contestant.core.started else {
                throw BenchmarkFailure("\(contestant.name) keeps \(kept) of \(contestant.core.started) sessions")
            }
        }
        let slices = options.smoke ? 1 : 3
        options.note("killing benji in the middle of a load")
        var durability = ["benji": try benji.durability(scratch, slices: slices, lost: gateway.lost)]
        if let fault = durability["benji"]?.fault { throw BenchmarkFailure("benji is not durable: \(fault)") }
        for (freeRADIUS, contestant) in zip(others, peers) where freeRADIUS.keeping != .nothing {
            options.note("killing \(contestant.name) in the middle of a load")
            freeRADIUS.shorten()
            durability[contestant.name] = try contestant.durability(scratch, slices: slices) { sessions in
                let kept = try freeRADIUS.kept()
                return sessions.count { !kept.contains(contestant.core.name(of: $0)) }
            }
        }
        try options.report(
            Self.result(measured, durability, names: (benji.name, peers[0].name, slow.map(\.name))))
        let repeated = contestants.reduce(0) { $0 + $1.repeated }
        if repeated > 0 { options.note("\(repeated) packets were lost on the way and sent again") }
    }
}
