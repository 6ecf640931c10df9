import Authority
import BenchmarkSupport
@_spi(Server) import BenjiProtocol
import Endpoints
import Foundation
import FoundationNetworking
import Logging
import Sightings
import Store
import StoreSQLite

/// An installation with an app, ten thousand subscriptions and tokens to spend, and the requests that spend them.
///
/// With fewer subscriptions each has so many unspent tokens that issuing one, which counts them, takes most of the
/// time.
final class Supply {
    /// Tokens that each round may spend.
    let perRound: Int
    private let scratch: Scratch
    private let app: RegisteredApp
    private let store: SQLiteStore
    private let tokens: [String]
    /// The first token that belongs to no round and has not been taken.
    private var next: Int

    /// Fills the installation's data folder, before its server is started.
    /// - Parameter more: tokens for everything that is no round.
    init(_ installation: Installation, scratch: Scratch, perRound: Int, rounds: Int, more: Int) async throws {
        (self.scratch, self.perRound, next) = (scratch, perRound, perRound * rounds)
        let data = installation.data
        try FileManager.default.createDirectory(
            atPath: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])

        let random = SystemRandomSource()
        // The server that starts afterwards finds an installation like any other.
        let vault = Vault(masterKey: try MasterKeyFile(path: data + "/master.key").load(random: random)[0])
        store = try SQLiteStore(path: data + "/benji.sqlite", logger: Logger(label: "benchmark"))
        var registration = Apps.Registration(name: "Benchmark")
        registration.serverAddresses = ["127.0.0.1"]
        app = try await Apps(store: store, vault: vault, clock: SystemWallClock(), random: random)
            .register(
                registration,
                by: OrderNote(actor: "benchmark", role: "operator", origin: "benchmark", order: "app.create"))
        let observations = (0..<10_000).map { index in
            SubscriberObservation(
                number: PhoneNumber("\(13_800_000_000 + index)")!,
                imsi: "46000\(1_000_000_000 + index)", carrier: .mobile, eventTime: SystemWallClock().now)
        }
        let subscriptions = try await Register(store: store, vault: vault, random: random).observe(observations)
        let stock = TokenStock(store: store, app: app.record.id, subscriptions: subscriptions.compactMap { $0 })
        tokens = try await stock.fill(perRound * rounds + more)
    }

    /// Answers billed so far, by the ledger itself.
    func billed() async throws -> Int {
        let newest = try await store.ledgerEntries(app: app.record.id, limit: 1)
        return Int(newest.first?.id ?? 0)
    }

    /// A file with the requests of one round, one a line, each with a token of its own.
    func bodies(round: Int) throws -> String {
        let file = scratch.file("bodies-\(round)")
        if !FileManager.default.fileExists(atPath: file) {
            let lines = tokens[(round * perRound)..<((round + 1) * perRound)].map(body)
            try (lines.joined(separator: "\n") + "\n").write(toFile: file, atomically: true, encoding: .utf8)
        }
        return file
    }

    /// Tokens that belong to no round.
    func take(_ count: Int) throws -> [String] {
        guard next + count <= tokens.count else { throw BenchmarkFailure("too few tokens were made") }
        defer { next += count }
        return Array(tokens[next..<(next + count)])
    }

    /// Returns the answer to a redemption, for nginx to send as many bytes.
    func exampleAnswer(of url: String) async throws -> String {
        var request = URLRequest(url: URL(string: url)!)
        request.httpMethod = "POST"
        request.httpBody = Data(body(try take(1)[0]).utf8)
        let text = String(decoding: try await URLSession.shared.data(for: request).0, as: UTF8.self)
        guard text.contains("msisdn") else { throw BenchmarkFailure("a redemption is refused: \(text)") }
        return text
    }

    /// A signed request for a token, with a name of its own.
    func body(_ token: String) -> String {
        let (version, strictCheck) = ("2.0", "0")
        let time = "20261121120000000"
        let message = SystemRandomSource().alphanumerics(32)
        let sign = CMPassportSigning.loginSign(
            appID: app.record.id.rawValue, version: version, messageID: message, systemTime: time,
            strictCheck: strictCheck, token: token, appKey: app.serverSecret.reveal())
        return
            #"{"version":"\#(version)","msgid":"\#(message)","systemtime":"\#(time)","strictcheck":"\#(strictCheck)","#
            + #""appid":"\#(app.record.id.rawValue)","token":"\#(token)","sign":"\#(sign)"}"#
    }
}
