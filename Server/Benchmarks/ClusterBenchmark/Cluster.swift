import BenchmarkPhones
import BenchmarkSupport
import BenjiProtocol
import Foundation

/// Gateway, authority and what keeps their data, each as processes of its own, set up as docs/operations/gateways.md
/// says.
final class Cluster {
    /// A part whose processor time and bytes are counted.
    enum Part: String, CaseIterable {
        case gateway
        case authority
        case primary = "PostgreSQL"
        case replica
    }

    /// The parts to set up.
    struct Plan {
        /// Its name in reports.
        var name: String
        /// `nil` for SQLite, which only a single node can have.
        var database: Database?
        var nodes = 1
        /// Whether two gateways are a pair.
        var isPair = false
    }

    /// The resources used until a moment.
    struct Usage {
        var processor: [Part: Double] = [:]
        var written: [Part: Double] = [:]
    }

    let name: String
    let nodes: Int
    let parts: [Part]
    let app: AppIdentity
    /// Where phones call, apps' servers (each node), and a packet core.
    let device: UInt16
    let servers: [UInt16]
    let accounting: UInt16
    let database: Database?
    /// The name of its database in PostgreSQL.
    let databaseName: String
    private let scratch: Scratch
    private let groups: [Part: ProcessGroup]

    static let gateways = ["gateway-1", "gateway-2"]
    /// Where phones call.
    var deviceURL: String { Self.url(device) }
    private static func url(_ port: UInt16) -> String { "http://127.0.0.1:\(port)" }

    /// Sets it up and starts it.
    init(_ plan: Plan, _ place: Place, program: BenjiProgram, certificates: LinkCertificates) throws {
        (name, nodes, database) = (plan.name, plan.nodes, plan.database)
        scratch = try Scratch("cluster", in: place.folder)
        var groups: [Part: ProcessGroup] = [.gateway: ProcessGroup(), .authority: ProcessGroup()]
        var store = ""
        if let database = plan.database {
            groups[.primary] = database.groups.primary
            if database.hasReplica { groups[.replica] = database.groups.replica }
            let made = try database.create()
            (databaseName, store) = (made.name, "store: {postgres: \"\(made.connection)\"}")
        } else {
            databaseName = ""
        }
        self.groups = groups
        parts = Part.allCases.filter { groups[$0] != nil }

        let names = plan.isPair ? Self.gateways : [Self.gateways[0]]
        let links = try (0..<plan.nodes).map { _ in try Loopback.freePort() }
        servers = try links.map { _ in try Loopback.freePort() }
        let known = names.map { "\($0): {carriers: [mobile]\(plan.isPair ? ", pair: pair" : "")}" }
        let settings = zip(links, servers).map { link, server in
            """
            role: authority
            gateways: {names: [\(names.joined(separator: ", "))], \(known.joined(separator: ", "))}
            \(certificates.setting(of: "authority"))
            \(store)
            """ + "\nlisten: {gateways: 127.0.0.1:\(link), server: 127.0.0.1:\(server), "
        }
        let process = Processes(scratch, place, program)
        var made: AppIdentity?
        for (number, settings) in settings.enumerated() {
            let node = try process.configure("authority-\(number + 1)", settings)
            if number == 0 {
                let app = try program.createApp(node.configuration, log: scratch.file("orders"))
                guard let id = AppID(rawValue: app.id) else { throw BenchmarkFailure("no app") }
                made = AppIdentity(id: id, key: app.key, serverSecret: app.serverSecret)
            } else {
                // One installation: the same master key in each node.
                try FileManager.default.copyItem(
                    atPath: scratch.file("authority-1/master.key"), toPath: node.data + "/master.key")
            }
            try process.start(node, in: groups[.authority]!)
        }
        guard let made else { throw BenchmarkFailure("a cluster needs a node") }
        app = made

        let urls = links.map { "\"https://127.0.0.1:\($0)\"" }.joined(separator: ", ")
        let ports = try names.map { _ in (device: try Loopback.freePort(), accounting: try Loopback.freeDatagramPort())
        }
        (device, accounting) = ports[0]
        for (name, ports) in zip(names, ports) {
            let gateway = try process.configure(
                name,
                """
                role: gateway
                authority: {url: [\(urls)]}
                gateway: {name: \(name)\(plan.isPair ? ", pair: true" : "")}
                public: {urls: ["\(Self.url(device))"]}
                \(Installation.nas)
                \(certificates.setting(of: name))
                """
                    + "\nlisten: {device: 127.0.0.1:\(ports.device), accounting: 127.0.0.1:\(ports.accounting), ")
            // The second of a pair is not ready while the first one owns it.
            try process.start(
                gateway, in: groups[.gateway]!, until: name == names[0] ? "HTTP/1.1 200" : "owns the pair")
        }
    }

    /// Bytes of PostgreSQL's write-ahead log so far; 0 with SQLite.
    func logged() throws -> Double { try database?.logged() ?? 0 }

    /// Seconds and bytes of each part so far.
    func usage() throws -> Usage {
        var usage = Usage()
        for part in parts {
            usage.processor[part] = try groups[part]!.processorTime
            usage.written[part] = Double(groups[part]!.written)
        }
        return usage
    }
}

/// The processes of a cluster, and their files.
private struct Processes {
    struct StartedCluster {
        var configuration: String
        var data: String
        var admin: UInt16
        var log: String
    }

    private let scratch: Scratch
    private let place: Place
    private let program: BenjiProgram

    init(_ scratch: Scratch, _ place: Place, _ program: BenjiProgram) {
        (self.scratch, self.place, self.program) = (scratch, place, program)
    }

    /// - Parameter settings: to which the listener for health is added, and the data folder.
    func configure(_ name: String, _ settings: String) throws -> StartedCluster {
        let made = StartedCluster(
            configuration: scratch.file(name + ".yaml"), data: scratch.file(name), admin: try Loopback.freePort(),
            log: scratch.file(name + ".log"))
        try FileManager.default.createDirectory(
            atPath: made.data, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try (settings + "admin: 127.0.0.1:\(made.admin)}\ndata: \(made.data)\n").write(
            toFile: made.configuration, atomically: true, encoding: .utf8)
        return made
    }

    /// - Parameter expected: what its health page must say.
    func start(_ made: StartedCluster, in group: ProcessGroup, until expected: String = "HTTP/1.1 200") throws {
        let child = try group.start(
            program.path, ["serve", "--config", made.configuration], acting: place.acting, log: made.log,
            core: place.core)
        try child.wait(upTo: 30) { Loopback.get("/health/ready", port: made.admin)?.contains(expected) == true }
    }
}
