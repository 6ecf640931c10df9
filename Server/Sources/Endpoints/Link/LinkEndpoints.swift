package import Authority
package import BenjiProtocol
import HTTPTypes
import Hummingbird
package import Link
import Logging
import NIOCore
import NIOSSL
package import Requests
package import ServerHTTP
package import Sightings
import Store

/// The authority's side of the link: it answers gateways in other processes, on a listener of its own with mandatory
/// client certificates (``LinkTLS/server``).
///
/// The certificate identifies the gateway. It may state only its own sightings, and speak only for the carriers that it
/// was given. Its requests for phones and browsers are answered by the routes of a listener for phones, which verify
/// signatures themselves.
package struct LinkEndpoints: Sendable {
    private let responder: RouterResponder<EndpointContext>
    private let register: any RegisterService
    private let pairs: GatewayPairs?
    private let gateways: [String: Set<Carrier>]
    private let installation: String
    private let clock: any WallClock
    private let problem: @Sendable () -> String?

    /// - Parameters:
    ///   - forwarded: the routes that answer the requests which gateways forward. They find who sent a request in its
    ///     context.
    ///   - pairs: which gateways are a pair; `nil` if none are.
    ///   - gateways: which carriers each gateway may speak for, by the name in its certificate.
    ///   - installation: what gateways tell this installation by from every other, as of `Vault.installation`.
    ///   - problem: why this node must serve no gateway now, or `nil`. Gateways that ask after its health receive it.
    package init(
        forwarded: [EndpointRoute], register: any RegisterService, pairs: GatewayPairs? = nil,
        gateways: [String: Set<Carrier>],
        installation: String, clock: any WallClock = SystemWallClock(),
        problem: @escaping @Sendable () -> String? = { nil }
    ) {
        responder = Self.responder(forwarded)
        self.register = register
        self.pairs = pairs
        self.gateways = gateways
        self.installation = installation
        self.clock = clock
        self.problem = problem
    }

    package var routes: [EndpointRoute] {
        LinkPath.allCases.map { path in
            switch path {
            case .forward: EndpointRoute(.post, path.rawValue) { try await forward($0, $1) }
            case .observe: message(path) { json, gateway in try await observe(json, gateway) }
            case .revoke:
                message(path) { json, _ in
                    try await register.revoke(Self.read(json, RevocationBatch.init).bindings)
                    return .object([])
                }
            case .pairNews:
                message(path) { json, gateway in
                    let question = try Self.read(json, PairQuestion.init)
                    return try await members().news(after: question.sequence, for: gateway.name).json
                }
            case .pairClaim:
                message(path) { json, gateway in
                    let seen = try Self.read(json) { json throws(JSONError) in try PairStanding(json) }
                    return try await members().claim(seen: seen, by: gateway.name).json
                }
            case .pairRecord:
                message(path) { json, gateway in
                    let said = try Self.read(json, PairStatement.init)
                    let outcome = try await members().record(
                        said.entries, fence: said.fence, after: said.sequence, by: gateway.name)
                    return outcome.json
                }
            case .pairRelease:
                message(path) { json, gateway in
                    try await members().release(fence: Self.read(json, PairStatement.init).fence, by: gateway.name)
                    return .object([])
                }
            case .erased:
                EndpointRoute(.get, path.rawValue) { _, context in
                    _ = try await gateway(context)
                    RequestSubject.current?.prove()
                    return try await answer(context) {
                        if let problem = problem() { throw StoreError(.unavailable, problem) }
                        return ErasedSubscriptions(try await register.erasedSubscriptions()).json
                    }
                }
            }
        }
    }

    // MARK: - Requests of phones and browsers

    /// The routes of phones and browsers, which note their names for the access log.
    private static func responder(_ routes: [EndpointRoute]) -> RouterResponder<EndpointContext> {
        let router = Router(context: EndpointContext.self)
        router.add(middleware: CodedErrors(routes))
        router.add(
            routes.map { route in
                var route = route
                let answer = route
                route.handler = { request, context in
                    context.outcome.note(route: answer)
                    return try await answer.handler(request, context)
                }
                return route
            })
        return router.buildResponder()
    }

    private func forward(_ request: Request, _ context: EndpointContext) async throws -> Response {
        // Checked before the body is read.
        let gateway = try await gateway(context)
        let forwarded = try Self.read(
            try await request.bytes(upTo: ForwardedRequest.maximumLength), ForwardedRequest.init)
        if let sighting = forwarded.sender.sighting { try check(sighting, of: gateway) }
        let response = try await responder.respond(
            to: forwarded.request, context: EndpointContext(of: forwarded.sender, within: context))
        guard let bytes = try await Self.bytes(response, context) else {
            throw Refusal(.internalError, "the answer's headers are too long")
        }
        var answer = Response(
            status: .ok, headers: [.contentType: FramedMessage.mediaType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        stamp(&answer)
        return answer
    }

    /// The message with an answer, or with a refusal in its place if the gateway would not read so much.
    private static func bytes(_ response: Response, _ context: EndpointContext) async throws -> [UInt8]? {
        let bytes = try await ForwardedAnswer(response, context.outcome).bytes
        guard bytes.map({ $0.count > LinkRules.maximumAnswer }) ?? true else { return bytes }
        context.logger.error("an answer is too large to be forwarded", metadata: ["bytes": "\(bytes?.count ?? 0)"])
        context.outcome.note(code: Situation.internalError.rawValue)
        let refusal = Response(Refusal(.internalError, "the answer is too large to be forwarded"))
        return try await ForwardedAnswer(refusal, context.outcome).bytes
    }

    // MARK: - Messages of the gateway's own

    private func message(
        _ path: LinkPath, _ decide: @escaping @Sendable (JSON, GatewayIdentity) async throws -> JSON
    ) -> EndpointRoute {
        EndpointRoute(.post, path.rawValue) { request, context in
            // Checked before the body is read.
            let gateway = try await gateway(context)
            RequestSubject.current?.prove()
            let body = try await request.bytes(upTo: LinkRules.maximumBody)
            return try await answer(context) { try await decide(Self.read(body, JSON.init(parsing:)), gateway) }
        }
    }

    /// Wraps an answer. A refusal stays bare: see ``LinkAnswer``.
    private func answer(_ context: EndpointContext, _ decide: () async throws -> JSON) async throws -> Response {
        var response: Response
        do {
            response = Response(LinkAnswer.answer(try await decide()).json)
            context.outcome.note(code: Situation.success.rawValue)
        } catch let error as StoreError {
            response = Response(LinkAnswer.storeError(error).json)
            context.outcome.note(code: Situation.storeUnavailable.rawValue)
        }
        stamp(&response)
        return response
    }

    /// Says which installation an answer is from, and when it was given.
    private func stamp(_ response: inout Response) {
        response.headers[LinkRules.installationHeader] = installation
        response.headers[LinkRules.timeHeader] = "\(clock.now.milliseconds)"
    }

    /// Identifies the caller by its certificate, which the handshake has verified. Without one no gateway is admitted.
    func gateway(_ context: EndpointContext) async throws -> GatewayIdentity {
        guard let certificate = await context.peerCertificate(),
            let identity = GatewayIdentity(certificate, now: clock.now)
        else {
            throw Refusal(.gatewayNotTrusted, "the certificate must be valid and hold one DNS name, the gateway's")
        }
        guard gateways[identity.name] != nil else {
            throw Refusal(.gatewayNotTrusted, "no gateway of this name may call")
        }
        return identity
    }

    /// A gateway states what it saw itself, and just now. The authority judges for which carrier it may.
    func check(_ sighting: Result<Sighting, SightingRefusal>, of gateway: GatewayIdentity) throws {
        guard case .success(let sighting) = sighting else { return }
        RequestSubject.current?.prove()
        guard sighting.gateway == gateway.name else {
            throw Refusal(.gatewayNotTrusted, "the sighting is in another gateway's name than the certificate")
        }
        let now = clock.now
        let distance = sighting.time > now ? sighting.time - now : now - sighting.time
        guard distance <= LinkRules.clockTolerance else {
            throw Refusal(.gatewayNotTrusted, "the gateway's clock is more than two minutes from the authority's")
        }
    }

    private func observe(_ json: JSON, _ gateway: GatewayIdentity) async throws -> JSON {
        let batch = try Self.read(json, ObservationBatch.init)
        let carriers = gateways[gateway.name] ?? []
        let latest = clock.now + LinkRules.clockTolerance
        // One observation that is not allowed refuses the whole batch.
        guard batch.observations.allSatisfy({ carriers.contains($0.carrier) }) else {
            throw Refusal(.gatewayNotTrusted, "this gateway may not speak for this carrier")
        }
        guard batch.observations.allSatisfy({ $0.eventTime <= latest }) else {
            throw Refusal(
                .gatewayNotTrusted, "the gateway's clock is more than two minutes ahead of the authority's")
        }
        return ObservationAnswer(try await register.observe(batch.observations)).json
    }

    private func members() throws -> GatewayPairs {
        guard let pairs else { throw Refusal(.gatewayNotTrusted, "no gateways are a pair here") }
        return pairs
    }

    static func read<Source, Message>(
        _ source: Source, _ make: (Source) throws(JSONError) -> Message
    ) throws -> Message {
        do { return try make(source) } catch { throw Refusal(.malformedRequest, error.description) }
    }
}
