import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle
import Shop
import UnixSignals

/// The example shop as a program. Secrets come by the environment, where other people's `ps` does not see them.
@main
struct ShopServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benji-shop", abstract: "A small tea shop whose customers log in with Benji.",
        discussion: """
            Secrets are read from the environment: SHOP_CLIENT_SECRET with --client-id, SHOP_SERVER_SECRET with \
            --app-id, and
            SHOP_CALLBACK_SECRET (two with a blank between them during a rotation) for events at /benji/events.
            """)

    @Option(help: "Where browsers reach the shop, without a path: https://shop.example.")
    var origin: String
    @Option(help: "Where to listen.")
    var host = "127.0.0.1"
    @Option(help: "The port to listen on.")
    var port = 8090
    @Option(help: "PEM file of the certificate chain, if the shop itself is to speak TLS.")
    var certificate: String?
    @Option(help: "PEM file of its private key.")
    var key: String?
    @Option(help: "The OpenID provider: https://id.example.")
    var issuer: String?
    @Option(help: "The shop's client_id there.")
    var clientID: String?
    @Flag(help: "Push authorization requests to the provider (RFC 9126).")
    var pushed = false
    @Option(help: "Where the operators' dialect is spoken: https://id.example.")
    var operatorServer: String?
    @Option(help: "The shop's app id there.")
    var appID: String?
    @Option(help: "PEM file of the authorities that are believed instead of the system's.")
    var trustRoots: String?
    @Option(help: "The address that connections to Benji leave by.")
    var sourceAddress: String?

    func validate() throws {
        guard (certificate == nil) == (key == nil) else {
            let (given, missing) = key == nil ? ("--certificate", "--key") : ("--key", "--certificate")
            throw ValidationError(
                "\(given) without \(missing): give both and the shop speaks TLS itself, or neither behind a proxy that "
                    + "does"
            )
        }
    }

    func run() async throws {
        var settings = ShopConfiguration(origin: origin)
        settings.host = host
        settings.port = port
        settings.trustRoots = trustRoots
        settings.sourceAddress = sourceAddress
        if let certificate, let key { settings.certificate = .init(chain: certificate, key: key) }
        if let issuer {
            settings.openID = .init(
                issuer: issuer, clientID: try given(clientID, "--client-id"),
                clientSecret: try secret("SHOP_CLIENT_SECRET"))
            settings.openID?.pushesRequests = pushed
        }
        if let operatorServer {
            settings.operatorDialect = .init(
                server: operatorServer, appID: try given(appID, "--app-id"),
                serverSecret: try secret("SHOP_SERVER_SECRET"))
        }
        settings.callbackSecrets =
            ProcessInfo.processInfo.environment["SHOP_CALLBACK_SECRET"]?.split(separator: " ").map(String.init) ?? []
        let logger = Logger(label: "shop")
        let shop = Shop(settings, logger: logger)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [shop], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    }

    private func given(_ value: String?, _ option: String) throws -> String {
        guard let value else { throw ValidationError("\(option) is missing") }
        return value
    }

    private func secret(_ name: String) throws -> String {
        guard let value = ProcessInfo.processInfo.environment[name], !value.isEmpty else {
            throw ValidationError("\(name) is missing in the environment")
        }
        return value
    }
}
