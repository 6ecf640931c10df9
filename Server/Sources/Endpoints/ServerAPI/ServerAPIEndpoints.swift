import Authority
@_spi(Server) import BenjiProtocol
import HTTPTypes
import Hummingbird
package import OpenIDProvider
package import Requests
package import ServerHTTP
import Store

/// Benji's own interface for apps' servers ([server-api.md](../../../../docs/server-api.md)): it takes a token, and
/// returns a number, or whether a number is the phone's.
///
/// A refusal has an HTTP status of its own and a problem as JSON (RFC 9457).
package struct ServerAPIEndpoints: Sendable {
    /// The largest body that is read, in bytes.
    static let maximumBody = 4096

    private let service: any ServerService
    private let provider: OpenIDProvider?
    private let isMutualTLS: Bool

    /// - Parameters:
    ///   - provider: who checks assertions and certificates; `nil` if the installation has no OpenID provider.
    ///   - isMutualTLS: whether the listener asks for client certificates.
    package init(service: any ServerService, provider: OpenIDProvider? = nil, isMutualTLS: Bool = false) {
        self.service = service
        self.provider = provider
        self.isMutualTLS = isMutualTLS
    }

    /// The addresses of the operations. They are also the interfaces' names in ledger and traces.
    package enum Path: String, Sendable, CaseIterable {
        case redeem = "/v1/tokens/redeem"
        case verify = "/v1/tokens/verify"
        case app = "/v1/apps/me"
    }

    package var routes: [EndpointRoute] {
        [
            route(.post, .redeem) { request, caller, peer throws(Problem) in try await redeem(request, caller, peer) },
            route(.post, .verify) { request, caller, peer throws(Problem) in try await verify(request, caller, peer) },
            route(.get, .app) { _, caller, peer throws(Problem) in try await app(caller, peer) },
        ]
    }

    /// The answer to a request, and the login's trace.
    typealias Answer = (json: JSON, trace: TraceID?)

    private func route(
        _ method: HTTPRequest.Method, _ path: Path,
        _ answer: @escaping @Sendable (Request, ServerAPICaller, InternetAddress?) async throws(Problem) -> Answer
    ) -> EndpointRoute {
        EndpointRoute(method, path.rawValue) { request, context in
            do throws(Problem) {
                let caller = try await ServerAPICaller(request, context, provider, isMutualTLS: isMutualTLS)
                let answer = try await answer(request, caller, context.peer?.address)
                context.outcome.note(code: Situation.success.rawValue, trace: answer.trace)
                return Response(answer.json)
            } catch {
                context.outcome.note(code: error.refusal.situation.rawValue, trace: error.refusal.trace)
                return error.response(
                    in: Language(wanted: AcceptLanguage.tags(request.headers[.acceptLanguage] ?? "")))
            }
        }
    }

    // MARK: The operations

    private func redeem(
        _ request: Request, _ caller: ServerAPICaller, _ peer: InternetAddress?
    ) async throws(Problem) -> Answer {
        let fields = try await BodyFields(request, upTo: Self.maximumBody)
        let token = try fields.token()
        let name = try RequestName(request, .redeem, token)
        let login = try await Problem.of { () async throws(Refusal) in
            try await service.withApp(caller.app) { app throws(Refusal) in
                try await service.admit(caller.call(.redeem, name, of: app, peer), needs: .login)
            } redeem: { call throws(Refusal) in
                try await service.redeemNumber(call, token: token)
            }
        }
        return (
            .object([
                "number": .string("+" + login.number.e164), "account": .string(login.openID),
                "carrier": .string(login.carrier.rawValue), "assurance": .string(login.assurance.rawValue),
                "method": .string(login.assurance.method), "authenticatedAt": .string(login.authenticatedAt.rfc3339),
                "trace": .string(login.trace.rawValue),
            ]), login.trace
        )
    }

    private func verify(
        _ request: Request, _ caller: ServerAPICaller, _ peer: InternetAddress?
    ) async throws(Problem) -> Answer {
        let fields = try await BodyFields(request, upTo: Self.maximumBody)
        let token = try fields.token()
        let claim = try fields.claim()
        let name = try RequestName(request, .verify, token, claim.text)
        let answer = try await Problem.of { () async throws(Refusal) in
            try await service.withApp(caller.app) { app throws(Refusal) in
                try await service.admit(caller.call(.verify, name, of: app, peer), needs: .verification)
            } redeem: { call throws(Refusal) in
                try await service.verifyNumber(call, token: token) { claim.number.isNumber($0) }
            }
        }
        return (.object(["isSame": .bool(answer.isSame), "trace": .string(answer.trace.rawValue)]), answer.trace)
    }

    private func app(_ caller: ServerAPICaller, _ peer: InternetAddress?) async throws(Problem) -> Answer {
        let record = try await Problem.of { () async throws(Refusal) in
            let app = try await service.registeredApp(caller.app)
            try await service.recognise(caller.call(.app, nil, of: app, peer))
            return app.record
        }
        return (
            .object([
                "id": .string(record.id.rawValue), "name": .string(record.name),
                "capabilities": .array(record.capabilities.map(\.rawValue).sorted().map { .string($0) }),
                "leastAssurance": .string(record.leastAssurance.rawValue),
            ]), nil
        )
    }
}

extension Assurance {
    /// How a login was earned: by one tap, by a code that was sent, or by a message that came from the phone.
    var method: String {
        switch self {
        case .sms, .smsUpstream: rawValue
        case .net, .netApp, .netAppAddress, .sim: "one-tap"
        }
    }
}
