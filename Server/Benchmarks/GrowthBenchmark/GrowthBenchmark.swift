import ArgumentParser
import BenchmarkSupport

/// How the cost of each kind of work grows with what it works on or beside.
@main
struct GrowthBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "GrowthBenchmark",
        abstract: "Processor time of redeem, login, accounting, store and look-ups over growing sizes.",
        discussion: """
            Each series is one kind of work at growing sizes; every size once in each round, one after the other.

            redeem: redemptions over HTTP by the whole server, over kept connections (with one app) and over \
            registered apps (64
            connections), to which the tokens belong by chance. login: prefetch, authorize and redemption, over phones \
            that are at it
            at the same time and over apps; phones have device keys from before and make a connection for each request.
            accounting: Interim-Updates of live sessions through the gateway's own code with its journal, without \
            sockets, over live
            sessions. store: redemptions without HTTP, over spent tokens that lie in the store and were put there by \
            SQL; fresh ones
            are redeemed, as in life. directory: look-ups of random sessions, over sessions that were put there \
            without packets, and
            what a session takes in memory. books: one look at each page about the busiest of a thousand apps, with \
            the list of all,
            over lines of the ledger, of which it has half: as orders, its statement alone, its bill and all pages as \
            the console
            makes them, without a socket.

            For redeem and login a figure is what the server's process uses, for books the time until the answers are \
            there, for the
            others what this process uses, kernel included. The
            ratio is that of a redemption with most apps to one with a single app, or of the first series that --only \
            names.
            """)

    @OptionGroup var options: BenchmarkOptions
    @OptionGroup var growth: GrowthOptions

    func run() async throws {
        // First, so that every thread stays there.
        try Cores.pin(to: Cores.beside(growth.core))
        let study = Study(
            growth: growth, sizes: options.smoke ? .tiny : Sizes(growth),
            rounds: options.smoke ? 1 : options.rounds, note: options.note)
        var series: [Series] = []
        for part in try growth.parts {
            switch part {
            case .redeem, .login: break
            case .accounting: series.append(try await study.accounting())
            case .store: series.append(try await study.store())
            case .directory: series += try await study.directory()
            case .books: series += try await study.books()
            }
        }
        let overHTTP = try growth.parts.filter { $0 == .redeem || $0 == .login }
        if !overHTTP.isEmpty { series = try await study.overHTTP(overHTTP) + series }
        let stated = series.first { $0.name == "redeem" && $0.over == "apps" } ?? series[0]
        try options.report(
            BenchmarkResult(
                "growth", ratioOf: "\(stated.name): most \(stated.over) / fewest", ratio: stated.growth,
                rows: study.rows(of: series), series: series))
        // Tiny sizes do not show growth.
        if !options.smoke { try study.checkPages() }
    }
}
