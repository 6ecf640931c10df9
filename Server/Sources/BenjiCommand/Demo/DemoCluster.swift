import BenjiProtocol
import Foundation
import OpenIDProvider
import ServerRuntime
import ServiceLifecycle
import Store
import StorePostgres

/// The demo's server as a cluster: two nodes of an authority over one PostgreSQL, and a gateway that asks them. Each
/// has a data directory and listeners of its own; all are in this process.
struct DemoCluster {
    let server: AssembledServer
    /// Of the first node, which app servers call, and of the second.
    let installations: [Installation]

    /// - Parameters:
    ///   - configuration: of the demo as one process.
    ///   - place: a directory that `scripts/demo.sh` made: `socket`, where PostgreSQL listens, and the link's
    ///     certificates.
    ///   - open: opens an installation as the demo does.
    ///   - assemble: puts parts of the demo together.
    static func open(
        _ configuration: ServerConfiguration, in place: String,
        open: (ServerConfiguration) async throws -> Installation, assemble: (ServerConfiguration) -> ServerAssembly
    ) async throws -> DemoCluster {
        let links = try FreePorts.take(2)
        let names = ["authority-1", "authority-2"]
        var nodes: [(server: AssembledServer, installation: Installation)] = []
        do {
            for (name, link) in zip(names, links) {
                let node = try authority(configuration, name, link: link, in: place)
                if let first = nodes.first {
                    // One installation: the same master key in each node.
                    try node.process.makeDataDirectory()
                    try FileManager.default.copyItem(
                        atPath: first.installation.configuration.masterKeyPath, toPath: node.masterKeyPath)
                }
                let installation = try await open(node)
                do { nodes.append((try await assemble(node).authority(installation), installation)) } catch {
                    await installation.close()
                    throw error
                }
            }
            let gateway = try await assemble(gateway(configuration, links: links, in: place)).gateway.open()
            let up = NodesUp(gateway: gateway.ports, nodes: nodes.map(\.server.ports))
            return DemoCluster(
                server: AssembledServer(
                    ProcessServices(
                        services: nodes.flatMap(\.server.services) + gateway.services + [up],
                        certificates: gateway.certificates, ports: gateway.ports), nodes.first?.installation),
                installations: nodes.map(\.installation))
        } catch {
            await nodes.map(\.installation).close()
            throw error
        }
    }

    private static func authority(
        _ configuration: ServerConfiguration, _ name: String, link: UInt16, in place: String
    ) throws -> ServerConfiguration {
        var node = configuration
        node.role = .authority
        node.dataDirectory += "/\(name)"
        node.postgres = ServerConfiguration.Postgres(
            parameters: try ConnectionParameters("host=\(place)/socket dbname=benji user=benji"), connections: 4)
        node.networkElements = []
        node.gatewayListener = ListenAddress(host: configuration.server.host, port: link)
        node.gatewayCarriers = ["gateway-1": Set(Carrier.documented)]
        node.mutualTLS = identity("authority", in: place)
        node.admin.port = 0
        // App servers call the first.
        if name != "authority-1" { node.server.port = 0 }
        return node
    }

    private static func gateway(_ configuration: ServerConfiguration, links: [UInt16], in place: String)
        -> ServerConfiguration
    {
        var gateway = configuration
        gateway.role = .gateway
        gateway.dataDirectory += "/gateway-1"
        gateway.gatewayName = "gateway-1"
        gateway.authorityURLs = links.map { "https://127.0.0.1:\($0)" }
        gateway.mutualTLS = identity("gateway-1", in: place)
        gateway.openID = nil
        return gateway
    }

    private static func identity(_ name: String, in place: String) -> ProcessConfiguration.MutualTLS {
        ProcessConfiguration.MutualTLS(
            identity: CertificateFiles(certificate: "\(place)/\(name).pem", key: "\(place)/\(name).key"),
            certificateAuthority: "\(place)/link-ca.pem")
    }
}

/// Publishes the app servers' port once all nodes listen, so that a caller that waits for it finds everything up.
private struct NodesUp: Service {
    let gateway: BoundPorts
    let nodes: [BoundPorts]

    func run() async throws {
        for node in nodes { _ = await node.port(.gateways) }
        if let first = nodes.first { await gateway.set(.server, Int(await first.port(.server))) }
        try await gracefulShutdown()
    }
}
