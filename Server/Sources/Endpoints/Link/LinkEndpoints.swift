package import Authority
package import BenjiProtocol
import HTTPTypes
import Hummingbird
import NIOSSL
package import Sightings
import Store

/// The authority's side of the link: it answers gateways in other processes, on a listener of its own with mandatory
/// client certificates (``LinkTLS/server``).
///
/// The certificate identifies the gateway. It may state only its own sightings, and speak only for the carriers that it
/// was given. The authority then decides as if both were one process. It trusts the gateway that a device's proof was
/// verified and covers the request. It checks time, replay and the binding of key to scrip itself.
package struct LinkEndpoints: Sendable {
    /// The largest message that is read, in bytes.
    package static let maximumBody = 512 * 1024
    /// How far a gateway's clock may be from the authority's: as far as a phone's.
    static let clockTolerance = DeviceProof.maximumAge

    /// The OpenID provider, as gateways ask it for the pages that they show.
    package struct OpenID: Sendable {
        let desk: any OpenIDBrowserDesk
        /// Where browsers reach the pages, on gateways.
        let pages: String

        package init(desk: any OpenIDBrowserDesk, pages: String) {
            self.desk = desk
            self.pages = pages
        }
    }

    let desk: any DeviceDesk & BrowserTokenDesk
    let sms: (any SMSLoginDesk)?
    let openID: OpenID?
    let face: (any FaceRequestDesk)?
    let ownLog: (any OwnLogDesk)?
    private let register: any RegisterDesk
    private let pairs: GatewayPairs?
    private let gateways: [String: Set<Carrier>]
    private let installation: String
    private let clock: any WallClock
    private let problem: @Sendable () -> String?

    /// Says which installation an answer is from.
    static let installationHeader = HTTPField.Name("Benji-Installation")!
    /// The authority's time at an answer, in milliseconds since 1970.
    static let timeHeader = HTTPField.Name("Benji-Time")!

    /// - Parameters:
    ///   - sms: `nil` if there are no logins by SMS.
    ///   - openID: `nil` while OpenID Connect is off.
    ///   - face: `nil` while face login is off.
    ///   - ownLog: `nil` if people cannot see their own log.
    ///   - pairs: which gateways are a pair; `nil` if none are.
    ///   - gateways: which carriers each gateway may speak for, by the name in its certificate.
    ///   - installation: what gateways tell this installation by from every other, as of `Vault.installation`.
    ///   - problem: why this node must serve no gateway now, or `nil`. Gateways that ask after its health receive it.
    package init(
        desk: any DeviceDesk & BrowserTokenDesk, sms: (any SMSLoginDesk)? = nil, openID: OpenID? = nil,
        face: (any FaceRequestDesk)? = nil, ownLog: (any OwnLogDesk)? = nil,
        register: any RegisterDesk, pairs: GatewayPairs? = nil, gateways: [String: Set<Carrier>],
        installation: String, clock: any WallClock = SystemWallClock(),
        problem: @escaping @Sendable () -> String? = { nil }
    ) {
        self.desk = desk
        self.sms = sms
        self.openID = openID
        self.face = face
        self.ownLog = ownLog
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
            case .prefetch:
                call(path) { call in
                    let response = try await desk.prefetch(
                        ProvenRequests.read(call.request, PrefetchRequest.init(fromPhone:)), from: call.device)
                    return Decision(response.json, trace: response.trace)
                }
            case .authorize:
                call(path) { call in
                    let response = try await desk.authorize(
                        ProvenRequests.read(call.request, AuthorizeRequest.init), from: call.device)
                    return Decision(response.json, trace: response.trace)
                }
            case .forget:
                call(path) { call in
                    try await desk.forget(ProvenRequests.read(call.request, ForgetRequest.init), from: call.device)
                    return Decision(.object([]))
                }
            case .attestation:
                call(path) { call in
                    try await desk.register(
                        ProvenRequests.read(call.request, AttestationRequest.init), from: call.device)
                    return Decision(.object([]))
                }
            case .smsCode:
                call(path) { call in
                    let response = try await codeSender.sendCode(
                        ProvenRequests.read(call.request, SMSCodeRequest.init(fromPhone:)), from: call.device)
                    return Decision(response.json, trace: response.trace)
                }
            case .smsLogin:
                call(path) { call in
                    let response = try await codeSender.logIn(
                        ProvenRequests.read(call.request, SMSLoginRequest.init(fromPhone:)), from: call.device)
                    return Decision(response.json, trace: response.trace)
                }
            case .smsUpstream:
                call(path) { call in
                    let response = try await codeSender.giveText(
                        ProvenRequests.read(call.request, SMSUpstreamRequest.init(fromPhone:)), from: call.device)
                    return Decision(response.json, trace: response.trace)
                }
            case .smsUpstreamStatus:
                call(path) { call in
                    let request = try ProvenRequests.read(call.request) { json throws(JSONError) in
                        try SMSUpstreamStatusRequest(json)
                    }
                    let response = try await codeSender.textStatus(request, from: call.device)
                    return Decision(response.json, trace: response.trace)
                }
            case .smsUpstreamLogin:
                call(path) { call in
                    let response = try await codeSender.logIn(
                        ProvenRequests.read(call.request, SMSUpstreamLoginRequest.init(fromPhone:)), from: call.device)
                    return Decision(response.json, trace: response.trace)
                }
            case .observe: message(path) { json, gateway in Decision(try await observe(json, gateway)) }
            case .revoke:
                message(path) { json, _ in
                    try await register.revoke(Self.read(json, RevocationBatch.init).bindings)
                    return Decision(.object([]))
                }
            case .challenge:
                message(path) { json, _ in
                    let app = try Self.read(json) { json throws(JSONError) in
                        var reader = try JSONObjectReader(json)
                        let app = try reader.value("app", AppID.rule, AppID.init(rawValue:))
                        try reader.finish()
                        return app
                    }
                    return Decision(.object(["challenge": .string(try await desk.attestationChallenge(for: app))]))
                }
            case .pairNews:
                message(path) { json, gateway in
                    let question = try Self.read(json, PairQuestion.init)
                    return Decision(try await members().news(after: question.sequence, for: gateway.name).json)
                }
            case .pairClaim:
                message(path) { json, gateway in
                    let seen = try Self.read(json) { json throws(JSONError) in try PairStanding(json) }
                    return Decision(try await members().claim(seen: seen, by: gateway.name).json)
                }
            case .pairRecord:
                message(path) { json, gateway in
                    let said = try Self.read(json, PairStatement.init)
                    let outcome = try await members().record(
                        said.entries, fence: said.fence, after: said.sequence, by: gateway.name)
                    return Decision(outcome.json)
                }
            case .pairRelease:
                message(path) { json, gateway in
                    try await members().release(fence: Self.read(json, PairStatement.init).fence, by: gateway.name)
                    return Decision(.object([]))
                }
            case .openID: openIDRoute
            case .openIDAuthorize: openIDAuthorizeRoute
            case .openIDAnswer: openIDAnswerRoute
            case .openIDConsents: openIDConsentsRoute
            case .openIDRequests: openIDRequestsRoute
            case .openIDMedia: openIDMediaRoute
            case .browserToken: browserTokenRoute
            case .ownLog: ownLogRoute
            case .ownLogProof: ownLogProofRoute
            case .face: faceRoute
            case .erased:
                question(path) {
                    if let problem = problem() { throw StoreError(.unavailable, problem) }
                    return ErasedSubscriptions(try await register.erasedSubscriptions()).json
                }
            case .policy: question(path) { try await desk.policyDocument() }
            }
        }
    }

    /// The decision, for the gateway and for the access log.
    struct Decision {
        var json: JSON
        var situation: Situation
        var trace: TraceID?

        init(_ json: JSON, situation: Situation = .success, trace: TraceID? = nil) {
            self.json = json
            self.situation = situation
            self.trace = trace
        }
    }

    /// A route that only asks.
    func question(_ path: LinkPath, _ answer: @escaping @Sendable () async throws -> JSON) -> EndpointRoute {
        EndpointRoute(.get, path.rawValue) { _, context in
            _ = try await gateway(context)
            if path.isGateways { RequestSubject.current?.prove() }
            return try await self.answer(context) { Decision(try await answer()) }
        }
    }

    /// A route that takes a phone's request with what the gateway says about it.
    private func call(
        _ path: LinkPath, _ decide: @escaping @Sendable (LinkCall) async throws -> Decision
    ) -> EndpointRoute {
        message(path) { json, gateway in
            let call = try Self.read(json, LinkCall.init)
            try check(call.device.sighting, of: gateway)
            return try await decide(call)
        }
    }

    func message(
        _ path: LinkPath,
        _ decide: @escaping @Sendable (JSON, GatewayIdentity) async throws -> Decision
    ) -> EndpointRoute {
        EndpointRoute(.post, path.rawValue) { request, context in
            // Checked before the body is read.
            let gateway = try await gateway(context)
            if path.isGateways { RequestSubject.current?.prove() }
            let body = try await request.bytes(upTo: Self.maximumBody)
            return try await answer(context) { try await decide(Self.read(body, JSON.init(parsing:)), gateway) }
        }
    }

    /// Wraps a decision. Any other result stays bare: see ``LinkAnswer``.
    func answer(
        _ context: EndpointContext, _ decide: () async throws -> Decision
    ) async throws -> Response {
        do {
            let decision = try await decide()
            context.outcome.note(code: decision.situation.rawValue, trace: decision.trace)
            return wrapped(.answer(decision.json))
        } catch let link as LinkRefusal {
            throw link.refusal
        } catch let refusal as Refusal {
            context.outcome.note(code: refusal.situation.rawValue, trace: refusal.trace)
            return wrapped(.refusal(DeviceFailure(refusal)))
        } catch let error as StoreError {
            context.outcome.note(code: Situation.storeUnavailable.rawValue)
            return wrapped(.storeError(error))
        }
    }

    private func wrapped(_ answer: LinkAnswer) -> Response {
        var response = Response(answer.json)
        response.headers[Self.installationHeader] = installation
        response.headers[Self.timeHeader] = "\(clock.now.milliseconds)"
        return response
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
            throw LinkRefusal(.gatewayNotTrusted, "the sighting is in another gateway's name than the certificate")
        }
        let now = clock.now
        let distance = sighting.time > now ? sighting.time - now : now - sighting.time
        guard distance <= Self.clockTolerance else {
            throw LinkRefusal(.gatewayNotTrusted, "the gateway's clock is more than two minutes from the authority's")
        }
    }

    private func observe(_ json: JSON, _ gateway: GatewayIdentity) async throws -> JSON {
        let batch = try Self.read(json, ObservationBatch.init)
        let carriers = gateways[gateway.name] ?? []
        let latest = clock.now + Self.clockTolerance
        // One observation that is not allowed refuses the whole batch.
        guard batch.observations.allSatisfy({ carriers.contains($0.carrier) }) else {
            throw LinkRefusal(.gatewayNotTrusted, "this gateway may not speak for this carrier")
        }
        guard batch.observations.allSatisfy({ $0.eventTime <= latest }) else {
            throw LinkRefusal(
                .gatewayNotTrusted, "the gateway's clock is more than two minutes ahead of the authority's")
        }
        return ObservationAnswer(try await register.observe(batch.observations)).json
    }

    private var codeSender: any SMSLoginDesk {
        get throws(Refusal) {
            guard let sms else { throw Refusal(.messageNotSent, "this installation sends no messages") }
            return sms
        }
    }

    private func members() throws -> GatewayPairs {
        guard let pairs else { throw LinkRefusal(.gatewayNotTrusted, "no gateways are a pair here") }
        return pairs
    }

    static func read<Source, Message>(
        _ source: Source, _ make: (Source) throws(JSONError) -> Message
    ) throws -> Message {
        do { return try make(source) } catch { throw LinkRefusal(.malformedRequest, error.description) }
    }
}

/// The authority's no to the gateway itself.
private struct LinkRefusal: Error {
    var refusal: Refusal

    init(_ situation: Situation, _ detail: String) { refusal = Refusal(situation, detail) }
}
