import Authority
import BenchmarkSupport
@_spi(Server) import BenjiProtocol
import Logging
import Sightings
import Store
import StoreSQLite

/// A store in which so many spent tokens lie, and which is asked without HTTP.
final class FilledStore {
    private let scratch: Scratch
    private let store: SQLiteStore
    private var tokens: [TokenFile.Token]

    /// - Parameter fresh: tokens that are to be redeemed, issued after all those that lie there.
    init(_ count: Int, fresh: Int, folder: String?, note: (String) -> Void) async throws {
        scratch = try Scratch("growth-store", in: folder)
        let path = scratch.file("benji.sqlite")
        let logger = Logger(label: "benchmark")
        var store = try SQLiteStore(path: path, logger: logger)
        let app = AppID(rawValue: "300000000001")!
        let now = SystemWallClock().now
        let record = try await store.changeSubscriptions(
            [NumberIndex(BlindIndex(bytes: Array(repeating: 7, count: 32)))], audit: nil
        ) { _, present in
            present
                ?? SubscriptionRecord(
                    id: 0, numberIndex: BlindIndex(bytes: []),
                    sealedNumber: Sealed(bytes: Array(repeating: 1, count: 42)),
                    carrier: .mobile, epoch: 1, epochKey: Array(repeating: 1, count: 16), simGeneration: 1,
                    sealedSIM: nil, simChangedAt: now, epochStartedAt: now, lastSeenAt: now)
        }.first
        guard let subscription = record??.reference else { throw BenchmarkFailure("no subscription was made") }
        await store.close()
        let file = try TokenFile(path)
        let time = try seconds { try file.fillWithSpent(count, app: app, subscription: subscription) }
        tokens = try file.issue(fresh) { _ in (app, subscription) }
        note("\(Double(count).short) tokens put into a store within \(time.short) s")
        withExtendedLifetime(file) {}
        store = try SQLiteStore(path: path, logger: logger)
        self.store = store
    }

    /// Redeems `count` tokens, 64 at the same time. Microseconds of this process's processor time for each.
    func redeem(_ count: Int) async throws -> Double {
        guard tokens.count >= count else { throw BenchmarkFailure("all tokens have been redeemed") }
        // The oldest first, as they are in life.
        let redeemed = Array(tokens.prefix(count))
        tokens.removeFirst(count)
        let store = store
        let before = ProcessUsage.own.processor
        try await inLanes(min(64, count), count: count) { index, _ in
            let token = redeemed[index]
            let outcome = try await store.redeem(
                Redemption(
                    token: CredentialHash(of: token.text, .token), appID: token.app, purposes: [.login],
                    messageID: String(token.text.suffix(32)), now: SystemWallClock().now, quota: AnswerQuota(),
                    day: 20_261_121, leastAssurance: .net, interface: "loginTokenValidate")
            ) { _, _ in "released" }
            guard case .spent = outcome else { throw BenchmarkFailure("a token was not spent") }
        }
        return (ProcessUsage.own.processor - before) / Double(count) * 1e6
    }
}
