import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServerTestKit
import Sightings
import Store
import Synchronization
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import Link
@testable import OpenIDProvider
@testable import Requests
@testable import ServerHTTP

@Suite("A gateway and several nodes of one authority", .serialized)
struct LinkNodesTests {
    /// The behaviour of one node towards every request, and the paths of its requests.
    final class Node: Sendable {
        enum Behaviour: Sendable {
            case serves
            /// Takes the question and closes nothing, until ``end()``.
            case hangs
            /// Says so before it does anything.
            case overloaded
            case internalError
            /// As a node says of a message that it cannot read.
            case malformed
            case storeUnavailable
            case installation(String?)
            /// Answers, and closes its connections.
            case leaves
        }

        let service: ScriptedDeviceService
        let openID: ScriptedOpenIDService
        let behaviour: Mutex<Behaviour>
        private let clock: any WallClock
        private let problem: @Sendable () -> String?
        private let (isOver, over) = AsyncStream<Void>.makeStream()
        /// The addresses that were asked, of a forwarded request its own.
        let asked = Mutex<[String]>([])

        init(
            _ behaviour: Behaviour = .serves, service: ScriptedDeviceService = ScriptedDeviceService(),
            openID: ScriptedOpenIDService = ScriptedOpenIDService(), clock: any WallClock = SystemWallClock(),
            problem: @escaping @Sendable () -> String? = { nil }
        ) {
            self.clock = clock
            self.problem = problem
            self.behaviour = Mutex(behaviour)
            self.service = service
            self.openID = openID
        }

        /// Ends what hangs.
        func end() { over.finish() }
        func count(_ path: DevicePath) -> Int { count(path.rawValue) }
        func count(_ path: String) -> Int { asked.withLock { $0.count { $0 == path } } }

        /// The answer of a node whose store cannot be used.
        private static func unable(_ path: LinkPath) async throws -> Response {
            let refusal = Refusal(.storeUnavailable, "the store did not answer")
            guard path == .forward else {
                return Response(LinkAnswer.storeError(StoreError(.unavailable, refusal.detail)).json)
            }
            let outcome = RequestOutcome()
            outcome.note(code: refusal.situation.rawValue)
            let answer = try await ForwardedAnswer(Response(refusal), outcome)
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.bytes ?? [])))
        }

        var routes: [EndpointRoute] {
            let honest = LinkEndpoints(
                forwarded: LinkWorld.phoneRoutes(service, openID), register: ScriptedRegisterService(),
                gateways: ["gateway-1": [.mobile]], installation: "installation", clock: clock, problem: problem)
            return zip(LinkPath.allCases, honest.routes).map { path, route in
                var route = route
                let serve = route.handler
                route.handler = { request, context in
                    let body = try await request.bytes(upTo: ForwardedRequest.maximumLength)
                    let forwarded = path == .forward ? try ForwardedRequest(body).target : path.rawValue
                    self.asked.withLock { $0.append(String(forwarded.prefix { $0 != "?" })) }
                    let request = Request(
                        head: request.head, body: RequestBody(buffer: ByteBuffer(bytes: body)))
                    switch self.behaviour.withLock({ $0 }) {
                    case .serves: return try await serve(request, context)
                    case .hangs:
                        for await _ in self.isOver {}
                        throw CancellationError()
                    case .overloaded: throw Refusal(.overloaded, "")
                    case .internalError: throw Refusal(.internalError, "")
                    case .malformed: throw Refusal(.malformedRequest, "")
                    case .storeUnavailable:
                        var answer = try await Self.unable(path)
                        answer.headers[LinkRules.installationHeader] = "installation"
                        return answer
                    case .installation(let name):
                        var answer = try await serve(request, context)
                        answer.headers[LinkRules.installationHeader] = name
                        return answer
                    case .leaves:
                        var answer = try await serve(request, context)
                        answer.headers[.connection] = "close"
                        return answer
                    }
                }
                return route
            }
        }
    }

    /// A measure of time that stands until a test moves it.
    final class Uptime: Sendable {
        let value = Mutex(Duration.zero)

        var read: @Sendable () -> Duration { { self.value.withLock { $0 } } }
    }

    /// Runs `body` with a gateway over these nodes; `nil` is an address without a listener.
    func world(
        _ nodes: [Node?], timeout: Duration = Patience.deadline, log: LogBook = LogBook(),
        uptime: Uptime? = nil, clock: any WallClock = SystemWallClock(),
        _ body: (RemoteAuthority) async throws -> Void
    ) async throws {
        let certificates = try await LinkCertificates()
        defer { certificates.remove() }
        let server = try await certificates.authority().server
        let tls = try await RenewableTLS(keeping: certificates.gateway("gateway-1").client)
        func open(_ left: ArraySlice<Node?>, _ urls: [String]) async throws {
            guard let first = left.first else {
                let remote = try RemoteAuthority(
                    urls: urls, tls: tls, timeout: timeout, clock: clock, logger: log.logger,
                    uptime: uptime?.read ?? RemoteAuthority.systemUptime)
                do { try await body(remote) } catch {
                    await remote.shutdown()
                    throw error
                }
                return await remote.shutdown()
            }
            guard let node = first else {
                return try await withRefusingPort { port in
                    try await open(left.dropFirst(), urls + ["https://127.0.0.1:\(port)"])
                }
            }
            try await withListener(node.routes, tls: server, logger: LogBook().logger) { port in
                try await open(left.dropFirst(), urls + ["https://127.0.0.1:\(port)"])
            }
        }
        try await open(nodes[...], [])
    }

    static let device = LinkPhone(sighting: .failure(.unknownAddress))

    /// Sighted as one of many subscriptions, so that calls fall to all nodes.
    static func device(_ row: Int64) -> LinkPhone {
        LinkPhone(
            sighting: .success(
                Sighting(
                    subscription: SubscriptionReference(subscription: row, epoch: 1, simGeneration: 1),
                    carrier: .mobile, binding: BindingID(rawValue: row), gateway: "gateway-1",
                    time: SystemWallClock().now, localAddressConfirmed: true, roaming: false)))
    }

    @Test("a node that is being stopped answers, is left alone after that, and is asked again when it is back")
    func leaving() async throws {
        let nodes = [Node(.leaves), Node()]
        let uptime = Uptime()
        try await world(nodes, uptime: uptime) { remote in
            for row in 1...40 { _ = try await remote.authorize(LinkWorld.authorize, from: Self.device(Int64(row))) }
            #expect(nodes.map { $0.count(.authorize) } == [1, 39])
            #expect(remote.warnings.count == 1 && remote.warnings[0].hasSuffix("is left alone: it is being stopped"))
            #expect(await remote.problem() == nil)
            uptime.value.withLock { $0 = .seconds(2) }
            await remote.probe()
            #expect(remote.warnings.count == 1)
            nodes[0].behaviour.withLock { $0 = .serves }
            uptime.value.withLock { $0 = .seconds(10) }
            await remote.probe()
            #expect(remote.warnings.isEmpty)
        }
    }

    @Test("calls about one subscription reach one node, calls about many reach all")
    func spread() async throws {
        let nodes = [Node(), Node()]
        try await world(nodes) { remote in
            for _ in 0..<5 { _ = try await remote.prefetch(LinkWorld.prefetch, from: Self.device(7)) }
            #expect(Set(nodes.map { $0.count(.prefetch) }) == [0, 5])
            for row in 1...40 { _ = try await remote.authorize(LinkWorld.authorize, from: Self.device(Int64(row))) }
            #expect(nodes.allSatisfy { $0.count(.authorize) > 5 })
            #expect(nodes.reduce(0) { $0 + $1.count(.authorize) } == 40)
        }
    }

    @Test(
        "whatever is asked goes to the next node where one cannot be connected, and that one is left alone from then on"
    )
    func unconnected() async throws {
        let node = Node()
        let log = LogBook()
        try await world([nil, node], log: log, uptime: Uptime()) { remote in
            for row in 1...20 {
                _ = try await remote.authorize(LinkWorld.authorize, from: Self.device(Int64(row)))
                _ = try await remote.prefetch(LinkWorld.prefetch, from: Self.device(Int64(row)))
                try await remote.forget(LinkWorld.forget, from: Self.device(Int64(row)))
                try await remote.revoke([BindingID(rawValue: 1)])
                _ = try await remote.erasedSubscriptions()
            }
            #expect(node.count(.authorize) == 20 && node.count(.prefetch) == 20)
            #expect(remote.warnings.count == 1 && remote.warnings[0].contains("is left alone: link unreachable"))
            #expect(await remote.problem() == nil)
        }
        #expect(log.lines.count { $0.contains("cannot be asked") } == 1)
        #expect(!log.lines.contains { $0.contains("no authority answers") })
    }

    @Test(
        """
        when nobody knows whether a browser's request was met no other node is given it; an image comes from the next \
        one
        """
    )
    func unknownOutcomeOfBrowsers() async throws {
        try await leaveOutcomeOfBrowsersUnknown(.internalError)
        let nodes = [Node(.internalError), Node()]
        try await world(nodes) { remote in
            for _ in 0..<2 {
                let image = try await remote.send(
                    LinkPhone().browse(.get, "/openid/media/\(ScriptedOpenIDService.media.digest)"))
                #expect(image.body == ScriptedOpenIDService.media.content)
            }
        }
        // A node that is gone has surely done nothing.
        let left = Node()
        try await world([nil, left]) { remote in
            for row in 1...10 {
                let sighting = try #require(Self.device(Int64(row)).sighting).get()
                let situations = await ScriptedOpenIDService.situations(remote, sighting)
                #expect(situations.allSatisfy { $0 == nil })
            }
        }
        for path in Self.ofBrowsers { #expect(left.count(path) == 10) }
    }

    /// Requests of browsers that go to one node only.
    private static let ofBrowsers = ["/openid/authorize", "/openid/login", "/openid/requests", "/h5/getMobile"]

    func leaveOutcomeOfBrowsersUnknown(_ behaviour: Node.Behaviour, timeout: Duration = Patience.deadline) async throws
    {
        let nodes = [Node(behaviour), Node(behaviour)]
        try await world(nodes, timeout: timeout) { remote in
            let sighting = try #require(Self.device(7).sighting).get()
            let situations = await ScriptedOpenIDService.situations(remote, sighting)
            #expect(situations.allSatisfy { $0 != nil })
            for path in Self.ofBrowsers { #expect(nodes.reduce(0) { $0 + $1.count(path) } == 1, "\(path)") }
            for node in nodes { node.end() }
        }
    }

    @Test("a node whose store does not answer a browser is left alone, and the next request goes to another")
    func unableForBrowsers() async throws {
        let stop = OpenIDStop.person(.storeUnavailable, .english, otherWay: nil)
        let nodes = [Node(openID: ScriptedOpenIDService(stop: stop)), Node()]
        try await world(nodes, uptime: Uptime()) { remote in
            var refused = 0
            for row in 1...20 {
                let answer = try await remote.send(ScriptedOpenIDService.login(Self.device(Int64(row))))
                if answer.status == 503 { refused += 1 } else { #expect(answer.status == 303) }
            }
            #expect(refused == 1)
            #expect(remote.warnings.count == 1)
        }
        #expect(nodes[1].openID.calls.count == 19)
    }

    @Test("a node whose store does not answer a web page in the H5 shape is left alone, whatever code that has there")
    func unableForPages() async throws {
        let no = Refusal(.storeUnavailable, "the store did not answer")
        let nodes = [Node(service: ScriptedDeviceService(failure: no)), Node()]
        try await world(nodes, uptime: Uptime()) { remote in
            for row in 1...20 {
                _ = try await remote.send(ScriptedOpenIDService.browserToken(Self.device(Int64(row))))
            }
            #expect(remote.warnings.count == 1)
        }
        #expect(nodes[1].service.seen.origins.count == 19)
    }

    @Test("a message that one node calls malformed is not brought to the next, and no node is left alone for it")
    func malformed() async throws {
        let nodes = [Node(.malformed), Node(.malformed)]
        try await world(nodes, uptime: Uptime()) { remote in
            for row in 1...10 {
                await #expect(throws: Refusal.self) {
                    _ = try await remote.prefetch(LinkWorld.prefetch, from: Self.device(Int64(row)))
                }
            }
            #expect(remote.warnings.isEmpty)
        }
        #expect(nodes.map { $0.count(.prefetch) }.reduce(0, +) == 10)
    }

    @Test("one node cannot be named twice, however its address is written")
    func namedTwice() async throws {
        let certificates = try await LinkCertificates()
        defer { certificates.remove() }
        let tls = try await RenewableTLS(keeping: certificates.gateway("gateway-1").client)
        #expect(throws: LinkConfigurationError.self) {
            try RemoteAuthority(
                urls: ["https://authority:8083", "https://authority:8083/"], tls: tls, logger: LogBook().logger)
        }
    }

    @Test("when nobody knows whether a token was issued no other node is asked; what may be repeated is, and answered")
    func unknownOutcome() async throws {
        for behaviour in [Node.Behaviour.internalError, .storeUnavailable] { try await leaveOutcomeUnknown(behaviour) }
    }

    func leaveOutcomeUnknown(_ behaviour: Node.Behaviour, timeout: Duration = Patience.deadline) async throws {
        for path in [DevicePath.authorize, .prefetch] {
            let nodes = [Node(behaviour), Node()]
            try await world(nodes, timeout: timeout) { remote in
                for row in 1...40 {
                    let before = nodes.map { $0.count(path) }
                    var refusal: Refusal?
                    do throws(Refusal) {
                        if path == .prefetch {
                            _ = try await remote.prefetch(LinkWorld.prefetch, from: Self.device(Int64(row)))
                        } else {
                            _ = try await remote.authorize(LinkWorld.authorize, from: Self.device(Int64(row)))
                        }
                    } catch { refusal = error }
                    let asked = zip(nodes, before).map { $0.count(path) - $1 }
                    if path == .prefetch {
                        #expect(refusal == nil && asked[1] == 1)
                    } else {
                        // Refused by the one or answered by the other, and never both.
                        #expect(asked == (refusal == nil ? [0, 1] : [1, 0]), "\(behaviour)")
                    }
                }
                #expect(nodes[0].count(path) == 1, "it is left alone after the first failure")
                nodes[0].end()
            }
        }
    }

    @Test("when nobody knows whether a message went out, or a code was spent, no other node is asked")
    func unknownMessages() async throws {
        for path in [DevicePath.smsCode, .smsLogin, .smsUpstreamLogin] {
            let nodes = [Node(.internalError), Node(.internalError)]
            try await world(nodes) { remote in
                var refusal: Refusal?
                do throws(Refusal) {
                    if path == .smsCode {
                        _ = try await remote.sendCode(LinkWorld.smsCode, from: Self.device(1))
                    } else if path == .smsLogin {
                        _ = try await remote.logIn(LinkWorld.smsLogin, from: Self.device(1))
                    } else {
                        _ = try await remote.logIn(LinkWorld.textLogin, from: Self.device(1))
                    }
                } catch { refusal = error }
                #expect(refusal?.situation == .internalError)
                #expect(nodes.map { $0.count(path) }.reduce(0, +) == 1)
            }
        }
    }

    @Test("a node that says before it begins that it cannot serve passes everything on")
    func overloaded() async throws {
        let nodes = [Node(.overloaded), Node()]
        try await world(nodes) { remote in
            for row in 1...10 { _ = try await remote.authorize(LinkWorld.authorize, from: Self.device(Int64(row))) }
        }
        #expect(nodes[1].count(.authorize) == 10)
    }

    @Test("a refusal is the authority's answer and no other node is asked")
    func refusal() async throws {
        let no = Refusal(.addressUnknown, "not a phone of this network")
        let nodes = [
            Node(service: ScriptedDeviceService(failure: no)), Node(service: ScriptedDeviceService(failure: no)),
        ]
        try await world(nodes) { remote in
            let refusal = await #expect(throws: Refusal.self) {
                try await remote.prefetch(LinkWorld.prefetch, from: Self.device)
            }
            #expect(refusal?.situation == .addressUnknown)
        }
        #expect(nodes.reduce(0) { $0 + $1.count(.prefetch) } == 1)
    }

    @Test(
        """
        a node that was left alone is asked one question when its pause is over, and has its share again once it answers
        """
    )
    func probe() async throws {
        let now = Uptime()
        let nodes = [Node(.overloaded), Node()]
        try await world(nodes, uptime: now) { remote in
            for row in 1...40 { _ = try await remote.prefetch(LinkWorld.prefetch, from: Self.device(Int64(row))) }
            let before = nodes[0].asked.withLock { $0.count }
            await remote.probe()
            #expect(nodes[0].asked.withLock { $0.count } == before, "not before its pause is over")
            now.value.withLock { $0 = .seconds(1) }
            await remote.probe()
            #expect(nodes[0].asked.withLock { $0.count } == before + 1)
            await remote.probe()
            #expect(nodes[0].asked.withLock { $0.count } == before + 1, "the next pause is longer")
            nodes[0].behaviour.withLock { $0 = .serves }
            now.value.withLock { $0 = .seconds(3) }
            await remote.probe()
            #expect(remote.warnings.isEmpty)
            let share = nodes[0].count(.prefetch)
            for row in 1...40 { _ = try await remote.prefetch(LinkWorld.prefetch, from: Self.device(Int64(row))) }
            #expect(nodes[0].count(.prefetch) > share)
        }
    }

    @Test("readiness fails only if no node serves, and names each")
    func readiness() async throws {
        let node = Node()
        let log = LogBook()
        try await world([node, nil], log: log) { remote in
            #expect(await remote.problem() == nil)
            #expect(remote.warnings.count == 1)
            node.behaviour.withLock { $0 = .overloaded }
            let problem = await remote.problem()
            #expect(problem?.contains("link overloaded") == true && problem?.contains("link unreachable") == true)
            #expect(problem?.components(separatedBy: "127.0.0.1:").count == 3)
            #expect(remote.warnings.isEmpty)
            node.behaviour.withLock { $0 = .serves }
            #expect(await remote.problem() == nil)
        }
        #expect(log.lines.count { $0.contains("no authority answers") } == 1)
        #expect(log.lines.count { $0.contains("answered again") } == 1)
    }

    @Test("a node of another installation is not believed, and one that does not say which it is neither")
    func installations() async throws {
        for other in ["another", nil] {
            let now = Uptime()
            let nodes = [Node(), Node(.overloaded)]
            try await world(nodes, uptime: now) { remote in
                // The first that is heard is the gateway's own.
                #expect(await remote.problem() == nil)
                nodes[1].behaviour.withLock { $0 = .installation(other) }
                now.value.withLock { $0 = .seconds(1) }
                await remote.probe()
                #expect(remote.warnings.count == 1 && remote.warnings[0].contains("link other_installation"))
                for row in 1...20 { _ = try await remote.prefetch(LinkWorld.prefetch, from: Self.device(Int64(row))) }
                #expect(nodes[0].count(.prefetch) == 20)
            }
        }
    }

    /// Sends a proof, made once, through the routes of a gateway with a memory of proofs.
    private func prefetch(
        _ remote: RemoteAuthority, _ request: ForwardedRequest, _ proofs: ReplayGuard, _ row: Int64?
    ) async throws -> String? {
        let sightings = Sightings(sighting: row.flatMap { Self.device($0).sighting } ?? .failure(.unknownAddress))
        let routes = ForwardingEndpoints(
            remote, sightings: sightings, proofs: proofs, publicURLs: [LinkPhone.base]
        ).routes
        return try await Exchange.send(
            PublicServer.router("device", routes: routes), .post, request.target, headers: request.headers,
            body: request.body
        ).code
    }

    private struct Sightings: SightingSource {
        let sighting: Result<Sighting, SightingRefusal>

        func sighting(
            from address: InternetAddress, port: UInt16, claimedLocalAddress: InternetAddress?
        ) async -> Result<Sighting, SightingRefusal> { sighting }
    }

    @Test("a gateway with several nodes takes each proof of a subscriber once, whichever node decides")
    func proofs() async throws {
        let nodes = [Node(), Node()]
        try await world(nodes) { remote in
            let request = try Self.device.request(.prefetch, LinkWorld.prefetch.json)
            let at = try issuedAt(request)
            let proofs = ReplayGuard(FreshProofs(capacity: 1000, clock: TestClock(at)))
            #expect(try await prefetch(remote, request, proofs, 1) == "success")
            for row in 1...10 {
                #expect(try await prefetch(remote, request, proofs, Int64(row)) == "proof_replayed")
            }
            // Proofs of unknown subscribers are left to the authority, and fill no memory here.
            for _ in 0..<3 { #expect(try await prefetch(remote, request, proofs, nil) == "success") }
        }
        #expect(nodes.reduce(0) { $0 + $1.count(.prefetch) } == 4)
    }

    private func issuedAt(_ request: ForwardedRequest) throws -> Timestamp {
        try DeviceProof(verifying: CompactJWS(parsing: request.headers[.deviceProof] ?? "")).issuedAt
    }

    @Test("a gateway that has taken over its pair takes no proof that may have been shown to the other gateway")
    func proofsOfBefore() async throws {
        let nodes = [Node(), Node()]
        try await world(nodes) { remote in
            let request = try Self.device.request(.prefetch, LinkWorld.prefetch.json)
            let at = try issuedAt(request)
            for (since, code) in [(at + .seconds(1), "clock_skew"), (at, "success")] {
                let proofs = ReplayGuard(FreshProofs(capacity: 1000, clock: TestClock(at))) { since }
                #expect(try await prefetch(remote, request, proofs, 1) == code)
            }
        }
    }
}
