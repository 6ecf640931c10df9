import ArgumentParser
import Authority
import BenchmarkSupport
@_spi(Server) import BenjiProtocol
import Foundation
import Logging
import Store
import StoreSQLite

/// Redemptions without HTTP, in a process of their own, so that it can be kept on the core of the others.
enum Alone: String, ExpressibleByArgument {
    /// `SQLiteStore`, asked by as many tasks as there are connections.
    case store
    /// SQLite's own functions: one update and one insert for each, one commit for a group.
    case sqlite

    /// Starts it on `core` and returns what it reports: redemptions a second.
    func measure(_ scratch: Scratch, seconds: Int, group: Int, most: Int, core: Int) throws -> Double {
        let log = scratch.file("alone-\(rawValue).log")
        try? FileManager.default.removeItem(atPath: log)
        let process = try Child(
            "/proc/self/exe",
            ["--alone", rawValue, "--seconds", "\(seconds)", "--connections", "\(group)", "--most", "\(most)"],
            log: log, core: core, environment: ["TMPDIR": scratch.path])
        try process.wait(upTo: 120, for: "rate ")
        process.stop()
        guard let rate = process.said.split(separator: "rate ").last.flatMap({ Double($0.split(separator: "\n")[0]) })
        else { throw BenchmarkFailure("\(rawValue) alone did not say its rate: \(process.said.suffix(400))") }
        return rate
    }

    /// The measurement of that process.
    func rate(seconds: Int, group: Int, most: Int) async throws -> Double {
        let scratch = try Scratch("alone")
        switch self {
        case .store: return try await Self.storeRate(scratch, seconds: seconds, group: group, most: most)
        case .sqlite:
            return try BareSQLite(path: scratch.file("bare.sqlite")).rate(
                seconds: seconds, group: group, rows: most * seconds * 10)
        }
    }

    private static func storeRate(_ scratch: Scratch, seconds: Int, group: Int, most: Int) async throws -> Double {
        let store = try SQLiteStore(path: scratch.file("benji.sqlite"), logger: Logger(label: "benchmark"))
        let clock = SystemWallClock()
        let app = AppID(rawValue: "300000000001")!
        let records = try await store.changeSubscriptions(
            (0..<1000).map { NumberIndex(BlindIndex(bytes: TokenStock.hash("number \($0)").bytes)) }, audit: nil
        ) { position, present in
            present
                ?? SubscriptionRecord(
                    id: 0, numberIndex: BlindIndex(bytes: []),
                    sealedNumber: Sealed(bytes: Array(repeating: 1, count: 42)),
                    carrier: .mobile, epoch: 1, epochKey: Array(repeating: 1, count: 16), simGeneration: 1,
                    sealedSIM: nil, simChangedAt: clock.now, epochStartedAt: clock.now, lastSeenAt: clock.now)
        }
        let stock = TokenStock(store: store, app: app, subscriptions: records.compactMap { $0?.reference })
        let tokens = try await stock.fill(most * seconds)
        let begin = ContinuousClock.now
        let end = begin + .seconds(seconds)
        let spent = try await withThrowingTaskGroup(of: Int.self) { tasks in
            for lane in 0..<group {
                tasks.addTask {
                    var spent = 0
                    for index in stride(from: lane, to: tokens.count, by: group) {
                        guard ContinuousClock.now < end else { return spent }
                        let now = clock.now
                        let outcome = try await store.redeem(
                            Redemption(
                                token: CredentialHash(of: tokens[index], .token), appID: app, purposes: [.login],
                                messageID: tokens[index], now: now, quota: AnswerQuota(), day: 20_261_121,
                                leastAssurance: .net, interface: "loginTokenValidate")
                        ) { _, _ in "released" }
                        guard case .spent = outcome else { throw BenchmarkFailure("a token was not spent") }
                        spent += 1
                    }
                    // Where the tokens run out early, the time that they took counts.
                    return spent
                }
            }
            return try await tasks.reduce(0, +)
        }
        let rate = Double(spent) / (ContinuousClock.now - begin).inSeconds
        await store.close()
        return rate
    }
}
