import BenchmarkSupport
import BenjiClient
@_spi(Server) import BenjiProtocol
import BenjiTransportCurl
import RADIUS
import Sandbox

/// Phones of one carrier with the same app, each with its own address and device key, and the app's server.
final class Street: Sendable {
    /// A step that all phones take before any goes on.
    enum Step: String, CaseIterable, Sendable {
        case start = "accounting Start"
        case prefetch
        case authorize
        case redeem
        case secondPrefetch = "prefetch for a verification"
        case verificationToken = "authorize for a verification"
        case verify
        case stop = "accounting Stop"

        static let login: [Step] = [.start, .prefetch, .authorize, .redeem]
        static let others: [Step] = [.secondPrefetch, .verificationToken, .verify, .stop]
    }

    /// One phone and what it holds between steps.
    private actor Phone {
        let sim: VirtualSIM
        let address: InternetAddress
        private let configuration: LoginEngine.Configuration
        private let transport: any Transport
        private let keyStore = MemoryDeviceKeyStore()
        /// The attestation of the app; it keeps its key as long as the phone is there.
        private let attestation: AppAttestation?
        private var engine: LoginEngine
        var session: VirtualPacketCore.Session?
        private(set) var token = ""

        init(
            _ index: Int, at address: InternetAddress, configuration: LoginEngine.Configuration,
            transport: any Transport, attestation: AppAttestation?
        ) throws {
            guard let number = PhoneNumber("\(13_800_000_000 + index)") else {
                throw BenchmarkFailure("too many phones")
            }
            sim = VirtualSIM(number: number, imsi: "46000\(1_000_000_000 + index)", carrier: .mobile)
            self.address = address
            self.configuration = configuration
            self.transport = transport
            self.attestation = attestation
            engine = LoginEngine(
                configuration: configuration, transport: transport, keyStore: keyStore, attestation: attestation)
        }

        /// Starts the app again: the key stays, and the prefetched login is gone.
        func prefetch() async throws {
            engine = LoginEngine(
                configuration: configuration, transport: transport, keyStore: keyStore, attestation: attestation)
            let summary = try await engine.prefetch()
            guard summary.maskedNumber == sim.number.masked, !summary.fromMemory else {
                throw BenchmarkFailure("a phone is taken for another")
            }
        }

        func authorize() async throws {
            let login = try await engine.logIn(with: ScriptedPerson())
            // Each phone has its own address on loopback, which an attested app's word confirms.
            guard login.assurance == (attestation == nil ? .net : .netAppAddress) else {
                throw BenchmarkFailure("a login is worth \(login.assurance.rawValue)")
            }
            token = login.token
        }
        func verificationToken() async throws { token = try await engine.verificationToken().token }
        func hold(_ session: VirtualPacketCore.Session?) { self.session = session }
    }

    private let phones: [Phone]
    private let lanes: Int
    /// One to a lane: an accounting client waits for one answer at a time.
    private let packetCores: [VirtualPacketCore]
    private let appServers: [OperatorClient]
    /// The transports of all clients, where the benchmark says how connections are used.
    private let transports: [TLSTransport]

    /// - Parameters:
    ///   - use: how connections are used where the installation speaks TLS; `nil` as the SDK and app servers do.
    ///   - chip: what a phone has that vouches for the app by keys of App Attest.
    init(
        _ installation: Installation, app: (id: String, key: String, serverSecret: String), phones: Int, lanes: Int,
        use: TLSTransport.Use? = nil, chip: (() -> ModelChip)? = nil
    ) async throws {
        guard let id = AppID(rawValue: app.id), let loopback = InternetAddress("127.0.0.1"),
            let secret = SharedSecret(Installation.secret)
        else { throw BenchmarkFailure("no app") }
        let configuration = LoginEngine.Configuration(
            appID: id, appKey: app.key, bundleID: Installation.bundle, server: try ServerURL(installation.deviceURL))
        self.lanes = lanes
        var transports: [TLSTransport] = []
        func transport(from source: InternetAddress) throws -> any Transport {
            guard let use, let authority = installation.certificate else {
                return CurlTransport(
                    .init(egress: .sourceAddress(source), trustedAuthorities: installation.certificate))
            }
            let transport = try TLSTransport(use, from: source, authority: authority)
            transports.append(transport)
            return transport
        }
        self.phones = try (0..<phones).map { index in
            guard let address = InternetAddress("127.8.\(1 + index / 250).\(1 + index % 250)") else {
                throw BenchmarkFailure("too many phones")
            }
            return try Phone(
                index, at: address, configuration: configuration, transport: try transport(from: address),
                attestation: chip.map { AppAttestation(service: $0(), keys: MemoryAppAttestKeyStore()) })
        }
        var cores: [VirtualPacketCore] = []
        for lane in 0..<lanes {
            let client = try await AccountingClient(gateway: loopback, port: installation.accounting, secret: secret)
            cores.append(VirtualPacketCore(name: "pgw-\(lane).example", client: client))
        }
        packetCores = cores
        let server = try ServerURL(installation.serverURL)
        appServers = try (0..<lanes).map { _ in
            OperatorClient(
                server: server, appID: id, serverSecret: app.serverSecret, transport: try transport(from: loopback))
        }
        self.transports = transports
    }

    /// The connections of all requests so far, where the benchmark says how they are used.
    var count: TLSTransport.Count {
        transports.map(\.count).reduce(into: TLSTransport.Count()) { sum, count in
            sum.requests += count.requests
            sum.connected += count.connected
            sum.resumed += count.resumed
        }
    }

    /// Lets every phone take a step.
    func take(_ step: Step) async throws {
        try await inLanes(lanes, count: phones.count) { [self] index, lane in
            let phone = phones[index]
            switch step {
            case .start: await phone.hold(try await packetCores[lane].attach(phone.sim, at: phone.address).0)
            case .prefetch, .secondPrefetch: try await phone.prefetch()
            case .authorize: try await phone.authorize()
            case .redeem:
                let answer = try await appServers[lane].loginTokenValidate(phone.token)
                guard let number = answer.body["msisdn"]?.stringValue, PhoneNumber(number) == phone.sim.number else {
                    throw BenchmarkFailure("a token is redeemed with \(answer.code) or for another's number")
                }
            case .verificationToken: try await phone.verificationToken()
            case .verify:
                let answer = try await appServers[lane].verify(phone.token, number: phone.sim.number)
                guard answer.code == "000" else { throw BenchmarkFailure("a verification says \(answer.code)") }
            case .stop:
                guard let session = await phone.session else { throw BenchmarkFailure("a phone has no session") }
                _ = try await packetCores[lane].detach(session)
            }
        }
    }
}
