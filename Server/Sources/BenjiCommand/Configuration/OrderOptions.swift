import Administration
import ArgumentParser
import BenjiProtocol
import Foundation
import ServerRuntime

/// Where an order is given: to the installation on this machine, or to a server's admin interface.
struct OrderOptions: ParsableArguments {
    @OptionGroup var configuration: ConfigurationOptions
    @Option(
        help: ArgumentHelp(
            "The admin interface of a server (listen.administration), instead of an installation on this machine. Else "
                + "BENJI_SERVER in the environment.",
            valueName: "url"))
    var server: String?
    @Option(
        help: ArgumentHelp(
            "File with the token for --server (0600). Else the token itself in BENJI_ADMIN_TOKEN.", valueName: "file"))
    var tokenFile: String?
    @Option(help: "PEM certificates that sign the server's; the system's authorities if not given.")
    var serverAuthority: String?
    @Option(help: "PEM certificate to show the server instead of a token.") var clientCertificate: String?
    @Option(help: "PEM private key of --client-certificate.") var clientKey: String?
    @Option(
        help: ArgumentHelp(
            "How long to wait for the connection to --server: 1 to 600 seconds; 5 if not given.", valueName: "seconds"))
    var connectTimeout: Int?

    /// Gives an order and returns its answer.
    ///
    /// - Parameter preparing: runs before the order, with an installation on this machine only.
    func order<Asked: Order>(
        _ order: Asked, reason: String? = nil,
        preparing: @Sendable (Installation) async throws -> Void = { _ in }
    ) async throws -> JSON {
        guard let remote = try remote() else {
            return try await configuration.order(order, reason: reason, preparing: preparing)
        }
        return try await remote.perform(order, reason: reason)
    }

    /// Whether orders go to a server's admin interface.
    var isRemote: Bool { get throws { try remote() != nil } }

    private func remote() throws -> RemoteAdministration? {
        let environment = ProcessInfo.processInfo.environment
        // An installation named on the command line counts more than one named by the environment.
        let isLocal = configuration.config != nil || configuration.data != nil || !configuration.settings.isEmpty
        guard let text = server ?? (isLocal ? nil : environment["BENJI_SERVER"]) else {
            let given: [(String, String?)] = [
                ("--connect-timeout", connectTimeout.map(String.init)),
                ("--token-file", tokenFile), ("--server-authority", serverAuthority),
                ("--client-certificate", clientCertificate), ("--client-key", clientKey),
            ]
            if let idle = given.first(where: { $0.1 != nil }) {
                throw ValidationError("\(idle.0) has no effect without --server")
            }
            return nil
        }
        guard !isLocal else {
            throw ValidationError(
                "give --server, or --config, --data and --set for an installation on this machine, not both")
        }
        guard (clientCertificate == nil) == (clientKey == nil) else {
            throw ValidationError("--client-certificate and --client-key go together")
        }
        guard (1...600).contains(connectTimeout ?? 1) else {
            throw ValidationError("--connect-timeout: 1 to 600 seconds")
        }
        return try RemoteAdministration(
            server: text, token: try token(environment), authority: serverAuthority,
            identity: clientCertificate.flatMap { certificate in
                clientKey.map { CertificateFiles(certificate: certificate, key: $0) }
            }, connectSeconds: connectTimeout ?? 5)
    }

    private func token(_ environment: [String: String]) throws -> String? {
        guard let tokenFile else {
            return try environment["BENJI_ADMIN_TOKEN"].flatMap {
                $0.isEmpty ? nil : try Self.checked($0, from: "BENJI_ADMIN_TOKEN")
            }
        }
        let bytes = try CommandFile.read(tokenFile, for: "--token-file")
        if DataDirectory.isOpenToOthers(tokenFile) == true {
            throw CommandFailure("\(tokenFile): others may read the token; run: chmod 600 \(tokenFile)")
        }
        return try Self.checked(String(decoding: bytes, as: UTF8.self), from: "--token-file \(tokenFile)")
    }

    /// A token without blanks around it. What cannot be one is not sent anywhere.
    private static func checked(_ text: String, from place: String) throws -> String {
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw CommandFailure(
                "\(place): there is no token in it; benji admin grant printed one that begins with benji_admin_")
        }
        return token
    }
}
