import Authority
import BenjiProtocol
import HTTPTypes
import Hummingbird
import OpenIDProvider

/// The endpoints that apps' servers call.
struct OpenIDServerEndpoints: Sendable {
    let provider: OpenIDProvider
    let desk: any OpenIDDesk

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
        await answer(context) {
            Response(try await provider.pushedRequests.push(try await credentials(request, context)), status: .created)
        }
    }

    func token(_ request: Request, _ context: EndpointContext) async -> Response {
        await answer(context) { Response(try await desk.token(try await credentials(request, context))) }
    }

    func userInfo(_ request: Request, _ context: EndpointContext) async -> Response {
        await answer(context) {
            // A token in the query would be in logs and histories (RFC 9700 §4.3.2); one in a body is not looked for.
            guard request.headers[values: .authorization].count <= 1 else {
                throw OpenIDFailure(.invalidToken, "more than one Authorization header")
            }
            return Response(
                try await desk.userInfo(
                    OpenIDProvider.BearerCall(
                        authorization: request.headers[.authorization], peer: context.peer?.address)))
        }
    }

    func revoke(_ request: Request, _ context: EndpointContext) async -> Response {
        await answer(context) {
            try await provider.revocationEndpoint.revoke(try await credentials(request, context))
            return Response(status: .ok, headers: [.cacheControl: "no-store", .contentLength: "0"])
        }
    }

    func introspect(_ request: Request, _ context: EndpointContext) async -> Response {
        await answer(context) {
            Response(try await provider.introspectionEndpoint.introspect(try await credentials(request, context)))
        }
    }

    private func credentials(_ request: Request, _ context: EndpointContext) async throws -> ClientCredentials {
        let headers = request.headers[values: .authorization]
        guard headers.count <= 1 else { throw OpenIDFailure(.invalidClient, "more than one Authorization header") }
        return ClientCredentials(
            authorization: headers.first, parameters: try await request.form(), peer: context.peer?.address)
    }

    /// What anybody may read and keep for a while; a new signing key is asked for when its `kid` is met.
    private static func publicAnswer(_ json: JSON) -> Response {
        var response = Response(json)
        response.headers[.cacheControl] = "public, max-age=300"
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

extension Response {
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
            .object(["error": .string(failure.error.rawValue), "error_description": .string(failure.detail)]),
            status: status)
        switch failure.error {
        case .invalidToken: headers[.wwwAuthenticate] = #"Bearer error="invalid_token""#
        case .invalidClient: headers[.wwwAuthenticate] = #"Basic realm="openid""#
        case .temporarilyUnavailable where failure.retriesSoon: headers[.retryAfter] = "1"
        default: break
        }
    }
}
