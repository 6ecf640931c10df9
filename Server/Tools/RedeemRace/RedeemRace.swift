// Two processes, one token, again and again: how often is it spent? Tests run it, and it falls with `--naive`.
import ArgumentParser
import BenjiProtocol
import Foundation
import GRDB
import Logging
import Sightings
import Store
import StoreSQLite

/// The command, the referee and the two processes.
@main
struct RedeemRace: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "RedeemRace",
        abstract: "Let two processes redeem the same tokens at the same instants, and count who won.",
        discussion: """
            Leaves with status 1 unless every token was spent exactly once, the ledger bills each once, and each \
            process won at least
            a tenth. With --naive both processes read, then write, as servers with this well-known bug do: the count \
            must then show it.
            """)

    @Option(help: "Tokens to race for.") var tokens = 10_000
    @Flag(help: "Race over a store that checks first and writes afterwards.") var naive = false
    @Option(help: .hidden) var worker: Int?
    @Option(help: .hidden) var directory: String?

    private static let appID = AppID(rawValue: "300000000001")!

    func run() async throws {
        if let worker, let directory {
            try await race(worker: worker, directory: directory)
        } else {
            try await referee()
        }
    }

    // MARK: the referee

    private func referee() async throws {
        guard tokens > 0 else { throw ValidationError("--tokens: at least 1") }
        let directory = NSTemporaryDirectory() + "/redeem-race-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let rounds = try SharedRounds(path: directory + "/rounds", rounds: tokens, create: true)
        try await prepare(directory)
        let start = ContinuousClock.now
        let workers = try (0..<2).map { worker in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments =
                ["--worker", "\(worker)", "--directory", directory, "--tokens", "\(tokens)"]
                + (naive ? ["--naive"] : [])
            try process.run()
            return process
        }
        for process in workers { process.waitUntilExit() }
        guard workers.allSatisfy({ $0.terminationStatus == 0 }) else { throw RaceError("a process failed") }
        var wins = [0, 0]
        var twice = 0
        var never = 0
        for round in 0..<tokens {
            let winners = (0..<2).filter { rounds.won(round: round, worker: $0) }
            for winner in winners { wins[winner] += 1 }
            if winners.isEmpty { never += 1 }
            if winners.count == 2 { twice += 1 }
        }
        let store = try Self.open(directory)
        let billed = naive ? tokens : try await store.billed(app: Self.appID, day: 20_261_121)
        await store.close()
        print(
            "\(tokens) tokens, two processes, \(ContinuousClock.now - start): won \(wins[0]) and \(wins[1]), "
                + "spent twice \(twice), never \(never), billed \(billed)")
        guard twice == 0, never == 0, billed == tokens, wins.allSatisfy({ $0 * 10 >= tokens }) else {
            throw ExitCode(1)
        }
    }

    private func prepare(_ directory: String) async throws {
        let store = try Self.open(directory)
        let subscription = try await store.changeSubscriptions([NumberIndex(BlindIndex(bytes: [1]))], audit: nil) {
            _, _ in
            SubscriptionRecord(
                id: 0, numberIndex: BlindIndex(bytes: [1]), sealedNumber: Sealed(bytes: [1]), carrier: .mobile,
                epoch: 1,
                epochKey: Array(repeating: 1, count: 16), simGeneration: 1, sealedSIM: nil,
                simChangedAt: Timestamp(milliseconds: 0), epochStartedAt: Timestamp(milliseconds: 0),
                lastSeenAt: Timestamp(milliseconds: 0))
        }[0]
        guard let subscription else { throw RaceError("no subscription") }
        try await store.createApp(
            AppRecord(
                id: Self.appID, name: "race", keys: [], capabilities: [.login], bundleIDs: [],
                serverAddresses: [], createdAt: Timestamp(milliseconds: 0)), audit: nil)
        for batch in stride(from: 0, to: tokens, by: 500) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in batch..<min(batch + 500, tokens) {
                    group.addTask { try await issue(index, to: subscription, in: store) }
                }
                try await group.waitForAll()
            }
        }
        await store.close()
        if naive { try NaiveStore.prepare(directory, tokens: tokens) }
    }

    private func issue(_ index: Int, to subscription: SubscriptionRecord, in store: SQLiteStore) async throws {
        let scrip = ScripRecord(
            hash: Self.hash(index, 2), family: Int64(index), generation: 1, appID: Self.appID,
            subscription: subscription.reference, carrier: .mobile, binding: BindingID(rawValue: 1), deviceKey: "key",
            nonceHash: Self.hash(index, 3), trace: TraceID(rawValue: String(repeating: "0", count: 32))!,
            dialect: .device,
            reusable: false, expiresAt: Timestamp(milliseconds: 1_000_000))
        try await store.insertScrip(scrip)
        let outcome = try await store.issueToken(
            TokenIssue(
                scrip: scrip.hash, nextScrip: nil,
                token: TokenRecord(
                    hash: Self.hash(index, 1), appID: Self.appID, purpose: .login, subscription: subscription.reference,
                    carrier: .mobile, binding: BindingID(rawValue: 1), deviceKey: "key", assurance: .net,
                    trace: scrip.trace, dialect: .device, issuedAt: Timestamp(milliseconds: 1),
                    expiresAt: Timestamp(milliseconds: 1_000_000)), consent: nil, now: Timestamp(milliseconds: 1),
                unusedSince: Timestamp(milliseconds: 2), unusedPerKey: .max, unusedPerNumber: .max))
        guard outcome == .issued else { throw RaceError("token \(index) was not issued: \(outcome)") }
    }

    // MARK: a worker

    private func race(worker: Int, directory: String) async throws {
        let rounds = try SharedRounds(path: directory + "/rounds", rounds: tokens, create: false)
        let store = try Self.open(directory)
        let naiveStore = naive ? try NaiveStore(directory) : nil
        for round in 0..<tokens {
            try rounds.wait(round: round)
            let won: Bool
            if let naiveStore {
                won = try naiveStore.redeem(round)
            } else {
                let outcome = try await store.redeem(
                    Redemption(
                        token: Self.hash(round, 1), appID: Self.appID, purposes: [.login],
                        messageID: "\(worker)-\(round)", now: Timestamp(milliseconds: 2), quota: AnswerQuota(),
                        day: 20_261_121, leastAssurance: .net,
                        interface: "race")
                ) { _, _ in "released" }
                switch outcome {
                case .spent: won = true
                case .alreadySpent: won = false
                default: throw RaceError("round \(round): \(outcome)")
                }
            }
            rounds.note(win: won, round: round, worker: worker)
        }
        await store.close()
    }

    private static func open(_ directory: String) throws -> SQLiteStore {
        var logger = Logger(label: "race")
        logger.logLevel = .error
        return try SQLiteStore(path: directory + "/benji.sqlite", logger: logger)
    }

    private static func hash(_ index: Int, _ kind: UInt8) -> CredentialHash {
        CredentialHash(
            bytes: [kind] + Array(repeating: 0, count: 23)
                + (0..<8).map { UInt8(truncatingIfNeeded: index >> ($0 * 8)) })
    }
}

/// The double that must fall: it looks whether a token is unspent, and spends it in a second step.
private struct NaiveStore {
    private let queue: DatabaseQueue

    static func prepare(_ directory: String, tokens: Int) throws {
        let queue = try DatabaseQueue(path: directory + "/naive.sqlite")
        try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE token (id INTEGER PRIMARY KEY, spent INTEGER NOT NULL)")
            for id in 0..<tokens { try db.execute(sql: "INSERT INTO token VALUES (?, 0)", arguments: [id]) }
        }
    }

    init(_ directory: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        queue = try DatabaseQueue(path: directory + "/naive.sqlite", configuration: configuration)
    }

    func redeem(_ id: Int) throws -> Bool {
        let spent = try queue.read {
            try Bool.fetchOne($0, sql: "SELECT spent FROM token WHERE id = ?", arguments: [id])
        }
        guard spent == false else { return false }
        try queue.write { try $0.execute(sql: "UPDATE token SET spent = 1 WHERE id = ?", arguments: [id]) }
        return true
    }
}
