import BenjiFaceProtocol
import HTTPTypes
import Hummingbird
import ServerTestKit
import Synchronization
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import Link
@testable import Requests
@testable import ServerHTTP

/// Face login at an authority, as the link sees it.
private final class ScriptedFaces: Sendable {
    struct Asked: Hashable {
        var path: FacePath
        var body: [UInt8]
        var proofs: [String]
        var attestations: [String]
        var contentType: String?
        var address: InternetAddress?
        var baseURLs: [String]?
    }
    struct Trouble: Error {}

    let asked = Mutex<[Asked]>([])

    var routes: [EndpointRoute] {
        FacePath.allCases.map { path in
            ProvenRequests.route(path.rawValue, clock: SystemWallClock()) { request, context in
                try await self.answer(path, request, context)
            }
        }
    }

    private func answer(_ path: FacePath, _ request: Request, _ context: EndpointContext) async throws -> JSON {
        let body = try await request.bytes(upTo: path.maximumBody)
        asked.withLock {
            $0.append(
                Asked(
                    path: path, body: body, proofs: request.headers[values: .deviceProof],
                    attestations: request.headers[values: .clientAttestation],
                    contentType: request.headers[.contentType], address: context.peer?.address,
                    baseURLs: context.sender?.baseURLs))
        }
        switch path {
        case .user:
            throw Refusal(.accountFrozen, "frozen", trace: nil, serverTime: nil, since: Timestamp(milliseconds: 7))
        case .state: throw Situation.bodyTooLarge
        case .renew: throw Trouble()
        default: return .object(["code": "success"])
        }
    }
}

@Suite("What the link carries of face login", .serialized)
struct LinkFaceTests {
    private static let gatewayURLs = ["https://gw.example", "https://other.example"]

    private func router(_ remote: RemoteAuthority, pictures: Int = 64) -> Router<EndpointContext> {
        PublicServer.router(
            "device",
            routes: ForwardingEndpoints(
                remote, sightings: StatedSightings(), publicURLs: Self.gatewayURLs, pictures: pictures
            ).routes)
    }

    /// Returns the answer to a phone at a gateway that forwards requests.
    private func ask(
        _ remote: RemoteAuthority, _ path: FacePath, _ body: [UInt8] = [1, 2], proofs: [String] = ["head.body.sign"]
    ) async throws -> Exchange {
        var headers = HTTPFields()
        headers[.contentType] = "application/json"
        headers[values: .deviceProof] = proofs
        headers[values: .clientAttestation] = ["word"]
        return try await Exchange.send(
            router(remote), .post, path.rawValue, headers: headers, body: body, from: ("10.0.0.9", 40_001))
    }

    @Test("A gateway forwards a phone's request untouched, and its answer or refusal back")
    func forwards() async throws {
        let faces = ScriptedFaces()
        try await inLinkWorld(more: faces.routes) { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                for path in FacePath.allCases where ![.user, .state, .renew].contains(path) {
                    let answer = try await ask(remote, path, Array(path.rawValue.utf8))
                    #expect(answer.status == .ok && answer.code == "success")
                    #expect(
                        faces.asked.withLock { $0.last }
                            == .init(
                                path: path, body: Array(path.rawValue.utf8), proofs: ["head.body.sign"],
                                attestations: ["word"], contentType: "application/json",
                                address: InternetAddress("10.0.0.9"), baseURLs: Self.gatewayURLs))
                }
                let frozen = try await ask(remote, .user)
                #expect(frozen.code == "account_frozen" && frozen.json["since"] == 7)
                #expect(frozen.json["serverTime"] != nil)
            }
        }
    }

    @Test("What a phone's request brings about at the authority never makes the gateway leave a node alone")
    func nodeIsTrusted() async throws {
        try await inLinkWorld(more: ScriptedFaces().routes) { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                #expect(try await ask(remote, .state).code == "body_too_large")
                #expect(try await ask(remote, .renew).code == "internal_error")
                let long = String(repeating: "\u{e9}", count: FramedMessage.maximumHead)
                #expect(try await ask(remote, .begin, proofs: [long]).code == "malformed_request")
                let large = try await ask(remote, .begin, [UInt8](repeating: 0, count: FacePath.begin.maximumBody + 1))
                #expect(large.code == "body_too_large")
                #expect(await remote.problem() == nil)
                #expect(remote.warnings.isEmpty)
            }
        }
        try await inLinkWorld { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                let off = try await ask(remote, .begin)
                #expect(off.code == "not_found", "face login is off at the authority")
                #expect(await remote.problem() == nil)
            }
        }
    }

    @Test("Where face login is off at the authority a gateway reads one body for it, and others again once it is on")
    func off() async throws {
        let state = Mutex((isOn: false, bodies: [Int]()))
        let route = EndpointRoute(.post, FacePath.frames.rawValue) { request, _ in
            let body = try await request.bytes(upTo: FacePath.frames.maximumBody)
            let isOn = state.withLock { state in
                state.bodies.append(body.count)
                return state.isOn
            }
            guard isOn else { throw Situation.notFound }
            return Response(.object(["code": "success"]))
        }
        try await inLinkWorld(only: [route]) { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                let router = router(remote)
                for _ in 0..<3 {
                    let answer = try await Exchange.send(router, .post, FacePath.frames.rawValue, body: [1, 2])
                    // Without its body a request is one whose body is too large, for a route that reads it.
                    #expect(["not_found", "success"].contains(answer.code))
                    state.withLock { $0.isOn = true }
                }
            }
        }
        #expect(state.withLock { $0.bodies } == [2, 2, 2])
    }

    @Test("A gateway that is not among those that may call forwards nothing")
    func strangers() async throws {
        let faces = ScriptedFaces()
        try await inLinkWorld(more: faces.routes) { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-9").client) { remote in
                let refused = try await ask(remote, .begin)
                #expect(refused.code == "gateway_not_trusted")
            }
        }
        #expect(faces.asked.withLock { $0.isEmpty })
    }

    @Test("The requests of one device key go to one node, and those of many are spread")
    func oneNode() throws {
        let choice = NodeChoice(["a:1", "b:1", "c:1"])
        let path = try #require(ForwardedPath.all.first { $0.path == FacePath.frames.rawValue })
        func node(_ proof: String) -> Int? {
            let request = LinkPhone().browse(.post, path.path, [.deviceProof: proof])
            return ForwardingEndpoints.key(of: request, path).flatMap { choice.next(for: $0) }
        }
        var nodes: Set<Int?> = []
        for device in 0..<50 {
            let chosen = Set((0..<5).map { node("head\(device).body\($0).sign\($0)") })
            #expect(chosen.count == 1)
            nodes.formUnion(chosen)
        }
        #expect(nodes == [0, 1, 2])
    }

    @Test("Frames of more phones at once than a gateway may hold are refused there")
    func crowd() async throws {
        try await inLinkWorld(more: ScriptedFaces().routes) { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                let router = router(remote, pictures: 0)
                let frames = try await Exchange.send(router, .post, FacePath.frames.rawValue, body: [1])
                #expect(frames.code == "overloaded")
                #expect(try await Exchange.send(router, .post, FacePath.begin.rawValue, body: [1]).code == "success")
            }
        }
    }
}
