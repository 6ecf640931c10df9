import BenjiFaceProtocol
import HTTPTypes
import Hummingbird
import ServerTestKit
import Store

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import FaceAccounts
@testable import FaceEndpoints
@testable import ServerHTTP

/// An app's server that makes SuperID's signed calls.
struct SuperIDCaller {
    let world: AuthorityWorld
    let routes: [EndpointRoute]
    var router: Router<EndpointContext>

    init(world: AuthorityWorld, provider: FaceProvider) {
        self.world = world
        routes = SuperIDServerEndpoints(provider: provider).routes
        router = PublicServer.router("server", routes: routes)
    }

    /// Calls a server without models.
    init(_ capabilities: Set<Capability> = [.login, .face, .faceGroups]) async throws {
        let world = try await AuthorityWorld()
        try await world.change { $0.capabilities = capabilities }
        self.init(
            world: world,
            provider: FaceProvider(
                configuration: .init(terms: FaceTerms(version: "1", title: "t", url: "https://id.example/face")),
                authority: world.authority, store: world.store, analyzer: NoFaces(), challenges: NoFaces()))
    }

    func call(
        _ method: HTTPRequest.Method, _ path: String, _ members: [String: String] = [:], nonce: String = "n1",
        key: String? = nil, seconds: Int64? = nil, from address: String = "203.0.113.7"
    ) async throws -> Exchange {
        var members = members
        members["app_id"] = world.app.record.id.rawValue
        members["timestamp"] = String(seconds ?? world.clock.now.seconds)
        members["noncestr"] = nonce
        members["signature"] = SuperIDSigning.sign(members, key: key ?? world.app.serverSecret.reveal())
            .uppercased()
        var body: [UInt8] = []
        var path = path
        if method == .get {
            path += "?" + SuperIDSigning.joined(members)
        } else {
            body = JSON.object(members.map { JSON.Member($0.key, .string($0.value)) }).serialized
        }
        return try await Exchange.send(
            router, method, path, headers: [.contentType: "application/json"], body: body, from: (address, 40001))
    }
}
