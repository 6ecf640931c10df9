import AppAttest
import AppAttestModel
import Authority
import BenchmarkSupport
@_spi(Server) import BenjiProtocol
import Endpoints
import HTTPTypes
import Hummingbird
import Logging
import ServerHTTP
import ServerTestKit
import Sightings
import Store
import Synchronization

/// An authority with its listeners, phones, and an app's server: everything of a login but sockets.
struct LoginServer {
    /// Logins before any is counted, so that statements are prepared and one-time work is done.
    static let warmUp = 3
    private static let device = "https://id.example.com"
    private static let redemption = CMPassportEndpoints.Path.loginTokenValidate.rawValue

    private(set) var world: AuthorityWorld
    private let phones: [Phone]
    /// The same with App Attest.
    private var attested: [Phone] = []
    private let responder: RouterResponder<EndpointContext>
    private let server: (address: String, port: Int) = ("203.0.113.7", 50001)

    private struct Phone {
        let signer = SoftwareDeviceSigner()
        let address: String
        /// With a key of App Attest, if the phone has one.
        var install: AttestedInstall?
    }

    /// Phones' addresses and their subscriptions.
    private struct Street: SightingSource {
        let world: AuthorityWorld
        let subscriptions: [InternetAddress: SubscriptionReference]

        func sighting(
            from address: InternetAddress, port: UInt16, claimedLocalAddress: InternetAddress?
        ) async -> Result<Sighting, SightingRefusal> {
            subscriptions[address].map { .success(world.sighting($0)) } ?? .failure(.unknownAddress)
        }
    }

    init(phones count: Int) async throws {
        world = try await AuthorityWorld { $0.appleTeam = AttestedInstall.team }
        let apple = try ModelAuthority(at: world.clock.now)
        var configuration = world.authority.configuration
        configuration.appAttest = try AppAttestVerifier(pem: apple.rootPEM)
        world.authority = Authority(
            configuration: configuration, store: world.store, vault: world.vault, clock: world.clock,
            random: FixedRandomSource(seed: 1), logger: AuthorityWorld.logger)
        let clock = world.clock
        let references = try await world.register.observe(
            (0..<2 * count).map { index in
                SubscriberObservation(
                    number: PhoneNumber("\(13_700_000_000 + index)")!, imsi: "46000\(2_000_000_000 + index)",
                    carrier: .mobile, eventTime: clock.now)
            })
        phones = (0..<count).map { Phone(address: "10.0.1.\($0 + 1)") }
        for index in 0..<count {
            let install = try AttestedInstall(world, under: apple)
            let phone = Phone(address: "10.0.1.\(count + index + 1)", install: install)
            try await install.register(world, signer: phone.signer)
            attested.append(phone)
        }
        let subscriptions = zip(phones + attested, references).map { (InternetAddress($0.address)!, $1!) }
        let street = Street(world: world, subscriptions: Dictionary(uniqueKeysWithValues: subscriptions))
        let routes =
            HealthEndpoints(checks: [], metrics: { "" }).routes
            + DeviceEndpoints(
                service: DeviceLogins(world.authority), sightings: street, clock: clock, publicURLs: [Self.device]
            ).routes + CMPassportEndpoints(service: world.authority, clock: clock).routes
        responder = PublicServer.router("device", routes: routes).buildResponder()
    }

    func run(_ counted: Counted) async throws {
        for phones in [phones, attested] {
            try await logIn(phones.prefix(Self.warmUp)) { _, _, body in try await body() }
        }
        try await logIn(phones.dropFirst(Self.warmUp), by: counted.count)
        let named = ["prefetch": "prefetch, App Attest", "authorize": "authorize, App Attest"]
        try await logIn(attested.dropFirst(Self.warmUp)) { name, count, body in
            guard let name = named[name] else { return try await body() }
            try await counted.count(name, count, body)
        }
    }

    /// All phones take each step together.
    private func logIn(
        _ phones: ArraySlice<Phone>, by count: (String, Int, () async throws -> Void) async throws -> Void
    ) async throws {
        // Many, because the store's last work of the steps before may still be under way.
        let requests = phones.count * 20
        try await count("request without a store", requests) {
            for _ in 0..<requests { _ = try await send(.get, "/health/live", from: server) }
        }
        let prefetches = try phones.map(prefetch)
        var offers: [PrefetchResponse] = []
        try await count("prefetch", phones.count) {
            for request in prefetches { offers.append(try PrefetchResponse(try await send(request))) }
        }
        let authorizations = try zip(phones, offers).map(authorize)
        var tokens: [AuthorizeResponse] = []
        try await count("authorize", phones.count) {
            for request in authorizations { tokens.append(try AuthorizeResponse(try await send(request))) }
        }
        let redemptions = tokens.map { redeem($0.token, message: String($0.token.suffix(32))) }
        var answers: [JSON] = []
        try await count("redeem", phones.count) {
            for body in redemptions {
                answers.append(try await send(.post, Self.redemption, body: body, from: server))
            }
        }
        guard answers.allSatisfy({ $0["resultCode"]?.stringValue == "103000" && $0["msisdn"] != nil }) else {
            throw BenchmarkFailure("a redemption was refused: \(answers.first?.text ?? "no answer")")
        }
    }

    // MARK: requests

    private struct Signed {
        var path: DevicePath
        var body: [UInt8]
        var proof: String
        var address: String
        var attestation: String?
    }

    private func prefetch(_ phone: Phone) throws -> Signed {
        try signed(.prefetch, by: phone) { id in
            PrefetchRequest(
                appID: world.app.record.id, bundleID: AuthorityWorld.bundle,
                appKeyProof: AppKeyProof.make(
                    appKey: world.app.key.reveal(), appID: world.app.record.id, proofID: id,
                    keyThumbprint: phone.signer.publicKey.thumbprint), dialect: .device
            ).json
        }
    }

    private func authorize(_ phone: Phone, _ offer: PrefetchResponse) throws -> Signed {
        try signed(.authorize, by: phone) { _ in
            AuthorizeRequest(
                appID: world.app.record.id, scrip: offer.scrip, purpose: .login,
                consent: try world.consent(to: offer, signer: phone.signer)
            ).json
        }
    }

    private func signed(_ path: DevicePath, by phone: Phone, _ request: (String) throws -> JSON) throws -> Signed {
        let id = "\(path.rawValue.utf8.count) of \(phone.address)".utf8
        let name = String(Base64URL.encode(Array(id) + Array(repeating: 0, count: 16)).prefix(22))
        let body = try request(name).serialized
        let proof = DeviceProof(
            id: name, method: "POST", url: Self.device + path.rawValue, issuedAt: world.clock.now, body: body,
            localAddress: nil, key: phone.signer.publicKey)
        return Signed(
            path: path, body: body, proof: try proof.signed(by: phone.signer), address: phone.address,
            attestation: try phone.install?.assertion(world, over: proof))
    }

    private func redeem(_ token: String, message: String) -> [UInt8] {
        let (version, strictCheck, time) = ("2.0", "0", "20260921221320000")
        let app = world.app.record.id.rawValue
        let sign = CMPassportSigning.loginSign(
            appID: app, version: version, messageID: message, systemTime: time, strictCheck: strictCheck, token: token,
            appKey: world.app.serverSecret.reveal())
        return JSON.object([
            "version": .string(version), "msgid": .string(message), "systemtime": .string(time),
            "strictcheck": .string(strictCheck), "appid": .string(app), "token": .string(token), "sign": .string(sign),
        ]).serialized
    }

    // MARK: the door

    private func send(_ request: Signed) async throws -> JSON {
        var headers: HTTPFields = [.deviceProof: request.proof]
        headers[.clientAttestation] = request.attestation
        return try await send(
            .post, request.path.rawValue, headers: headers, body: request.body, from: (request.address, 40001))
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], body: [UInt8] = [],
        from peer: (address: String, port: Int)
    ) async throws -> JSON {
        var headers = headers
        headers[.contentType] = "application/json"
        let answer = try await Exchange.send(
            responder, method, path, headers: headers, body: body, scheme: "https", authority: "127.0.0.1:8082",
            from: peer, logger: Logger(label: "costs") { _ in DiscardingLogHandler() })
        guard answer.status == .ok else {
            throw BenchmarkFailure("\(path) answered \(answer.status.code): \(answer.body)")
        }
        return answer.json
    }
}

/// Takes lines at level info as the server does, and writes none.
private struct DiscardingLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {}
}

/// The same bytes in every run: SplitMix64. Fit for nothing else.
final class FixedRandomSource: RandomSource {
    private let state: Mutex<UInt64>

    init(seed: UInt64) { state = Mutex(seed) }

    func bytes(_ count: Int) -> [UInt8] {
        state.withLock { state in
            (0..<count).map { _ in
                state &+= 0x9e37_79b9_7f4a_7c15
                var word = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
                word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
                return UInt8(truncatingIfNeeded: word ^ word >> 31)
            }
        }
    }
}
