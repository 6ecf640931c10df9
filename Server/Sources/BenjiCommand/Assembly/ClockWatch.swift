import Authority
import BenjiProtocol
import Logging
import Requests
import ServerHTTP
import ServiceLifecycle
import Store
import Synchronization

/// Compares this node's clock with that of its database, at the start and every five seconds. It also raises the node's
/// heartbeat in the database, which shows whether the database went back to an earlier state. A store on this machine
/// needs neither.
final class ClockWatch: Service {
    private static let interval: Duration = .seconds(5)

    private let serverTime: @Sendable () async throws(StoreError) -> Timestamp?
    private let beat: @Sendable () async throws(StoreError) -> Void
    private let clock: any WallClock
    private let logger: Logger
    private let standing = Mutex(ClockStanding())

    init(_ store: any Store, clock: any WallClock, logger: Logger) {
        serverTime = { () async throws(StoreError) in try await store.serverTime() }
        beat = { () async throws(StoreError) in try await store.check() }
        self.clock = clock
        self.logger = logger
    }

    /// For tests: a database that says what time it is.
    init(
        clock: any WallClock, logger: Logger, serverTime: @escaping @Sendable () async throws(StoreError) -> Timestamp?
    ) {
        self.serverTime = serverTime
        beat = {}
        self.clock = clock
        self.logger = logger
    }

    /// Compares now. A database that does not answer changes nothing: readiness has a check of the store.
    func compare() async {
        let asked = clock.now
        guard let time = try? await serverTime() else { return }
        let comparison = ClockComparison(asked: asked, answered: clock.now, other: time)
        switch standing.withLock({ $0.note(comparison) }) {
        case nil: break
        case .good: logger.notice("this machine's clock agrees with the database's again")
        case .warning: logger.warning("\(comparison.text(Self.name))")
        case .unfit: logger.error("not ready: \(comparison.text(Self.name))")
        }
    }

    static let name = "the database's"

    var check: HealthEndpoints.Check {
        HealthEndpoints.Check(
            "clock", warnings: { [self] in text(of: .warning).map { [$0] } ?? [] }, problem: { [self] in problem })
    }

    /// Why this node must serve no caller, or `nil`.
    var problem: String? { text(of: .unfit) }

    private func text(of verdict: ClockComparison.Verdict) -> String? {
        standing.withLock { $0.text(of: verdict, Self.name) }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.compare()
                try? await self.beat()
                do { try await Task.sleep(for: Self.interval) } catch { return }
            }
        }
        // The next start then notices if a commit that was made until now is missing.
        try? await beat()
    }
}
