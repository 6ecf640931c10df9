import Authority
import BenjiFaceProtocol
import BenjiProtocol
import Endpoints
package import FaceAccounts
import HTTPTypes
import Hummingbird
package import Requests
package import ServerHTTP
import Store

/// Endpoints for apps' servers: SuperID's signed calls, and OAuth's two for the login (`docs/superid-dialect.md`).
package struct SuperIDServerEndpoints: Sendable {
    let provider: FaceProvider

    package init(provider: FaceProvider) { self.provider = provider }

    package var routes: [EndpointRoute] {
        [
            route(.post, "/v1/oauth/token", "oauth.token") { call, members, _ in
                guard try members.required("grant_type") == "authorization_code" else {
                    throw Refusal(.parameterInvalid, "grant_type: must be authorization_code")
                }
                let grant = try await provider.exchangeCode(try members.required("code"), for: call)
                return .object([
                    "access_token": .string(grant.accessToken), "token_type": "Bearer",
                    "expires_in": .integer(grant.lifetime), "open_id": .string(grant.openID),
                ])
            },
            // A POST, because a token in a query would be in logs and histories (RFC 9700 §4.3.2).
            route(.post, "/v1/user/info", "user.info") { call, members, _ in
                Self.answer(try await provider.user(try members.required("access_token"), for: call))
            },
        ] + groupRoutes
    }

    static func answer(_ user: FaceProvider.ServerUser) -> JSON {
        let info = user.userInfo
        return .object([
            "open_id": .string(user.openID), "uid": .string(user.uid),
            // Only the phone has asserted this uid.
            "uid_source": user.isRandomUID ? "random" : "device", "name": info.name.map { .string($0) },
            "phone": info.phone.map { .string($0) }, "avatar": info.avatar.map { .string($0) },
            "email": info.email.map { .string($0) }, "face_verified_at": .integer(user.verifiedAt.seconds),
        ])
    }

    func route(
        _ method: HTTPRequest.Method, _ path: String, _ interface: String, needs capability: Capability = .face,
        _ answer:
            @escaping @Sendable (ServerCall, SuperIDCall, String) async throws -> JSON
    ) -> EndpointRoute {
        EndpointRoute(method, path) { request, context in
            do {
                let members = try await Self.members(of: request)
                let app = try await provider.registeredApp(try members.appID())
                let key = try members.signer(of: app)
                let (name, sentAt) = try members.name()
                let call = ServerCall(
                    app: app, key: key, interface: interface, peer: try ServerCall.address(of: context.peer?.address),
                    sentAt: sentAt)
                try await provider.admit(call, needs: capability, name: name)
                let data = try await answer(call, members, context.parameters.get("id") ?? "")
                context.outcome.note(code: Situation.success.rawValue)
                return Response(.object(["message": "success", "data": data]))
            } catch let error as Refusal {
                context.outcome.note(code: error.situation.rawValue)
                return Response(
                    .object(["message": .string(error.detail), "code": .string(error.situation.rawValue)]),
                    status: error.situation.httpStatus)
            }
        }
    }

    /// JSON or a form in the body, or the query.
    private static func members(of request: Request) async throws(Refusal) -> SuperIDCall {
        let body: [UInt8]
        do { body = try await request.bytes(upTo: EndpointRoute.maximumServerBody) } catch {
            throw Refusal(.bodyTooLarge, "at most \(EndpointRoute.maximumServerBody) bytes")
        }
        if body.isEmpty {
            return try SuperIDCall(request.uri.queryParameters.map { (String($0.key), String($0.value)) })
        }
        if request.mediaType == "application/x-www-form-urlencoded" {
            guard let pairs = FormText.pairs(body) else {
                throw Refusal(.malformedRequest, "the form cannot be read")
            }
            return try SuperIDCall(pairs)
        }
        return try SuperIDCall(try EndpointRoute.parse(body).get())
    }
}
