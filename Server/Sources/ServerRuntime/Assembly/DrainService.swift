package import Logging
package import ServerHTTP
import ServiceLifecycle

/// The beginning of a stop: for a while requests are still served while readiness fails (``Draining``).
///
/// The last of a process's services, because they end in the reverse of their order.
package struct DrainService: Service {
    package let draining: Draining
    package let time: Duration
    package let logger: Logger

    package func run() async throws {
        try await gracefulShutdown()
        guard time > .zero else { return }
        draining.begin()
        logger.notice("this process is being stopped and takes its last requests", metadata: ["for": "\(time)"])
        try? await Task.sleep(for: time)
    }
}
