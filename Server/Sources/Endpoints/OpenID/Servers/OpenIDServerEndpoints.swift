import BenjiProtocol
import HTTPTypes
import Hummingbird
import OpenIDProvider
import ServerHTTP

/// The endpoints that apps' servers call.
struct OpenIDServerEndpoints: Sendable {
    let provider: OpenIDProvider
    let service: any OpenIDService
    /// Whether the listener asks for client certificates.
    var isMutualTLS = false

    func discovery(_ context: EndpointContext) -> Response {
        context.outcome.note(code: Situation.success.rawValue)
        return Self.publicAnswer(provider.metadata)
    }

    func jwks(_ context: EndpointContext) async -> Response {
        await answer(context) { Self.publicAnswer(try await provider.jwks()) }
    }

    func receiptKeys(_ context: EndpointContext) async -> Response {
        await answer(context) { Self.publicAnswer(try await provider.receiptKeys()) }
    }

    func push(_ request: Request, _ context: EndpointContext) async -> Response {
        await answer(context, to: request) {
            Response(
                try await provider.pushedRequests.push(try await credentials(request, context, .push)), status: .created
            )
        }
    }

    func token(_ request: Request, _ context: EndpointContext) async -> Response {
        await answer(context, to: request) {
            Response(try await service.token(try await credentials(request, context, .token)))
        }
    }

    func backchannel(_ request: Request, _ context: EndpointContext) async -> Response {
        var response = await answer(context) {
            Response(
                try await provider.backchannelEndpoint.request(try await credentials(request, context, .backchannel)))
        }
        // OpenID Connect CIBA Core 1.0 §13: only here a refusal has a status of its own.
        if context.outcome.code == OAuthError.accessDenied.rawValue { response.status = .forbidden }
        return response
    }

    func userInfo(_ request: Request, _ context: EndpointContext) async -> Response {
        await answer(context, to: request, isOfToken: true) {
            // A token in the query would be in logs and histories (RFC 9700 §4.3.2).
            guard request.headers[values: .authorization].count <= 1 else {
                throw OpenIDFailure(.invalidToken, "more than one Authorization header")
            }
            let isForm = request.method == .post && request.mediaType == "application/x-www-form-urlencoded"
            return Response(
                try await service.userInfo(
                    OpenIDProvider.BearerCall(
                        authorization: request.headers[.authorization], peer: context.peer?.address,
                        formToken: isForm ? try await request.form()["access_token"] : nil,
                        proof: try request.proof(at: OpenIDProvider.Path.userInfo.rawValue, isMutualTLS: isMutualTLS),
                        certificate: isMutualTLS ? await context.clientCertificate() : nil)))
        }
    }

    func revoke(_ request: Request, _ context: EndpointContext) async -> Response {
        await answer(context) {
            try await provider.revocationEndpoint.revoke(try await credentials(request, context, .revoke))
            return Response(status: .ok, headers: [.cacheControl: "no-store", .contentLength: "0"])
        }
    }

    func introspect(_ request: Request, _ context: EndpointContext) async -> Response {
        await answer(context) {
            Response(
                try await provider.introspectionEndpoint.introspect(
                    try await credentials(request, context, .introspect)))
        }
    }

    private func credentials(
        _ request: Request, _ context: EndpointContext, _ path: OpenIDProvider.Path
    ) async throws -> ClientCredentials {
        let headers = request.headers[values: .authorization]
        guard headers.count <= 1 else { throw OpenIDFailure(.invalidClient, "more than one Authorization header") }
        if isMutualTLS { try Self.refuseOtherPages(request) }
        return ClientCredentials(
            authorization: headers.first, parameters: try await request.form(), peer: context.peer?.address,
            proof: try request.proof(at: path.rawValue, isMutualTLS: isMutualTLS),
            certificate: isMutualTLS ? await context.clientCertificate() : nil)
    }

    /// Refuses each request that a page of another origin can send. A browser attaches the certificate to the forms of
    /// any page. For a client of `tls_client_auth` (RFC 8705 §2) the certificate is the whole authentication.
    private static func refuseOtherPages(_ request: Request) throws(OpenIDFailure) {
        guard !request.isCrossOrigin(isSecure: true) else {
            throw OpenIDFailure(
                .invalidRequest,
                "Origin or Sec-Fetch-Site names a page of another site, which may not use a client certificate; send "
                    + "the "
                    + "request from a server, without these headers")
        }
    }

    /// An answer that any client may read and cache. A client asks for a new signing key when it meets its `kid`.
    private static func publicAnswer(_ json: JSON) -> Response {
        var response = Response(json)
        response.headers[.cacheControl] = "public, max-age=300"
        return response
    }

    /// - Parameters:
    ///   - request: one that may bring a proof of possession; its answer brings the nonce for the next.
    ///   - isOfToken: whether the request presented an access token.
    private func answer(
        _ context: EndpointContext, to request: Request, isOfToken: Bool = false, _ body: () async throws -> Response
    ) async -> Response {
        var failed: OAuthError?
        var response = await answer(context) {
            do { return try await body() } catch let failure as OpenIDFailure {
                failed = failure.error
                throw failure
            }
        }
        let isOfProof = failed?.isOfProof == true
        if isOfProof || request.headers[.dpop] != nil { response.headers[.dpopNonce] = provider.dpopNonce }
        // RFC 9449 §7.1.
        if isOfToken, let failed, isOfProof || failed == .invalidToken && request.isBound {
            response.status = .unauthorized
            response.headers[.wwwAuthenticate] = Response.proofChallenge(failed.rawValue)
        }
        return response
    }

    private func answer(_ context: EndpointContext, _ body: () async throws -> Response) async -> Response {
        do {
            let response = try await body()
            context.outcome.note(code: Situation.success.rawValue)
            return response
        } catch let failure as OpenIDFailure {
            context.outcome.note(code: failure.error.rawValue)
            return Response(failure)
        } catch let situation as Situation where situation == .bodyTooLarge {
            context.outcome.note(code: Situation.bodyTooLarge.rawValue)
            var response = Response(OpenIDFailure(.invalidRequest, "the form is too large"))
            response.status = .contentTooLarge
            response.headers[.connection] = "close"
            return response
        } catch {
            context.outcome.note(code: OAuthError.serverError.rawValue)
            return Response(OpenIDFailure(.serverError, "something went wrong on our side"))
        }
    }
}

extension HTTPField.Name {
    /// RFC 9449 §4.1.
    static let dpop = HTTPField.Name("DPoP")!
    /// RFC 9449 §8.
    static let dpopNonce = HTTPField.Name("DPoP-Nonce")!
}

extension Request {
    /// The proof of possession that came with it; `nil` if there is none.
    ///
    /// - Parameter isMutualTLS: whether the listener asks for client certificates.
    func proof(at path: String, isMutualTLS: Bool) throws(OpenIDFailure) -> PresentedProof? {
        let values = headers[values: .dpop]
        guard values.count <= 1 else { throw OpenIDFailure(.invalidDPoPProof, "more than one DPoP header") }
        return values.first.map { PresentedProof($0, method: method.rawValue, path: path, isMutualTLS: isMutualTLS) }
    }

    /// Whether it says that its access token is bound to a key.
    var isBound: Bool { headers[.authorization]?.prefix(5).lowercased() == "dpop " }
}

extension Response {
    /// The challenge for a caller with an access token that is bound to a key (RFC 9449 §7.1).
    static func proofChallenge(_ error: String) -> String { #"DPoP error="\#(error)", algs="ES256 PS256""# }

    /// RFC 6749 §5.2 and RFC 6750 §3.
    init(_ failure: OpenIDFailure) {
        let status: HTTPResponse.Status =
            switch failure.error {
            case .invalidClient, .invalidToken: .unauthorized
            case .serverError: .internalServerError
            case .temporarilyUnavailable: .serviceUnavailable
            default: .badRequest
            }
        self.init(
            .object([
                "error": .string(failure.error.rawValue), "error_description": .string(failure.detail),
                "error_uri": .string(CodeEndpoints.address(of: failure.error.rawValue)),
            ]), status: status)
        switch failure.error {
        case .invalidToken: headers[.wwwAuthenticate] = #"Bearer error="invalid_token""#
        case .invalidClient: headers[.wwwAuthenticate] = #"Basic realm="openid""#
        case .temporarilyUnavailable where failure.retriesSoon: headers[.retryAfter] = "1"
        default: break
        }
    }
}
