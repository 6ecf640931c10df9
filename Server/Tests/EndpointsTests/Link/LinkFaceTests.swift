import BenjiFaceProtocol
import HTTPTypes
import Hummingbird
import ServerTestKit
import Synchronization
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints

/// Face login at an authority, as the link sees it.
private final class ScriptedFaces: FaceRequestDesk {
    struct Asked: Hashable {
        var path: FacePath
        var body: [UInt8]
        var proofs: [String]
        var attestations: [String]
        var contentType: String?
        var address: InternetAddress?
        var urls: [String]?
    }
    struct Trouble: Error {}

    let asked = Mutex<[Asked]>([])

    func answer(_ path: FacePath, _ request: Request, from sender: RequestSender) async throws -> JSON {
        let body = try await request.bytes(upTo: path.maximumBody)
        asked.withLock {
            $0.append(
                Asked(
                    path: path, body: body, proofs: request.headers[values: .deviceProof],
                    attestations: request.headers[values: .clientAttestation],
                    contentType: request.headers[.contentType], address: sender.peer?.address, urls: sender.urls))
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

    private static let call = LinkFaceCall(
        path: .frames, urls: ["https://gw.example/superid/v1/frames"], source: InternetAddress("2001:db8::7"),
        contentType: FaceFramesRequest.contentType, proofs: ["a.b.c", "\u{1}\"电"], attestations: ["x"],
        body: Array(0...255))

    @Test("A phone's request arrives as it was sent, with what its headers and its body hold")
    func message() throws {
        for call in [
            Self.call,
            LinkFaceCall(
                path: .begin, urls: [], source: nil, contentType: nil, proofs: [], attestations: [], body: []),
        ] {
            #expect(try LinkFaceCall(try #require(call.bytes)) == call)
        }
        var long = Self.call
        long.proofs = [String(repeating: "\u{1}", count: LinkFaceCall.maximumHead / 4)]
        #expect(long.bytes == nil)
        #expect(!"\(Self.call)".contains("a.b.c") && !String(reflecting: Self.call).contains("gw.example"))
    }

    @Test("A message that is cut off, too long in its head, or not of this shape is refused")
    func strictness() throws {
        let good = try #require(Self.call.bytes)
        let head = good[..<4].reduce(0) { $0 << 8 | Int($1) }
        for length in 0..<(4 + head) {
            #expect(throws: JSONError.self, "\(length)") { try LinkFaceCall(Array(good[..<length])) }
        }
        #expect(throws: JSONError.self) { try LinkFaceCall([0xff, 0xff, 0xff, 0xff] + good[4...]) }
        let json = try JSON(parsing: good[4..<4 + head])
        func message(_ json: JSON) -> [UInt8] {
            let head = json.serialized
            return [0, 0, UInt8(head.count >> 8), UInt8(head.count & 0xff)] + head
        }
        _ = try LinkFaceCall(message(json))
        for member in ["path", "urls", "proofs", "attestations"] {
            #expect(throws: JSONError.self, "\(member)") { try LinkFaceCall(message(json.setting(member, nil))) }
        }
        for (member, value) in [
            ("path", "/device/v1/prefetch"), ("source", "nowhere"), ("extra", true), ("proofs", .array([1])),
        ] as [(String, JSON)] {
            #expect(throws: JSONError.self, "\(member)") { try LinkFaceCall(message(json.setting(member, value))) }
        }
    }

    /// Returns the answer to a phone at a gateway that forwards requests.
    private func ask(
        _ remote: RemoteAuthority, _ path: FacePath, _ body: [UInt8] = [1, 2], proofs: [String] = ["head.body.sign"]
    ) async throws -> Exchange {
        let routes = RemoteFace(remote, publicURLs: Self.gatewayURLs).routes
        var headers = HTTPFields()
        headers[.contentType] = "application/json"
        headers[values: .deviceProof] = proofs
        headers[values: .clientAttestation] = ["word"]
        return try await Exchange.send(
            PublicServer.router("device", routes: routes), .post, path.rawValue, headers: headers, body: body,
            from: ("10.0.0.9", 40_001))
    }

    @Test("A gateway hands a phone's request on untouched, and its answer or refusal back")
    func handsOn() async throws {
        let faces = ScriptedFaces()
        try await inLinkWorld(face: faces) { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                for path in FacePath.allCases where ![.user, .state, .renew].contains(path) {
                    let answer = try await ask(remote, path, Array(path.rawValue.utf8))
                    #expect(answer.status == .ok && answer.code == "success")
                    #expect(
                        faces.asked.withLock { $0.last }
                            == .init(
                                path: path, body: Array(path.rawValue.utf8), proofs: ["head.body.sign"],
                                attestations: ["word"], contentType: "application/json",
                                address: InternetAddress("10.0.0.9"), urls: Self.gatewayURLs.map { $0 + path.rawValue })
                    )
                }
                let frozen = try await ask(remote, .user)
                #expect(frozen.code == "account_frozen" && frozen.json["since"] == 7)
                #expect(frozen.json["serverTime"] != nil)
            }
        }
    }

    @Test("What a phone's request brings about at the authority never makes the gateway leave a node alone")
    func nodeIsTrusted() async throws {
        try await inLinkWorld(face: ScriptedFaces()) { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                #expect(try await ask(remote, .state).code == "body_too_large")
                #expect(try await ask(remote, .renew).code == "internal_error")
                let long = String(repeating: "\u{e9}", count: LinkFaceCall.maximumHead)
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
                #expect(off.code == "face_unavailable")
                #expect(await remote.problem() == nil)
            }
        }
    }

    @Test("A gateway that is not among those that may call hands nothing on")
    func strangers() async throws {
        let faces = ScriptedFaces()
        try await inLinkWorld(face: faces) { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-9").client) { remote in
                let refused = try await ask(remote, .begin)
                #expect(refused.code == "gateway_not_trusted")
            }
        }
        #expect(faces.asked.withLock { $0.isEmpty })
    }

    @Test("The requests of one device key go to one node, and those of many are spread")
    func oneNode() {
        let choice = NodeChoice(["a:1", "b:1", "c:1"])
        func node(_ proof: String) -> Int? {
            var call = Self.call
            call.proofs = [proof]
            return choice.next(for: RemoteFace.key(of: call))
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
        try await inLinkWorld(face: ScriptedFaces()) { world in
            try await world.asGateway(try await world.certificates.gateway("gateway-1").client) { remote in
                let routes = RemoteFace(remote, publicURLs: Self.gatewayURLs, frameRequests: 0).routes
                let router = PublicServer.router("device", routes: routes)
                let frames = try await Exchange.send(router, .post, FacePath.frames.rawValue, body: [1])
                #expect(frames.code == "overloaded")
                #expect(try await Exchange.send(router, .post, FacePath.begin.rawValue, body: [1]).code == "success")
            }
        }
    }
}
