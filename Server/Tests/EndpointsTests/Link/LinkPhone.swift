import BenjiFaceProtocol
import HTTPTypes
import Hummingbird
import NIOCore
import Sightings

@_spi(Server) @testable import BenjiProtocol
@testable import Link
@testable import Requests
@testable import ServerHTTP

/// A phone or browser behind a gateway, whose requests the tests forward as the gateway does.
struct LinkPhone: Sendable {
    static let base = "https://gw.example"

    var signer = SoftwareDeviceSigner()
    var attestation: String? = "attestation"
    var localAddress = InternetAddress("10.0.0.7")
    var source: InternetAddress?
    var sighting: Result<Sighting, SightingRefusal>?

    private var sender: ForwardedSender {
        ForwardedSender(
            peer: source.map { Peer(address: $0, port: 40_001) }, baseURLs: [Self.base], sighting: sighting)
    }

    /// A request of the device dialect. One with a body is signed.
    func request(_ path: DevicePath, _ json: JSON? = nil, query: String = "") throws -> ForwardedRequest {
        guard let body = json?.serialized else { return browse(.get, path.rawValue + query) }
        let proof = DeviceProof(
            id: RandomProofID.make(), method: "POST", url: Self.base + path.rawValue,
            issuedAt: SystemWallClock().now, body: body, localAddress: localAddress, key: signer.publicKey)
        var headers: HTTPFields = [.contentType: "application/json", .deviceProof: try proof.signed(by: signer)]
        headers[.clientAttestation] = attestation
        return browse(.post, path.rawValue, headers, body)
    }

    /// A request as a browser sends it.
    func browse(
        _ method: HTTPRequest.Method, _ target: String, _ headers: HTTPFields = [:], _ body: [UInt8] = []
    ) -> ForwardedRequest {
        let head = HTTPRequest(
            method: method, scheme: nil, authority: "gw.example", path: target, headerFields: headers)
        return ForwardedRequest(
            Request(head: head, body: RequestBody(buffer: ByteBuffer())), body: body, sender: sender)
    }
}

/// Identifiers of proofs that differ.
private enum RandomProofID {
    static func make() -> String { CredentialGrammar.openID.make(random: SystemRandomSource()) }
}

extension ForwardedPath {
    /// How a gateway forwards a request.
    static func of(_ request: ForwardedRequest) -> ForwardedPath? {
        let path = request.target.prefix { $0 != "?" }
        return all.first { forwarded in
            forwarded.method.rawValue == request.methodName
                && (forwarded.path == path
                    || forwarded.path.hasSuffix("{digest}")
                        && path.hasPrefix(forwarded.path.dropLast("{digest}".count)))
        }
    }
}

/// The device dialect over the link, as a phone would read the answers.
extension RemoteAuthority {
    /// - Throws: the gateway's refusal if no node answers.
    func send(_ request: ForwardedRequest) async throws(Refusal) -> ForwardedAnswer {
        guard let path = ForwardedPath.of(request), let bytes = request.bytes else {
            throw Refusal(.notFound, "no gateway forwards this")
        }
        do { return try await forward(bytes, path, key: ForwardingEndpoints.key(of: request, path)) } catch {
            throw AuthorityNode.refusal(error)
        }
    }

    private func call<Answer>(
        _ path: DevicePath, _ json: JSON?, _ phone: LinkPhone, query: String = "",
        _ read: (JSON) throws(JSONError) -> Answer
    ) async throws(Refusal) -> Answer {
        let request: ForwardedRequest
        do { request = try phone.request(path, json, query: query) } catch {
            throw Refusal(.internalError, "the test signs nothing")
        }
        let answer = try await send(request)
        do {
            let json = try JSON(parsing: answer.body)
            guard answer.status != 200 else { return try read(json) }
            let failure = try DeviceFailure(json, knowing: Situation.ofNumberLogin)
            throw Refusal(
                failure.situation, failure.detail, trace: failure.trace, serverTime: failure.serverTime,
                since: failure.since, smsLogin: failure.smsLogin)
        } catch let refusal as Refusal { throw refusal } catch {
            throw Refusal(.internalError, "the answer cannot be read")
        }
    }

    func prefetch(_ request: PrefetchRequest, from phone: LinkPhone) async throws(Refusal) -> PrefetchResponse {
        try await call(.prefetch, request.json, phone, PrefetchResponse.init)
    }

    func authorize(_ request: AuthorizeRequest, from phone: LinkPhone) async throws(Refusal) -> AuthorizeResponse {
        try await call(.authorize, request.json, phone, AuthorizeResponse.init)
    }

    func forget(_ request: ForgetRequest, from phone: LinkPhone) async throws(Refusal) {
        try await call(.forget, request.json, phone) { _ in }
    }

    func register(_ request: AttestationRequest, from phone: LinkPhone) async throws(Refusal) {
        try await call(.attestation, request.json, phone) { _ in }
    }

    func sendCode(_ request: SMSCodeRequest, from phone: LinkPhone) async throws(Refusal) -> SMSCodeResponse {
        try await call(.smsCode, request.json, phone, SMSCodeResponse.init)
    }

    func logIn(_ request: SMSLoginRequest, from phone: LinkPhone) async throws(Refusal) -> AuthorizeResponse {
        try await call(.smsLogin, request.json, phone, AuthorizeResponse.init)
    }

    func giveText(_ request: SMSUpstreamRequest, from phone: LinkPhone) async throws(Refusal) -> SMSUpstreamResponse {
        try await call(.smsUpstream, request.json, phone, SMSUpstreamResponse.init)
    }

    func textStatus(
        _ request: SMSUpstreamStatusRequest, from phone: LinkPhone
    ) async throws(Refusal) -> SMSUpstreamStatusResponse {
        try await call(.smsUpstreamStatus, request.json, phone, SMSUpstreamStatusResponse.init)
    }

    func logIn(_ request: SMSUpstreamLoginRequest, from phone: LinkPhone) async throws(Refusal) -> AuthorizeResponse {
        try await call(.smsUpstreamLogin, request.json, phone, AuthorizeResponse.init)
    }

    func policyDocument() async throws(Refusal) -> JSON {
        try await call(.policy, nil, LinkPhone()) { $0 }
    }

    func attestationChallenge(for app: AppID) async throws(Refusal) -> String {
        try await call(.challenge, nil, LinkPhone(), query: "?app=\(app.rawValue)") { json throws(JSONError) in
            json["challenge"]?.stringValue ?? ""
        }
    }
}
