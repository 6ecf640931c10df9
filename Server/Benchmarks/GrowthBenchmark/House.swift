import Authority
import BenchmarkPhones
import BenchmarkSupport
@_spi(Server) import BenjiProtocol
import Foundation
import Logging
import Sightings
import Store
import StoreSQLite

/// An installation with so many apps, a thousand subscribers and tokens to redeem, and its server.
final class House {
    let installation: Installation
    let apps: [RegisteredApp]
    private let scratch: Scratch
    private var tokens: [TokenFile.Token]

    private static let subscribers = 1000

    /// - Parameter tokens: The redemptions that will be requested in all, at least one of each app. The first are of
    ///   each app in turn, so that they cause the work that is done once for an app.
    init(apps count: Int, tokens: Int, options: GrowthOptions, note: (String) -> Void) async throws {
        scratch = try Scratch("growth", in: options.folder)
        installation = try Installation(in: scratch.path, program: options.benji)
        let data = installation.data
        try FileManager.default.createDirectory(
            atPath: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let random = SystemRandomSource()
        // The server that starts afterwards finds an installation like any other.
        let vault = Vault(masterKey: try MasterKeyFile(path: data + "/master.key").load(random: random)[0])
        let file = data + "/benji.sqlite"
        let store = try SQLiteStore(path: file, logger: Logger(label: "benchmark"))
        let registry = Apps(store: store, vault: vault, clock: SystemWallClock(), random: random)
        note("registering \(count) apps")
        apps = try await Self.register(count, registry)
        let subscriptions = try await Register(store: store, vault: vault, random: random).observe(
            (0..<Self.subscribers).map { index in
                SubscriberObservation(
                    number: Self.number(index), imsi: Self.imsi(index), carrier: .mobile,
                    eventTime: SystemWallClock().now)
            }
        ).compactMap(\.self)
        await store.close()
        let apps = apps
        self.tokens = try TokenFile(file).issue(tokens) { index in
            let app = tokens - index > apps.count ? apps.randomElement()! : apps[index % apps.count]
            return (app.record.id, subscriptions[index % subscriptions.count])
        }
        try installation.start(core: options.core)
    }

    static func number(_ index: Int) -> PhoneNumber { PhoneNumber("\(13_800_000_000 + index)")! }
    static func identity(of app: RegisteredApp) -> AppIdentity {
        AppIdentity(id: app.record.id, key: app.key.reveal(), serverSecret: app.serverSecret.reveal())
    }
    static func imsi(_ index: Int) -> String { "46000\(1_000_000_000 + index)" }

    private static func register(_ count: Int, _ registry: Apps) async throws -> [RegisteredApp] {
        var registration = Apps.Registration(name: "Benchmark")
        registration.serverAddresses = ["127.0.0.1"]
        registration.bundleIDs = [Installation.bundle]
        let note = OrderNote(actor: "benchmark", role: "operator", origin: "benchmark", order: "app.create")
        let lanes = min(count, 256)
        return try await withThrowingTaskGroup(of: [RegisteredApp].self) { [registration] group in
            for lane in 0..<lanes {
                group.addTask {
                    var apps: [RegisteredApp] = []
                    for _ in stride(from: lane, to: count, by: lanes) {
                        apps.append(try await registry.register(registration, by: note))
                    }
                    return apps
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// Processor time of the server while `work` runs, in microseconds for each of `count` operations.
    func processorTime(of count: Int, _ work: () throws -> Void) throws -> Double {
        let before = try installation.processorTime
        do { try work() } catch { throw BenchmarkFailure("\(error); \(installation.state)") }
        // The server's writes after its answers, such as traces, are a part of them.
        usleep(50_000)
        return (try installation.processorTime - before) / Double(count) * 1e6
    }

    /// Redeems `count` unused tokens of all apps, over so many kept connections. Returns the microseconds of processor
    /// time for each.
    func redeem(_ count: Int, connections: Int) throws -> Double {
        guard tokens.count >= count else { throw BenchmarkFailure("all tokens have been redeemed") }
        let redeemed = tokens.suffix(count)
        tokens.removeLast(count)
        let identities = Dictionary(uniqueKeysWithValues: apps.map { ($0.record.id, Self.identity(of: $0)) })
        let requests = redeemed.map { identities[$0.app]!.redemption(of: $0.text) }
        let load = HTTPLoad(port: installation.server, connections: connections)
        try load.open()
        var answers: [[UInt8]] = []
        let time = try processorTime(of: count) { answers = try load.exchange(requests) }
        for answer in answers { _ = try AppIdentity.number(in: answer) }
        return time
    }
}
