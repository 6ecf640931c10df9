import ArgumentParser
import BenchmarkSupport
import Foundation

/// The cost of logins, redemptions and sessions where gateway, authority and database are separate.
@main
struct ClusterBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ClusterBenchmark",
        abstract: "Logins, redemptions and sessions a second with SQLite, PostgreSQL and a synchronous replica.",
        discussion: """
            Gateway and authority are processes of their own, linked by mutual TLS. The authority keeps everything in \
            SQLite, in a
            PostgreSQL, or in one with a replica that each commit waits for, there at a pair of gateways too; all sync \
            before they
            answer. In each round phones log in at each of them in turn: prefetch and authorize on new connections, \
            and the app's server
            redeems on kept ones. Every phone must get its own number back.
            A figure is the processor time of each part for one login, kernel included: all gateways, all authorities, \
            PostgreSQL with
            its backends, the replica. All parts are on one core, phones and the app's server on the next.

            One, two, three and four authorities over one PostgreSQL get as many logins a second each, fewer than the \
            core can do. Once
            more four get as many as they answer: each then has a fourth of what one had, so fewer operations share a \
            transaction.

            Pairs of gateways get beginnings and endings of sessions, each committed before it is answered, and are on \
            all cores,
            with whoever sends. After each batch the record must have as many living sessions as there are.

            The scale is pgbench with a transaction of one row, at the number of clients with which it gets most, at \
            the same two
            databases. The ratio is that of redemptions to its rows, on PostgreSQL without a replica.
            """)

    @OptionGroup var options: BenchmarkOptions
    @Option(help: "Phones that log in, at each cluster in each round.") var logins = 2000
    @Option(help: "Sessions that begin and end, at each pair in each round.") var sessions = 20_000
    @Option(help: "Connections, each with one request under way.") var connections = 64
    @Option(help: "Steps of logins a second for each of one and several authorities.") var pace = 75.0
    @Option(help: "Authorities over one PostgreSQL at most.") var nodes = 4
    @Option(help: "The core that is measured; phones and app server are on the next.") var core = 0
    @Option(help: "Folder on the disk whose durable writes count (default: the system's for temporary files).")
    var folder: String?
    @Option(help: "The benji program (default: the one beside this).") var benji: String?

    /// The measurements, round by round.
    struct Measured {
        var logins: [String: [[PhonePool.Step: Cost]]] = [:]
        var pairs: [String: [Pair.Measurement]] = [:]
        var afterCheckpoint: [Double] = []
        /// Bytes that stay in PostgreSQL's tables for a login.
        var kept: [(table: String, bytes: Double)] = []
        /// Bytes of the register for a subscriber.
        var subscriber = 0.0
    }

    /// The most authorities on one core, as fast as they are.
    static let crowded = "most authorities"
    /// So many authorities, each at the same pace.
    static func paced(_ nodes: Int) -> String { "\(nodes) at the same pace" }
    static let tables = ["scrip", "token", "consent", "ledger", "trace_event"]

    func run() async throws {
        let cores = Cores.count
        // First, so that every thread stays there.
        try Cores.pin(to: Cores.beside(core))
        let (logins, sessions, rounds) = options.smoke ? (10, 60, 1) : (logins, sessions, options.rounds)
        let nodes = options.smoke ? min(nodes, 2) : nodes
        let place = Place(core: core, cores: cores, folder: folder)
        let program = try BenjiProgram(benji)
        let certificates = try LinkCertificates(gateways: Cluster.gateways, in: folder)
        func make(_ plan: Cluster.Plan, _ place: Place) throws -> Cluster {
            options.note("starting \(plan.name)")
            return try Cluster(plan, place, program: program, certificates: certificates)
        }
        let alone = try Database(place, hasReplica: false)
        let followed = try Database(place, hasReplica: true)
        var plans = [
            Cluster.Plan(name: Store.sqlite.rawValue), Cluster.Plan(name: Store.alone.rawValue, database: alone),
            Cluster.Plan(name: Store.followed.rawValue, database: followed),
            Cluster.Plan(name: Store.pair.rawValue, database: followed, isPair: true),
        ]
        if nodes > 1 {
            plans += (2...nodes).map { Cluster.Plan(name: "\($0) authorities", database: alone, nodes: $0) }
        }
        let clusters = try plans.map { try make($0, place) }
        let phones = try PhonePool(logins)
        for cluster in clusters {
            try phones.attach(to: cluster)
            // Everybody once, so that the register knows all and the programs' code is warm.
            _ = try phones.logIn(at: cluster, connections: connections)
        }
        let scales = try [alone, followed].map {
            try Insert($0.primary, seconds: options.smoke ? 1 : 3, clients: options.smoke ? [8] : [8, 32, 64])
        }
        let pairs = try [(Store.alone, false), (Store.followed, true)].map { store, hasReplica in
            let database = try Database(place.everywhere, hasReplica: hasReplica)
            let plan = Cluster.Plan(name: store.rawValue, database: database, isPair: true)
            return try Pair(make(plan, place.everywhere), sessions: sessions)
        }

        var measured = Measured()
        func login(
            _ cluster: Cluster, _ name: String? = nil, perSecond rate: Double? = nil, only some: Int? = nil
        ) -> Rounds.Contestant {
            let name = name ?? cluster.name
            return (
                "logins, \(name)",
                {
                    let costs = try phones.logIn(at: cluster, connections: connections, perSecond: rate, only: some)
                    measured.logins[name, default: []].append(costs)
                    return Cost(sumOf: Array(costs.values)).rate
                }
            )
        }
        let onAlone = clusters[1]
        // The last of all has most authorities.
        let growing = [onAlone] + clusters.dropFirst(Store.allCases.count)
        let paced = growing.map { cluster in
            login(
                cluster, Self.paced(cluster.nodes), perSecond: pace * Double(cluster.nodes),
                only: min(logins, Int(pace * 2.5) * cluster.nodes))
        }
        func session(_ pair: Pair) -> Rounds.Contestant {
            (
                "beginnings and endings, \(pair.cluster.name)",
                {
                    let found = try pair.measure()
                    measured.pairs[pair.cluster.name, default: []].append(found)
                    return found.rate
                }
            )
        }
        let sizes = try Self.tables.map { try alone.size(of: $0, in: onAlone.databaseName) }
        let figures = try await Rounds(rounds).run(
            clusters.prefix(Store.allCases.count).map { login($0) } + [login(growing[growing.count - 1], Self.crowded)]
                + paced + pairs.map(session)
                + zip([Store.alone, .followed], scales).map { store, scale in
                    ("rows of pgbench, \(store.rawValue)", { try scale.best() })
                }, progress: options.note)
        let made = [onAlone.name, Self.paced(1)].flatMap { measured.logins[$0] ?? [] }.reduce(0) {
            $0 + ($1[.redeem]?.count ?? 0)
        }
        for (table, before) in zip(Self.tables, sizes) {
            let grown = try alone.size(of: table, in: onAlone.databaseName) - before
            measured.kept.append((table, grown / Double(made)))
        }
        measured.subscriber = try alone.size(of: "subscription", in: onAlone.databaseName) / Double(logins)
        // Pages that change for the first time after a checkpoint go to the log whole. Last, so that no round has any.
        for round in 1...rounds {
            try alone.primary.run("CHECKPOINT")
            let logged = Cost(sumOf: Array(try phones.logIn(at: onAlone, connections: connections).values)).logged
            measured.afterCheckpoint.append(logged)
            options.note("round \(round)/\(rounds)  write-ahead log after a checkpoint: \(logged.short) B")
        }
        try options.report(
            result(measured, inserts: Array(figures.suffix(2)), sizes: [1] + Array(2...max(nodes, 2)).prefix(nodes - 1))
        )
    }

    /// The authority's store.
    enum Store: String, CaseIterable {
        case sqlite = "SQLite"
        case alone = "PostgreSQL"
        case followed = "PostgreSQL with a replica"
        /// The same, at a pair of gateways: whose it is is compared in each step.
        case pair = "PostgreSQL with a replica, a pair"
    }
}
