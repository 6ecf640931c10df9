import Foundation
import Hummingbird
import Logging
import NIOSSL
import ServerTestKit
import Sightings
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import Link
@testable import Requests
@testable import ServerHTTP

/// An authority's listener on the loopback, and what a gateway needs to call it.
struct LinkWorld: Sendable {
    let certificates: LinkCertificates
    let service: ScriptedDeviceService
    let register: ScriptedRegisterService
    let openID: ScriptedOpenIDService
    let log: LogBook
    let port: Int
    let now = SystemWallClock().now

    /// Calls the authority as one gateway and closes the connections afterwards.
    func asGateway<Result>(
        _ tls: TLSConfiguration, host: String = "127.0.0.1", timeout: Duration = Patience.deadline,
        _ body: (RemoteAuthority) async throws -> Result
    ) async throws -> Result {
        try await withRemote("https://\(host):\(port)", tls, timeout: timeout, logger: log.logger, body)
    }

    func sighting(gateway: String, carrier: Carrier = .mobile, time: Timestamp? = nil) -> Sighting {
        Sighting(
            subscription: SubscriptionReference(subscription: 41, epoch: 2, simGeneration: 3), carrier: carrier,
            binding: BindingID(rawValue: -7), gateway: gateway, time: time ?? now, localAddressConfirmed: true,
            roaming: true)
    }

    func device(_ sighting: Result<Sighting, SightingRefusal>) -> LinkPhone { LinkPhone(sighting: sighting) }

    /// The routes for phones and browsers, of an authority without a gateway in its process.
    static func phoneRoutes(_ service: ScriptedDeviceService, _ openID: ScriptedOpenIDService) -> [EndpointRoute] {
        let stated = StatedSightings()
        return DeviceEndpoints(service: service, sightings: stated, publicURLs: []).routes
            + OpenIDEndpoints(service: openID, pages: OpenIDWorld.pages, sightings: stated).browserRoutes
            + CMPassportBrowserEndpoints(sightings: stated, issuing: service.browserToken).routes
    }

    static let prefetch = PrefetchRequest(
        appID: Fixtures.appID, bundleID: "com.example.demo", appKeyProof: String(repeating: "p", count: 43),
        dialect: .device)
    static let authorize = AuthorizeRequest(
        appID: Fixtures.appID, scrip: ScriptedDeviceService.scrip, purpose: .verification, consent: nil)
    static let smsCode = SMSCodeRequest(
        appID: Fixtures.appID, bundleID: "com.example.demo", appKeyProof: String(repeating: "p", count: 43),
        dialect: .device, number: "13800000001")
    static let smsLogin = SMSLoginRequest(
        appID: Fixtures.appID, dialect: .device, transaction: ScriptedDeviceService.transaction, smsCode: "731904",
        consent: "a.b.c")
    static let text = SMSUpstreamRequest(
        appID: Fixtures.appID, bundleID: "com.example.demo", appKeyProof: String(repeating: "p", count: 43),
        dialect: .device)
    static let textStatus = SMSUpstreamStatusRequest(
        appID: Fixtures.appID, transaction: ScriptedDeviceService.transaction)
    static let textLogin = SMSUpstreamLoginRequest(
        appID: Fixtures.appID, dialect: .device, transaction: ScriptedDeviceService.transaction, consent: "a.b.c")
    static let attestation = AttestationRequest(
        appID: Fixtures.appID, bundleID: "com.example.app", appKeyProof: nil, format: .appAttest,
        keyID: Base64URL.encode([UInt8](repeating: 7, count: 32)), challenge: "challenge", evidence: [1, 2, 3])
    static let forget = ForgetRequest(appID: Fixtures.appID, scrip: ScriptedDeviceService.scrip)

    func observation(_ number: String, carrier: Carrier = .mobile, at time: Timestamp? = nil) -> SubscriberObservation {
        SubscriberObservation(
            number: PhoneNumber(number)!, imsi: "460001234567890", carrier: carrier, eventTime: time ?? now)
    }

    /// Returns the situation with which a prefetch is refused, or `nil` if it is answered.
    func refusal(as tls: TLSConfiguration, host: String = "127.0.0.1", sightedBy gateway: String) async throws
        -> Situation?
    {
        try await asGateway(tls, host: host) { remote in
            do {
                _ = try await remote.prefetch(Self.prefetch, from: device(.success(sighting(gateway: gateway))))
                return nil
            } catch { return (error as? Refusal)?.situation ?? .internalError }
        }
    }
}

/// Runs a test with a listener whose gateways are `gateway-1` (Mobile) and `gateway-2` (Unicom), and ends it whatever
/// happens.
func inLinkWorld(
    service: ScriptedDeviceService = ScriptedDeviceService(),
    register: ScriptedRegisterService = ScriptedRegisterService(),
    openID: ScriptedOpenIDService = ScriptedOpenIDService(), more: [EndpointRoute] = [],
    only routes: [EndpointRoute]? = nil, clock: any WallClock = SystemWallClock(), pairs: GatewayPairs? = nil,
    server: ((LinkCertificates) async throws -> TLSConfiguration)? = nil,
    _ body: (LinkWorld) async throws -> Void
) async throws {
    let certificates = try await LinkCertificates()
    defer { certificates.remove() }
    let log = LogBook()
    let link = LinkEndpoints(
        forwarded: routes ?? LinkWorld.phoneRoutes(service, openID) + more, register: register, pairs: pairs,
        gateways: ["gateway-1": [.mobile], "gateway-2": [.unicom]],
        installation: "installation", clock: clock
    ).routes
    let tls =
        if let server { try await server(certificates) } else { try await certificates.authority().server }
    try await withListener(link, tls: tls, logger: log.logger) { port in
        try await body(
            LinkWorld(
                certificates: certificates, service: service, register: register, openID: openID, log: log, port: port))
    }
}

/// Runs a listener for as long as `body` takes.
func withListener(
    _ routes: [EndpointRoute], tls: TLSConfiguration?, logger: Logger, _ body: (Int) async throws -> Void
) async throws {
    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    let application = PublicServer.application(
        PublicServer.router("gateways", routes: routes, namesPeers: true), address: .hostname("127.0.0.1", port: 0),
        tls: try tls.map { try RenewableTLS(keeping: $0) },
        logger: logger
    ) { port in
        if let port { continuation.yield(port) }
        continuation.finish()
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { continuation.finish() }
            try await application.run()
        }
        defer { group.cancelAll() }
        guard let port = await ports.first(where: { _ in true }) else {
            try await group.next()
            return
        }
        try await body(port)
    }
}

func withRemote<Result>(
    _ url: String, _ tls: TLSConfiguration, timeout: Duration = Patience.deadline, logger: Logger,
    _ body: (RemoteAuthority) async throws -> Result
) async throws -> Result {
    try await withRemote(url, RenewableTLS(keeping: tls), timeout: timeout, logger: logger, body)
}

func withRemote<Result>(
    _ url: String, _ tls: RenewableTLS, timeout: Duration = Patience.deadline, logger: Logger,
    _ body: (RemoteAuthority) async throws -> Result
) async throws -> Result {
    let remote = try RemoteAuthority(urls: [url], tls: tls, timeout: timeout, logger: logger)
    do {
        let result = try await body(remote)
        await remote.shutdown()
        return result
    } catch {
        await remote.shutdown()
        throw error
    }
}

/// Gives a port of 127.0.0.1 that refuses connections. It is bound, so that no other listener can get it meanwhile.
func withRefusingPort<Result>(_ body: (Int) async throws -> Result) async throws -> Result {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
        }
    }
    try #require(isBound, "no port of 127.0.0.1 can be bound")
    return try await body(Int(UInt16(bigEndian: address.sin_port)))
}
