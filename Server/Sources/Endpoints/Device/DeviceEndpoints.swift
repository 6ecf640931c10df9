package import BenjiProtocol
import Crypto
package import HTTPTypes
import Hummingbird
package import Requests
package import ServerHTTP

/// The device dialect, version 1 (`docs/device-dialect.md`): what the SDK says to the gateway over the cellular
/// interface.
///
/// Each request is a JSON body under a signed proof. This layer checks the form, that the proof covers this very
/// request, and asks the gateway who sent it; everything else is the authority's.
package struct DeviceEndpoints: Sendable {
    private let service: any DeviceService
    private let requests: ProvenRequests
    private let clock: any WallClock

    /// - Parameters:
    ///   - publicURLs: the base addresses under which phones reach this listener, such as `https://id.example.com`,
    ///     without a path. A proof must name one of them. When empty, the `Host` header of each request decides. That
    ///     is fit for a sandbox only: it lets a proof made for another server be shown here.
    ///   - derivedScheme: the scheme that goes with the `Host` header: `http`, or `https` when this listener speaks
    ///     TLS.
    package init(
        service: any DeviceService, sightings: any SightingSource,
        clock: any WallClock = SystemWallClock(), publicURLs: [String], derivedScheme: String = "http"
    ) {
        self.service = service
        self.clock = clock
        requests = ProvenRequests(
            sightings: sightings, clock: clock, publicURLs: publicURLs, derivedScheme: derivedScheme)
    }

    package var routes: [EndpointRoute] {
        DevicePath.allCases.map { path in
            switch path {
            case .prefetch:
                signed(path) { json, device in
                    let request = try ProvenRequests.read(json, PrefetchRequest.init(fromPhone:))
                    return try await service.prefetch(request, from: device).json
                }
            case .authorize:
                signed(path) { json, device in
                    try await service.authorize(ProvenRequests.read(json, AuthorizeRequest.init), from: device).json
                }
            case .forget:
                signed(path) { json, device in
                    try await service.forget(ProvenRequests.read(json, ForgetRequest.init), from: device)
                    return .object(["code": "success"])
                }
            case .smsCode:
                signed(path) { json, device in
                    let request = try ProvenRequests.read(json, SMSCodeRequest.init(fromPhone:))
                    return try await service.sendCode(request, from: device).json
                }
            case .smsLogin:
                signed(path) { json, device in
                    let request = try ProvenRequests.read(json, SMSLoginRequest.init(fromPhone:))
                    return try await service.logIn(request, from: device).json
                }
            case .smsUpstream:
                signed(path) { json, device in
                    let request = try ProvenRequests.read(json, SMSUpstreamRequest.init(fromPhone:))
                    return try await service.giveText(request, from: device).json
                }
            case .smsUpstreamStatus:
                signed(path) { json, device in
                    let request = try ProvenRequests.read(json) { json throws(JSONError) in
                        try SMSUpstreamStatusRequest(json)
                    }
                    return try await service.textStatus(request, from: device).json
                }
            case .smsUpstreamLogin:
                signed(path) { json, device in
                    let request = try ProvenRequests.read(json, SMSUpstreamLoginRequest.init(fromPhone:))
                    return try await service.logIn(request, from: device).json
                }
            case .policy: EndpointRoute(.get, path.rawValue) { request, context in try await policy(request, context) }
            case .attestation:
                signed(path) { json, device in
                    try await service.register(ProvenRequests.read(json, AttestationRequest.init), from: device)
                    return .object(["code": "success"])
                }
            case .challenge:
                EndpointRoute(.get, path.rawValue) { request, context in try await challenge(request, context) }
            }
        }
    }

    private func signed(
        _ path: DevicePath, _ answer: @escaping @Sendable (JSON, DeviceCall) async throws -> JSON
    ) -> EndpointRoute {
        ProvenRequests.route(path.rawValue, clock: clock) { request, context in
            let (body, device) = try await requests.open(
                request, at: path.rawValue, upTo: ProvenRequests.maximumBody, context)
            return try await answer(try ProvenRequests.json(body), device)
        }
    }

    private func challenge(_ request: Request, _ context: EndpointContext) async throws -> Response {
        guard let text = request.uri.queryParameters["app"], let app = AppID(rawValue: String(text)) else {
            throw Refusal(
                request.uri.queryParameters["app"] == nil ? .parameterMissing : .parameterInvalid, "app: \(AppID.rule)")
        }
        let challenge = try await service.attestationChallenge(for: app)
        context.outcome.note(code: Situation.success.rawValue)
        return Response(.object(["code": "success", "challenge": .string(challenge)]))
    }

    private func policy(_ request: Request, _ context: EndpointContext) async throws -> Response {
        let json = try await service.policyDocument()
        context.outcome.note(code: Situation.success.rawValue)
        let tag = "\"\(Base64URL.encode(Array(SHA256.hash(data: json.serialized)).prefix(16)))\""
        var response =
            request.headers[.ifNoneMatch] == tag ? Response(status: .notModified, headers: [:]) : Response(json)
        response.headers[.eTag] = tag
        // May be kept, must be asked after: an operator's change shows at the next login.
        response.headers[.cacheControl] = "no-cache"
        return response
    }
}
