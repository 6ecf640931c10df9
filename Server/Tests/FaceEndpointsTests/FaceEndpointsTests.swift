import BenjiFaceProtocol
import FaceAccounts
import Foundation
import HTTPTypes
import Hummingbird
import ServerTestKit
import Synchronization
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import FaceEndpoints
@testable import Link
@testable import Requests
@testable import ServerHTTP

@Suite("Face login over HTTP") struct FaceEndpointsTests {
    private static let base = "https://id.example.com"
    private let signer = SoftwareDeviceSigner()
    private let service = ScriptedFaceAccounts()

    private var router: Router<EndpointContext> {
        PublicServer.router(
            "device",
            routes: FaceEndpoints(service: service, clock: TestClock.document, publicURLs: [Self.base]).routes)
    }

    private func send(
        _ path: FacePath, _ body: [UInt8], type: String = "application/json", signing signed: [UInt8]? = nil,
        at url: String? = nil, by other: SoftwareDeviceSigner? = nil, from address: String = "10.0.0.7",
        through given: Router<EndpointContext>? = nil
    ) async throws -> Exchange {
        let signer = other ?? signer
        let proof = try DeviceProof(
            id: "0123456789abcdef", method: "POST", url: url ?? Self.base + path.rawValue,
            issuedAt: TestClock.document.now, body: signed ?? body, localAddress: nil, key: signer.publicKey
        ).signed(by: signer)
        var headers = HTTPFields()
        headers[.contentType] = type
        headers[HTTPField.Name("DPoP")!] = proof
        return try await Exchange.send(
            given ?? router, .post, path.rawValue, headers: headers, body: body, from: (address, 40_001))
    }

    private static func credential(_ grammar: CredentialGrammar) -> String {
        grammar.prefix + String(repeating: "q", count: grammar.length - grammar.prefix.utf8.count)
    }

    private let access = FaceAccessRequest(
        appToken: credential(.faceAppToken), accessToken: credential(.faceAccess)
    ).json.serialized

    @Test("A signed request reaches the authority, and its answer comes back")
    func honest() async throws {
        let answer = try await send(.cancel, access)
        #expect(answer.status == .ok && answer.json["erased"] == true)
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(service.calls.withLock { $0 } == ["cancel"])
    }

    @Test("Frames travel as bytes, under a proof over all of them")
    func frames() async throws {
        let frames = FaceFramesRequest(
            session: Self.credential(.faceSession), challenge: Self.credential(.faceChallenge),
            frames: [.init(milliseconds: 3, picture: Array(0..<255))])
        let answer = try await send(.frames, frames.bytes, type: FaceFramesRequest.contentType)
        #expect(answer.json["state"] == "passed")
        #expect(service.frames.withLock { $0 } == [frames])
        let json = try await send(.frames, frames.bytes)
        #expect(json.status == .badRequest && json.code == "malformed_request")
        let altered = try await send(
            .frames, frames.bytes.dropLast() + [7], type: FaceFramesRequest.contentType, signing: frames.bytes)
        #expect(altered.code == "proof_invalid")
        let cut = try await send(
            .frames, Array(frames.bytes.dropLast()), type: FaceFramesRequest.contentType)
        #expect(cut.code == "parameter_invalid")
    }

    @Test("A proof for another address, a body that is too large and a refusal are answered with their codes")
    func refusals() async throws {
        #expect(try await send(.cancel, access, at: Self.base + FacePath.erase.rawValue).code == "proof_invalid")
        let large = try await send(.cancel, [UInt8](repeating: 0x20, count: FacePath.cancel.maximumBody + 1))
        #expect(large.status == .contentTooLarge)
        let frozen = try await send(.user, access)
        #expect(frozen.status == .forbidden && frozen.code == "account_frozen")
        #expect(frozen.json["serverTime"] == .integer(TestClock.document.now.milliseconds))
        #expect(try await send(.begin, access).code == "parameter_missing")
    }

    @Test("A gateway forwards each request and each page of face login")
    func paths() {
        let own = Set(FacePath.allCases.map(\.rawValue))
        let forwarded = ForwardedPath.all.filter { own.contains($0.path) || $0.path.hasPrefix("/face/") }
        let endpoints = FaceEndpoints(service: service, clock: TestClock.document, publicURLs: [])
        let answered = endpoints.routes + FacePages().accountRoutes
        #expect(
            Set(forwarded.map { "\($0.method) \($0.path)" }) == Set(answered.map { "\($0.method) \($0.path)" }))
    }

    /// A phone's request as a gateway forwards it, with what the gateway made of it.
    private func handOn(
        _ path: FacePath = .cancel, signedFor signed: FacePath = .cancel,
        baseURLs: [String] = [base], body: [UInt8]? = nil
    ) async throws -> String {
        let proof = try DeviceProof(
            id: "0123456789abcdef", method: "POST", url: Self.base + signed.rawValue, issuedAt: TestClock.document.now,
            body: access, localAddress: nil, key: signer.publicKey
        ).signed(by: signer)
        let request = Request(
            head: HTTPRequest(
                method: .post, scheme: nil, authority: nil, path: path.rawValue,
                headerFields: [.contentType: "application/json", .deviceProof: proof]),
            body: RequestBody(buffer: ByteBuffer(bytes: body ?? access)))
        // No addresses of its own: an authority that stands apart has no listener for phones.
        let endpoints = FaceEndpoints(service: service, clock: TestClock.document, publicURLs: [])
        do {
            _ = try await endpoints.answer(
                path, request, .forwarded(from: ForwardedSender(peer: nil, baseURLs: baseURLs)))
            return "success"
        } catch let refusal as Refusal { return refusal.situation.rawValue }
    }

    @Test("A gateway cannot alter a phone's request or make one: the authority verifies the proof itself")
    func handedOn() async throws {
        #expect(try await handOn() == "success")
        #expect(try await handOn(body: access + [0x20]) == "proof_invalid")
        #expect(try await handOn(.erase) == "proof_invalid")
        #expect(try await handOn(signedFor: .erase) == "proof_invalid")
        #expect(try await handOn(baseURLs: []) == "proof_invalid")
        #expect(try await handOn(baseURLs: ["https://elsewhere.example"]) == "proof_invalid")
        #expect(service.calls.withLock { $0 } == ["cancel"])
        // An authority that trusts a gateway about the proof, obeys an unsigned request.
        let world = try await AuthorityWorld()
        _ = try service.cancel(
            FaceAccessRequest(appToken: Self.credential(.faceAppToken), accessToken: Self.credential(.faceAccess)),
            from: try world.call())
        await world.end()
        #expect(service.calls.withLock { $0 } == ["cancel", "cancel"])
    }

    private func router(perAddress: Int, capacity: Int = 1000) -> Router<EndpointContext> {
        let strangers = UnknownDeviceLimiter(clock: TestClock.document, perAddress: perAddress, capacity: capacity)
        return PublicServer.router(
            "device",
            routes: FaceEndpoints(
                service: service, clock: TestClock.document, publicURLs: [Self.base], strangers: strangers
            ).routes)
    }

    @Test("Calls that lead nowhere run out for their address before a signature is checked, whatever keys sign them")
    func fruitless() async throws {
        let router = router(perAddress: 5)
        let unreadable = Array("{".utf8)
        for _ in 0..<5 {
            let answer = try await send(.cancel, unreadable, by: SoftwareDeviceSigner(), through: router)
            #expect(answer.code == "malformed_request")
        }
        for path in [FacePath.cancel, .appToken, .frames] {
            let type = path == .frames ? FaceFramesRequest.contentType : "application/json"
            let answer = try await send(path, unreadable, type: type, by: SoftwareDeviceSigner(), through: router)
            #expect(answer.code == "too_many_requests" && answer.status == .tooManyRequests)
        }
        // A proof that does not verify is not looked at either.
        let forged = try await Exchange.send(
            router, .post, FacePath.cancel.rawValue,
            headers: [.contentType: "application/json", HTTPField.Name("DPoP")!: "a.b.c"], body: access,
            from: ("10.0.0.7", 40_001))
        #expect(forged.code == "too_many_requests")
        #expect(try await send(.cancel, access, from: "10.0.0.8", through: router).status == .ok)
    }

    @Test("A phone that was answered lately does not notice who else sends what from its address")
    func knownCaller() async throws {
        let router = router(perAddress: 5)
        #expect(try await send(.cancel, access, through: router).status == .ok)
        for _ in 0..<20 { _ = try await send(.cancel, Array("{".utf8), by: SoftwareDeviceSigner(), through: router) }
        for _ in 0..<200 { #expect(try await send(.cancel, access, through: router).status == .ok) }
        // Its own calls that lead nowhere are counted too.
        for _ in 0..<Int(UnknownDeviceLimiter.perKey) {
            #expect(try await send(.cancel, Array("{".utf8), through: router).code == "malformed_request")
        }
        #expect(try await send(.cancel, Array("{".utf8), through: router).code == "too_many_requests")
    }

    @Test("Many who are answered put out of memory whoever was answered longest ago, and nobody else")
    func manyCallers() async throws {
        let router = router(perAddress: 1, capacity: 8)
        #expect(try await send(.cancel, access, through: router).status == .ok)
        for _ in 0..<20 {
            let answer = try await send(.cancel, access, by: SoftwareDeviceSigner(), from: "10.0.0.9", through: router)
            #expect(answer.status == .ok)
        }
        let late = SoftwareDeviceSigner()
        #expect(try await send(.cancel, access, by: late, through: router).status == .ok)
        _ = try await send(.cancel, Array("{".utf8), by: SoftwareDeviceSigner(), through: router)
        #expect(try await send(.cancel, access, by: late, through: router).status == .ok)
        #expect(try await send(.cancel, access, through: router).code == "too_many_requests")
    }

    @Test("Requests with frames are counted: one too many is told to come again, and a place that is left is free")
    func crowd() {
        let places = FramePlaces(limit: 1)
        #expect(places.enter(.subscription(1)))
        #expect(!places.enter(.subscription(2)))
        places.leave(.subscription(1))
        #expect(places.enter(.subscription(2)))
    }

    private static func stranger(_ address: String) throws -> FramePlaces.Sender {
        .stranger(SourceLimiter.Source(try #require(InternetAddress(address)), nil))
    }

    @Test("Strangers have a quarter of the places for frames and one address half of those, and one subscription two")
    func places() throws {
        let places = FramePlaces(limit: 64)
        let one = try Self.stranger("2001:db8::1")
        #expect((0..<64).count { _ in places.enter(one) } == 8)
        #expect(!places.enter(try Self.stranger("2001:db8::2")), "the same /64")
        #expect(try (1...64).count { places.enter(try Self.stranger("198.51.100.\($0)")) } == 8)
        #expect(!places.enter(.stranger(nil)))
        #expect((0..<64).count { _ in places.enter(.subscription(7)) } == 2)
        #expect((100..<200).count { places.enter(.subscription($0)) } == 46)
        places.leave(one)
        #expect(places.enter(one))
    }

    @Test(
        """
        Requests with frames that come slowly are not read without a challenge, and those of searches leave room for \
        others
        """
    )
    func slowFrames() async throws {
        let endpoints = FaceEndpoints(
            service: service, clock: TestClock.document, publicURLs: [Self.base], frameRequests: 8,
            strangers: UnknownDeviceLimiter(clock: TestClock.document))
        let router = PublicServer.router("device", routes: endpoints.routes)
        let frames = FaceFramesRequest(
            session: Self.credential(.faceSession), challenge: Self.credential(.faceChallenge),
            frames: [.init(milliseconds: 3, picture: Array(0..<255))])
        func refusal(_ body: HeldBody, from address: String) async throws -> String? {
            let signer = SoftwareDeviceSigner()
            let proof = try DeviceProof(
                id: "0123456789abcdef", method: "POST", url: Self.base + FacePath.frames.rawValue,
                issuedAt: TestClock.document.now, body: frames.bytes, localAddress: nil, key: signer.publicKey
            ).signed(by: signer)
            let request = Request(
                head: HTTPRequest(
                    method: .post, scheme: nil, authority: nil, path: FacePath.frames.rawValue,
                    headerFields: [.contentType: FaceFramesRequest.contentType, .deviceProof: proof]),
                body: RequestBody(asyncSequence: body))
            let sender = ForwardedSender(
                peer: InternetAddress(address).map { Peer(address: $0, port: 1) }, baseURLs: [Self.base])
            do {
                _ = try await endpoints.answer(.frames, request, .forwarded(from: sender))
                return nil
            } catch let refusal as Refusal { return refusal.situation.rawValue }
        }
        service.standing.withLock { $0 = FrameStanding.none }
        for _ in 0..<20 {
            // It would wait here if a byte were read.
            #expect(try await refusal(HeldBody(), from: "192.0.2.1") == "face_session_invalid")
        }
        service.standing.withLock { $0 = .stranger }
        let bodies = [HeldBody(), HeldBody()]
        let held = bodies.enumerated().map { number, body in
            Task { try await refusal(body, from: "192.0.2.\(number)") }
        }
        for body in bodies { await body.untilRead() }
        #expect(try await refusal(HeldBody(), from: "192.0.2.9") == "overloaded")
        service.standing.withLock { $0 = .known(1) }
        let honest = try await send(.frames, frames.bytes, type: FaceFramesRequest.contentType, through: router)
        #expect(honest.json["state"] == "passed")
        for body in bodies { body.letGo() }
        for task in held { #expect(try await task.value == "proof_invalid", "an empty body") }
        // A double that admits every caller is filled by eight of them.
        let double = FrameGate(limit: 8)
        #expect((0..<8).allSatisfy { _ in double.enter() })
        #expect(!double.enter())
    }

    @Test("The signature in the head of a request with frames is checked before its place is taken")
    func framesSigner() async throws {
        let frames = FaceFramesRequest(
            session: Self.credential(.faceSession), challenge: Self.credential(.faceChallenge),
            frames: [.init(milliseconds: 3, picture: Array(0..<255))])
        let proof = try DeviceProof(
            id: "0123456789abcdef", method: "POST", url: Self.base + FacePath.frames.rawValue,
            issuedAt: TestClock.document.now, body: frames.bytes, localAddress: nil, key: signer.publicKey
        ).signed(by: signer)
        service.standing.withLock { $0 = FrameStanding.none }
        let parts = proof.split(separator: ".")
        for (proofs, code) in [
            ([], "proof_missing"), ([proof, proof], "proof_invalid"), ([proof], "face_session_invalid"),
            (["\(parts[0]).\(parts[1]).\(String(parts[2].reversed()))"], "proof_invalid"),
        ] as [([String], String)] {
            var headers = HTTPFields()
            headers[.contentType] = FaceFramesRequest.contentType
            headers[values: .deviceProof] = proofs
            let answer = try await Exchange.send(
                router, .post, FacePath.frames.rawValue, headers: headers, body: frames.bytes,
                from: ("10.0.0.7", 40_001))
            #expect(answer.code == code)
        }
    }

    @Test("The OpenAPI document has exactly the addresses and methods that exist, of phones and of servers")
    func document() async throws {
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let text = try String(contentsOf: root.appendingPathComponent("docs/openapi/face.yaml"), encoding: .utf8)
        var described: Set<String> = []
        var path = ""
        for line in text.split(separator: "\n").prefix(while: { $0 != "components:" }) {
            if line.hasPrefix("  /") { path = String(line.dropFirst(2).dropLast()) }
            for method in ["get", "post", "delete"] where line == "    \(method):" {
                described.insert("\(method.uppercased()) \(path)")
            }
        }
        let world = try await AuthorityWorld()
        let provider = FaceProvider(
            configuration: .init(terms: FaceTerms(version: "1", title: "t", url: "https://id.example/face")),
            authority: world.authority, store: world.store, analyzer: NoFaces(), challenges: NoFaces())
        let routes =
            FaceEndpoints(service: service, publicURLs: []).routes + SuperIDServerEndpoints(provider: provider).routes
        #expect(described == Set(routes.map { "\($0.method.rawValue) \($0.path)" }))
        await world.end()
    }
}

/// A body of which nothing comes until it is let go.
private final class HeldBody: AsyncSequence, Sendable {
    private let asked = AsyncStream<Void>.makeStream()
    private let held = AsyncStream<Void>.makeStream()

    func untilRead() async { for await _ in asked.stream { break } }
    func letGo() { held.continuation.finish() }

    struct AsyncIterator: AsyncIteratorProtocol {
        let body: HeldBody
        func next() async -> ByteBuffer? {
            body.asked.continuation.yield()
            for await _ in body.held.stream { break }
            return nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: self) }
}

/// Answers at once; `user` is of somebody whose account is frozen.
final class ScriptedFaceAccounts: FaceService {
    let calls = Mutex<[String]>([])
    let frames = Mutex<[FaceFramesRequest]>([])
    let standing = Mutex<FrameStanding>(.known(1))

    func frameStanding(of deviceKey: String) -> FrameStanding { standing.withLock { $0 } }

    private func unasked<Value>() throws(Refusal) -> Value {
        throw Refusal(.internalError, "not scripted")
    }

    func appToken(_: FaceAppTokenRequest, from: DeviceCall) throws(Refusal) -> FaceAppTokenResponse {
        try unasked()
    }
    func begin(_: FaceBeginRequest, from: DeviceCall) throws(Refusal) -> FaceBeginResponse { try unasked() }
    func consent(_: FaceConsentRequest, from: DeviceCall) throws(Refusal) {}
    func challenge(_: FaceChallengeRequest, from: DeviceCall) throws(Refusal) -> FaceChallengeResponse {
        try unasked()
    }
    func frames(_ request: FaceFramesRequest, from: DeviceCall) throws(Refusal) -> FaceFramesResponse {
        frames.withLock { $0.append(request) }
        return .passed(nil)
    }
    func finish(_: FaceFinishRequest, from: DeviceCall) throws(Refusal) -> FaceFinishResponse { try unasked() }
    func renew(_: FaceRenewRequest, from: DeviceCall) throws(Refusal) -> FaceRenewResponse { try unasked() }
    func user(_: FaceAccessRequest, from: DeviceCall) throws(Refusal) -> FaceUserResponse {
        throw Refusal(.accountFrozen, "frozen")
    }
    func updateUID(_: FaceUpdateUIDRequest, from: DeviceCall) throws(Refusal) {}
    func updateUserInfo(_: FaceUpdateUserInfoRequest, from: DeviceCall) throws(Refusal) {}
    func state(_: FaceStateRequest, from: DeviceCall) throws(Refusal) -> FaceStateResponse { try unasked() }
    func logOut(_: FaceAccessRequest, from: DeviceCall) throws(Refusal) {}
    func cancel(_: FaceAccessRequest, from: DeviceCall) throws(Refusal) -> FaceCancelResponse {
        calls.withLock { $0.append("cancel") }
        return FaceCancelResponse(isErased: true)
    }
    func searchBegin(
        _: FaceSearchBeginRequest, from: DeviceCall
    ) throws(Refusal) -> FaceSearchBeginResponse { try unasked() }
    func search(_: FaceSearchRequest, from: DeviceCall) throws(Refusal) -> FaceSearchResponse { try unasked() }
    func leaveGroups(_: FaceAccessRequest, from: DeviceCall) throws(Refusal) {}
    func freeze(_: FaceConfirmedRequest, from: DeviceCall) throws(Refusal) {}
    func erase(_: FaceConfirmedRequest, from: DeviceCall) throws(Refusal) -> FaceCancelResponse { try unasked() }
}
