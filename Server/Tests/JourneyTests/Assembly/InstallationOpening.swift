import Authority
import Logging
import ServerTestKit
import Store

@testable import BenjiCommand
@_spi(Server) @testable import BenjiProtocol

extension ServerConfiguration {
    /// Opens the installation of these settings, without a log.
    func open(
        beginning: Bool = false, finishing: Bool = false, environment: [String: String] = [:]
    ) async throws -> Installation {
        try await Installation.open(
            self, beginning: beginning, finishing: finishing,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }), environment: environment)
    }

    /// Replaces the master key, as `benji keys rotate` does.
    /// - Returns: the former key's name.
    func rotateMasterKey() async throws -> MasterKeyID {
        let installation = try await open()
        let outcome = try await MasterKeyRotation(
            vault: installation.vault, store: installation.store, clock: SystemWallClock(),
            random: SystemRandomSource()
        ).run(by: .test)
        await installation.close()
        return outcome.retired[0]
    }
}
