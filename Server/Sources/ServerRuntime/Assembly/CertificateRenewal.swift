package import BenjiProtocol
package import Logging
import Metrics
package import ServerHTTP
import ServiceLifecycle
import UnixSignals

/// Reads certificates again on SIGHUP, and says when one ends soon.
package struct CertificateRenewal: Service {
    /// A certificate where it is used: a listener's name, or "link" for a gateway's calls to its authority.
    package struct Use: Sendable {
        package var listener: String
        package var tls: RenewableTLS
    }

    private let uses: [Use]
    private let clock: any WallClock
    private let logger: Logger

    package init(_ uses: [Use], clock: any WallClock, logger: Logger) {
        self.uses = uses
        self.clock = clock
        self.logger = logger
    }

    /// One for each setting: two listeners may share a certificate.
    private var certificates: [RenewableTLS] {
        uses.map(\.tls).reduce(into: []) { found, tls in
            if !found.contains(where: { $0 === tls }) { found.append(tls) }
        }
    }

    /// The checks of certificates for `/health/ready`: they warn and never fail. Accounting must not wait for a
    /// certificate.
    package var checks: [HealthEndpoints.Check] {
        certificates.map { tls in
            HealthEndpoints.Check(tls.setting, warnings: { [clock] in tls.warnings(at: clock.now) }) { nil }
        }
    }

    package func run() async throws {
        // Trapped without a certificate too, so that the signal never ends the server.
        let signals = await UnixSignalsSequence(trapping: .sighup)
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { for await _ in signals { renew() } }
                group.addTask {
                    while (try? await Task.sleep(for: .seconds(86400))) != nil { warn() }
                }
            }
        }
    }

    /// Says which certificates the server begins with.
    package func announce() {
        for tls in certificates { say("a certificate is in use", tls) }
        measure()
        warn()
    }

    private func renew() {
        if uses.isEmpty { logger.notice("SIGHUP: no certificate is configured, so there is nothing to read again") }
        for tls in certificates {
            switch tls.renew(at: clock.now) {
            case .renewed: say("a certificate was read again; new connections get it", tls)
            case .kept(let problem):
                logger.error(
                    "a certificate was not renewed; the one before stays in use",
                    metadata: ["setting": "\(tls.setting)", "problem": "\(problem)"])
            }
        }
        measure()
        warn()
    }

    private func say(_ message: Logger.Message, _ tls: RenewableTLS) {
        let identity = tls.current
        logger.notice(
            message,
            metadata: [
                "setting": "\(tls.setting)", "file": "\(identity.file)", "certificate": "\(identity.subject)",
                "not-after": "\(Timestamp(seconds: identity.life.ends).dateText)",
            ])
    }

    private func warn() {
        let now = clock.now
        for tls in certificates {
            let identity = tls.current
            let metadata: Logger.Metadata = ["setting": "\(tls.setting)", "file": "\(identity.file)"]
            if let problem = identity.life.problem(at: now.seconds) {
                logger.error("\(problem)", metadata: metadata)
            } else if let warning = identity.life.warning(at: now.seconds) {
                logger.warning("\(warning)", metadata: metadata)
            }
        }
    }

    private func measure() {
        for use in uses {
            let dimensions = [("listener", use.listener)]
            Gauge(label: "benji_tls_certificate_not_after_seconds", dimensions: dimensions)
                .record(use.tls.current.life.ends)
            Gauge(label: "benji_tls_renewal_failed", dimensions: dimensions)
                .record(use.tls.problem == nil ? 0 : 1)
        }
    }
}
