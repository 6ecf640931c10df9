import Authority
import BenjiProtocol
import Foundation
import Gateway
import Link
import Logging
import Requests
import ServerHTTP
import ServiceLifecycle

extension ServerAssembly {
    /// Role *gateway*: receives accounting, recognises phones, and asks an authority in another process. It keeps a
    /// journal of sessions, which holds no number, and nothing else.
    func gateway() async throws -> AssembledServer {
        guard !configuration.authorityURLs.isEmpty else {
            throw ConfigurationError(
                key: "authority.url", problem: "missing; where does the authority listen for gateways?")
        }
        let tls = try RenewableTLS("mutual-tls") { [configuration] in try configuration.gatewayTLS().clientIdentity }
        let radSec = try configuration.radSecTLS()
        try configuration.makeDataDirectory()
        // Left where it is, it would be believed once the gateway is of no pair any more.
        if configuration.isPaired, FileManager.default.fileExists(atPath: configuration.journalPath) {
            throw ConfigurationError(
                key: "gateway.pair",
                problem: "a gateway of a pair keeps no journal, and \(configuration.journalPath) is from before: "
                    + "delete it, for it names who had an address then")
        }
        let authority: RemoteAuthority
        do {
            authority = try RemoteAuthority(
                urls: configuration.authorityURLs, tls: tls, timeout: configuration.authorityTimeout, clock: clock,
                logger: logger)
        } catch {
            throw ConfigurationError(key: "authority.url", problem: error.problem)
        }
        do {
            let gateway = try await gatewayService(
                register: authority, pair: configuration.isPaired ? authority : nil, radSec: radSec)
            // One node remembers proofs by itself, whichever gateway they were shown to.
            let proofs =
                configuration.authorityURLs.count == 1
                ? nil
                : ReplayGuard(FreshProofs(capacity: configuration.rememberedProofs, clock: clock)) {
                    gateway.ownedSince
                }
            return server(
                nil,
                // The link ends when no service uses it any more.
                services: [
                    LinkLifetime(authority: authority), gateway,
                    ErasurePoller(register: authority, gateway: gateway, logger: logger),
                ],
                listeners: [
                    deviceListener(gateway: gateway, tls: try configuration.listenerTLS()) { scheme, sightings in
                        ForwardingEndpoints(
                            authority, sightings: sightings, proofs: proofs, clock: clock,
                            publicURLs: configuration.publicURLs, derivedScheme: scheme
                        ).routes
                    }
                ],
                checks: [.init(gateway), .init(authority)],
                link: tls, radSec: radSec)
        } catch {
            await authority.shutdown()
            throw error
        }
    }
}

extension ServerConfiguration {
    /// This gateway's certificate for the link, which must name it: the authority would refuse every sighting.
    fileprivate func gatewayTLS() throws(ConfigurationError) -> LinkTLS {
        let tls = try linkTLS()
        guard tls.name == gatewayName else {
            throw ConfigurationError(
                key: "gateway.name",
                problem: "is \(gatewayName), but the one DNS name of the certificate for the link "
                    + "(\(tls.certificatePath)) is \(tls.name ?? "missing")")
        }
        return tls
    }
}

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
