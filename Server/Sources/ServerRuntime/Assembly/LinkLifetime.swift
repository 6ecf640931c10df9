import Link
import ServiceLifecycle

/// Looks after nodes of the authority that are left alone, compares clocks once a minute, and closes the link's
/// connections at the end.
struct LinkLifetime: Service {
    /// How many rounds of a second apart each node is asked, for its clock too.
    static let roundsPerExamination = 60

    private let examine: @Sendable () async -> Void
    private let probe: @Sendable () async -> Void
    private let shutdown: @Sendable () async -> Void
    private let pause: @Sendable () async throws -> Void

    init(authority: RemoteAuthority) {
        self.init(
            examine: { _ = await authority.problem() }, probe: { await authority.probe() },
            shutdown: { await authority.shutdown() }, pause: { try await Task.sleep(for: .seconds(1)) })
    }

    /// For tests: whatever is examined, probed and shut down.
    init(
        examine: @escaping @Sendable () async -> Void, probe: @escaping @Sendable () async -> Void,
        shutdown: @escaping @Sendable () async -> Void, pause: @escaping @Sendable () async throws -> Void
    ) {
        self.examine = examine
        self.probe = probe
        self.shutdown = shutdown
        self.pause = pause
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var rounds = 0
            while !Task.isCancelled {
                if rounds.isMultiple(of: Self.roundsPerExamination) { await examine() }
                rounds += 1
                await probe()
                do { try await pause() } catch { return }
            }
        }
        await shutdown()
    }
}
