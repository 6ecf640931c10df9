import ArgumentParser
import BenchmarkSupport
import Foundation

/// The server's cost of a login, step by step.
@main
struct LoginBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "LoginBenchmark",
        abstract: "Processor time of a whole login on the server, by step.",
        discussion: """
            Phones with real device keys go through each step, all of them one step before the next: the packet core \
            announces their
            sessions, the SDK prefetches, shows a page and authorizes, an app server redeems the token and gets the \
            number. Then the
            same phones prefetch again and verify their number without a page. A step's figure is the processor time \
            that the server
            used meanwhile, for each phone, kernel included. It runs on a core of its own; phones and app server use \
            the next.

            The first part is done at a server that speaks TLS 1.3, too, with a certificate on P-256: as the SDK and \
            an app's server connect,
            which is one new connection for prefetch and authorize and a kept one for redemptions; then with a full \
            handshake for each
            request, with a resumed session for each, and with kept connections, by phones and app servers alike.

            At another server the same phones log in with and without a key of App Attest, and over OpenID Connect \
            with and without tokens that
            are bound to a key (DPoP); the order turns from round to round, and the difference is taken round by round.

            Redemptions are then made at two more servers: of an app without a callback, and of one whose callback's \
            receiver takes
            connections and never answers.

            Every answer is checked: each phone must get its own number back. The yardstick is what nobody can spare: \
            checking the
            three signatures of the device key that a login has (proof of the prefetch, proof of the authorize, \
            consent). The ratio is
            the time of a login to theirs.
            """)

    @OptionGroup var options: BenchmarkOptions
    @Option(help: "Phones that log in, in each round.") var logins = 300
    @Option(help: "Phones that are at it at the same time.") var lanes = 16
    @Option(help: "The core that is measured; phones and app server are on the next.") var core = 0
    @Option(help: "Folder on the disk whose durable writes count (default: the system's for temporary files).")
    var folder: String?
    @Option(help: "The benji program (default: the one beside this).") var benji: String?

    func run() async throws {
        // First, so that every thread stays there.
        try Cores.pin(to: Cores.beside(core))
        let (logins, rounds) = options.smoke ? (6, 1) : (logins, options.rounds)
        let scratch = try Scratch("login", in: folder)
        let installation = try Installation(in: scratch.path, program: benji)
        let app = try installation.createApp()
        try installation.start(core: core)
        let street = try await Street(installation, app: app, phones: logins, lanes: min(lanes, logins))
        // Everybody once, so that the register knows all and the server's code is warm.
        for step in Street.Step.allCases { try await street.take(step) }
        let scratchTLS = try Scratch("login-tls", in: folder)
        let overTLS = try await TLSLogins(
            in: scratchTLS, benji: benji, core: core, phones: logins, lanes: min(lanes, logins))
        let scratchOfProofs = try Scratch("login-proofs", in: folder)
        let proven = try await ProvenLogins(
            in: scratchOfProofs, benji: benji, core: core, phones: logins, lanes: min(lanes, logins))
        let scratchesOfCallbacks = try DeadReceiver.App.allCases.map { _ in try Scratch("login-callback", in: folder) }
        let callbacks = try await DeadReceiver(
            in: scratchesOfCallbacks, benji: benji, core: core, phones: logins, lanes: min(lanes, logins))

        var times: [Street.Step: [Double]] = [:]
        var signatures: [Double] = []
        var timesTLS: [TLSTransport.Use?: [Double]] = [:]
        var timesOfProofs: [ProvenLogins.Kind: [Double]] = [:]
        var redemptions: [DeadReceiver.App: [DeadReceiver.Measurement]] = [:]
        for round in 1...rounds {
            for step in Street.Step.allCases {
                let before = try installation.processorTime
                try await street.take(step)
                let time = (try installation.processorTime - before) / Double(logins) * 1e6
                times[step, default: []].append(time)
                options.note("round \(round)/\(rounds)  \(step.rawValue): \(time.short) µs")
            }
            for (use, time) in try await overTLS.measure() {
                timesTLS[use, default: []].append(time)
                options.note("round \(round)/\(rounds)  over TLS, \(TLSLogins.name(use)): \(time.short) µs")
            }
            for (kind, time) in try await proven.measure(round: round) {
                timesOfProofs[kind, default: []].append(time)
                options.note("round \(round)/\(rounds)  \(kind.rawValue): \(time.short) µs")
            }
            for (app, measured) in try await callbacks.measure() {
                redemptions[app, default: []].append(measured)
                options.note("round \(round)/\(rounds)  a redemption, \(app.rawValue): \(measured.wait.short) ms")
            }
            signatures.append(try Signatures.microseconds(count: logins))
        }
        func figures(of steps: [Street.Step]) -> Figures {
            Figures((0..<rounds).map { round in steps.reduce(0) { $0 + (times[$1]?[round] ?? 0) } })
        }
        let whole = figures(of: Street.Step.login)
        func row(_ step: Street.Step, ofWhole: Bool) -> BenchmarkResult.Row {
            let figures = figures(of: [step])
            let share = (figures.ratio(to: whole).median * 100).rounded()
            return .init(step.rawValue, figures, unit: "µs", note: ofWhole ? "\(Int(share)) % of a login" : "")
        }
        let three = Figures(signatures)
        func figures(_ app: DeadReceiver.App, _ figure: (DeadReceiver.Measurement) -> Double) -> Figures {
            Figures((redemptions[app] ?? []).map(figure))
        }
        try options.report(
            BenchmarkResult(
                "login", ratioOf: "a login / its three signature checks", ratio: whole.ratio(to: three),
                rows: Street.Step.login.map { row($0, ofWhole: true) }
                    + [.init("a whole login", whole, unit: "µs", note: "processor time of the server")]
                    + TLSLogins.uses.map { use in
                        .init(
                            "a whole login over TLS, \(TLSLogins.name(use))", Figures(timesTLS[use] ?? [0]), unit: "µs",
                            note: use == nil ? "one full handshake" : "all three requests")
                    }
                    + ProvenLogins.rows(timesOfProofs)
                    + Street.Step.others.map { row($0, ofWhole: false) }
                    + DeadReceiver.App.allCases.flatMap { app in
                        [
                            BenchmarkResult.Row(
                                "a redemption, \(app.rawValue): until its answer", figures(app, \.wait), unit: "ms",
                                note: "\(lanes) under way"),
                            BenchmarkResult.Row(
                                "a redemption, \(app.rawValue)", figures(app, \.processor), unit: "µs",
                                note: "processor time of the server"),
                        ]
                    }
                    + [
                        .init(
                            "until its answer, the callback's receiver is dead / no callback",
                            figures(.deaf, \.wait).ratio(to: figures(.plain, \.wait)), unit: "×")
                    ]
                    + [.init("checking three P-256 signatures", three, unit: "µs", note: "the yardstick")]))
    }
}
