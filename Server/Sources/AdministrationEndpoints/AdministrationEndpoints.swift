// The admin interface: every order of `Administration` over HTTP, for operators' programs and `benji --server`. It
// decides nothing. Begin here; `docs/openapi/admin.yaml` describes it.
package import Administration
import BenjiFaceProtocol
package import BenjiProtocol
import Crypto
import HTTPTypes
import Hummingbird
import NIOCore
import NIOSSL
package import Requests
package import ServerHTTP
import Store

/// One route for each order.
package struct AdministrationEndpoints: Sendable {
    private let administration: Administration
    private let clock: any WallClock
    private let hosts: AdmittedHosts
    private let isSecure: Bool

    /// - Parameters:
    ///   - hosts: names by which callers may ask, in lower case, besides addresses and localhost.
    ///   - isSecure: whether callers connect over TLS.
    package init(administration: Administration, clock: any WallClock, hosts: Set<String> = [], isSecure: Bool) {
        self.administration = administration
        self.clock = clock
        self.hosts = AdmittedHosts(hosts)
        self.isSecure = isSecure
    }

    package var routes: [EndpointRoute] { Orders.all.map { route($0) } }

    private func route<Asked: Order>(_ type: Asked.Type) -> EndpointRoute {
        EndpointRoute(HTTPRequest.Method(type.route.method), type.route.path) { request, context in
            guard hosts.admit(request.head.authority) else {
                return AdmittedHosts.refusal(setting: "administration.hosts")
            }
            do {
                try refuseOtherPages(request)
                return Response(try await answer(type, request, context))
            } catch let refusal as Refusal {
                context.outcome.note(code: refusal.situation.rawValue)
                var response = Response(refusal)
                if response.status == .unauthorized {
                    response.headers[.wwwAuthenticate] = #"Bearer realm="benji admin""#
                }
                return response
            }
        }
    }

    /// Refuses each request that a page of another origin can send. A browser attaches the certificate to the
    /// requests of any page.
    ///
    /// No page can send `Content-Type: application/json` to another origin without a preflight (Fetch, "CORS-safelisted
    /// request-header"), and no route grants one. The rule does not depend on a body.
    private func refuseOtherPages(_ request: Request) throws(Refusal) {
        guard !request.isCrossOrigin(isSecure: isSecure) else {
            throw Refusal(
                .orderNotPermitted,
                "Origin or Sec-Fetch-Site names a page of another site, which may not give orders; use a program")
        }
        guard request.method == .get || request.mediaType == "application/json" else {
            throw Refusal(
                .malformedRequest,
                "Content-Type must be application/json; send this header with each \(request.method.rawValue), also "
                    + "without a body")
        }
    }

    private func answer<Asked: Order>(
        _ type: Asked.Type, _ request: Request, _ context: EndpointContext
    ) async throws -> JSON {
        let caller = try await caller(request, context)
        RequestSubject.current?.prove()
        context.outcome.note(actor: caller.name)
        var members = try type.route.names.map { name in
            OrderRoute.member(name, try context.parameters.require(name), of: type.fields)
        }
        try await administration.admit(type, by: caller, about: type.route.app(of: members))
        guard type.route.method != .get else {
            let order = try OrderQuery.read(type, members, query: request.uri.query)
            return try await administration.perform(order, by: caller)
        }
        let bytes = try await request.bytes(upTo: type.bodyLimit)
        var reason: String?
        if !bytes.isEmpty {
            guard case .object(let body)? = try? JSON(parsing: bytes) else {
                throw Refusal(.malformedRequest, "the body must be one JSON object, in which no name occurs twice")
            }
            for member in body {
                if member.name == "reason" {
                    guard let text = member.value.stringValue else {
                        throw Refusal(.parameterInvalid, "reason: must be a text")
                    }
                    reason = text
                } else if type.route.names.contains(member.name) {
                    throw Refusal(.parameterInvalid, "\(member.name): is in the address, and not in the body too")
                } else {
                    members.append(member)
                }
            }
        }
        guard request.uri.query == nil else {
            throw Refusal(.parameterInvalid, "this order takes its members in the body, and none in the address")
        }
        return try await administration.perform(
            try OrderForm.read(type, members), by: caller, reason: reason,
            request: try OrderRequest(request, path: request.uri.path, body: bytes))
    }

    /// Returns the caller by bearer token, or else by the certificate of the connection.
    private func caller(_ request: Request, _ context: EndpointContext) async throws -> Caller {
        let origin = context.peer?.address.description ?? "unknown address"
        let headers = request.headers[values: .authorization]
        if let header = headers.first {
            let parts = header.split(separator: " ", maxSplits: 1)
            guard headers.count == 1, parts.count == 2, parts[0].lowercased() == "bearer" else {
                throw Refusal(.accessTokenInvalid, "write the token as Authorization: Bearer benji_admin_…")
            }
            return try await administration.caller(token: String(parts[1]), from: origin)
        }
        guard let certificate = await context.peerCertificate() else {
            throw Refusal(
                .accessTokenInvalid,
                "orders need a token, as Authorization: Bearer benji_admin_…, or a client certificate")
        }
        // The handshake looked at its dates; a connection may outlive them.
        let now = clock.now.seconds
        guard Int64(certificate.notValidBefore) <= now, now <= Int64(certificate.notValidAfter) else {
            throw Refusal(.accessTokenExpired, "the client certificate does not count at this time")
        }
        return try await administration.caller(
            certificateKey: try certificate.extractPublicKey().toSPKIBytes(), from: origin)
    }
}

extension HTTPRequest.Method {
    fileprivate init(_ method: OrderRoute.Method) {
        self =
            switch method {
            case .get: .get
            case .post: .post
            case .patch: .patch
            }
    }
}

extension HTTPField.Name {
    /// draft-ietf-httpapi-idempotency-key-header.
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}

extension OrderRequest {
    /// The name that its sender gave a request; `nil` if it gave none.
    fileprivate init?(_ request: Request, path: String, body: [UInt8]) throws(Refusal) {
        let keys = request.headers[values: .idempotencyKey]
        guard let text = keys.first else { return nil }
        // A structured field's string has quotes; most senders leave them out.
        let key = text.hasPrefix("\"") && text.hasSuffix("\"") ? String(text.dropFirst().dropLast()) : text
        let isPlain = key.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x22 && $0 != 0x5c }
        guard keys.count == 1, (1...64).contains(key.utf8.count), isPlain else {
            throw Refusal(.parameterInvalid, "Idempotency-Key: once, 1 to 64 printable ASCII characters")
        }
        var asked = LengthPrefixed(domain: "benji-order")
        asked.append(request.method.rawValue)
        asked.append(path)
        asked.append(body)
        self.init(key: key, digest: Array(SHA256.hash(data: asked.bytes)))
    }
}
