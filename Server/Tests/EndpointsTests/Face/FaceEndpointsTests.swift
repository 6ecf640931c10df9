import Foundation
import HTTPTypes
import Hummingbird
import Synchronization
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints

@Suite("Face login over HTTP") struct FaceEndpointsTests {
    private static let base = "https://id.example.com"
    private let signer = SoftwareDeviceSigner()
    private let desk = ScriptedFaceDesk()

    private var router: Router<EndpointContext> {
        PublicServer.router(
            "device",
            routes: FaceEndpoints(desk: desk, clock: StillClock.document, publicURLs: [Self.base]).routes)
    }

    private func send(
        _ path: FacePath, _ body: [UInt8], type: String = "application/json", signing signed: [UInt8]? = nil,
        at url: String? = nil
    ) async throws -> Exchange {
        let proof = try DeviceProof(
            id: "0123456789abcdef", method: "POST", url: url ?? Self.base + path.rawValue,
            issuedAt: StillClock.document.now, body: signed ?? body, localAddress: nil, key: signer.publicKey
        ).signed(by: signer)
        var headers = HTTPFields()
        headers[.contentType] = type
        headers[HTTPField.Name("DPoP")!] = proof
        return try await Exchange.send(router, .post, path.rawValue, headers: headers, body: body)
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
        #expect(desk.calls.withLock { $0 } == ["cancel"])
    }

    @Test("Frames travel as bytes, under a proof over all of them")
    func frames() async throws {
        let frames = FaceFramesRequest(
            session: Self.credential(.faceSession), challenge: Self.credential(.faceChallenge),
            frames: [.init(milliseconds: 3, picture: Array(0..<255))])
        let answer = try await send(.frames, frames.bytes, type: FaceFramesRequest.contentType)
        #expect(answer.json["state"] == "passed")
        #expect(desk.frames.withLock { $0 } == [frames])
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
        let large = try await send(.cancel, [UInt8](repeating: 0x20, count: FaceEndpoints.greatestBody + 1))
        #expect(large.status == .contentTooLarge)
        let frozen = try await send(.user, access)
        #expect(frozen.status == .forbidden && frozen.code == "account_frozen")
        #expect(frozen.json["serverTime"] == .integer(StillClock.document.now.milliseconds))
        #expect(try await send(.begin, access).code == "parameter_missing")
    }

    @Test("Requests with frames are counted: one too many is told to come again, and a place that is left is free")
    func crowd() {
        let gate = FrameGate(limit: 1)
        #expect(gate.enter())
        #expect(!gate.enter())
        gate.leave()
        #expect(gate.enter())
    }

    @Test("The OpenAPI document has exactly the addresses and methods that exist, of phones and of servers")
    func document() async throws {
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<5 { root.deleteLastPathComponent() }
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
            authority: world.authority, analyzer: NoFaces(), challenges: NoFaces())
        let routes =
            FaceEndpoints(desk: desk, publicURLs: []).routes + SuperIDServerEndpoints(provider: provider).routes
        #expect(described == Set(routes.map { "\($0.method.rawValue) \($0.path)" }))
        await world.end()
    }
}

/// Answers at once; `user` is of somebody whose account is frozen.
final class ScriptedFaceDesk: FaceDesk {
    let calls = Mutex<[String]>([])
    let frames = Mutex<[FaceFramesRequest]>([])

    private func unasked<Value>() throws(DeviceFailure) -> Value {
        throw DeviceFailure(situation: .internalError, detail: "not scripted")
    }

    func appToken(_: FaceAppTokenRequest, from: DeviceCall) throws(DeviceFailure) -> FaceAppTokenResponse {
        try unasked()
    }
    func begin(_: FaceBeginRequest, from: DeviceCall) throws(DeviceFailure) -> FaceBeginResponse { try unasked() }
    func consent(_: FaceConsentRequest, from: DeviceCall) throws(DeviceFailure) {}
    func challenge(_: FaceChallengeRequest, from: DeviceCall) throws(DeviceFailure) -> FaceChallengeResponse {
        try unasked()
    }
    func frames(_ request: FaceFramesRequest, from: DeviceCall) throws(DeviceFailure) -> FaceFramesResponse {
        frames.withLock { $0.append(request) }
        return .passed(nil)
    }
    func finish(_: FaceFinishRequest, from: DeviceCall) throws(DeviceFailure) -> FaceFinishResponse { try unasked() }
    func renew(_: FaceRenewRequest, from: DeviceCall) throws(DeviceFailure) -> FaceRenewResponse { try unasked() }
    func user(_: FaceAccessRequest, from: DeviceCall) throws(DeviceFailure) -> FaceUserResponse {
        throw DeviceFailure(situation: .accountFrozen, detail: "frozen")
    }
    func updateUID(_: FaceUpdateUIDRequest, from: DeviceCall) throws(DeviceFailure) {}
    func updateUserInfo(_: FaceUpdateUserInfoRequest, from: DeviceCall) throws(DeviceFailure) {}
    func state(_: FaceStateRequest, from: DeviceCall) throws(DeviceFailure) -> FaceStateResponse { try unasked() }
    func logOut(_: FaceAccessRequest, from: DeviceCall) throws(DeviceFailure) {}
    func cancel(_: FaceAccessRequest, from: DeviceCall) throws(DeviceFailure) -> FaceCancelResponse {
        calls.withLock { $0.append("cancel") }
        return FaceCancelResponse(isErased: true)
    }
    func searchBegin(
        _: FaceSearchBeginRequest, from: DeviceCall
    ) throws(DeviceFailure) -> FaceSearchBeginResponse { try unasked() }
    func search(_: FaceSearchRequest, from: DeviceCall) throws(DeviceFailure) -> FaceSearchResponse { try unasked() }
    func leaveGroups(_: FaceAccessRequest, from: DeviceCall) throws(DeviceFailure) {}
    func freeze(_: FaceConfirmedRequest, from: DeviceCall) throws(DeviceFailure) {}
    func erase(_: FaceConfirmedRequest, from: DeviceCall) throws(DeviceFailure) -> FaceCancelResponse { try unasked() }
}
