import BenjiPolicy
import BenjiProtocol
import BenjiTesting

@testable import BenjiClient

/// An engine with everything around it in a test's hand.
struct EngineLab {
    static let appID = AppID(rawValue: "300000000001")!
    static let trace = TraceID(rawValue: String(repeating: "0a", count: 16))!
    static let server = try! ServerURL("https://gate.example/base")
    static let appKey = "canary-app-key-4f1d9c"
    static let token = "STsid" + String(repeating: "T", count: 51)
    static let openID = "canary-open-id"
    static let margin = Duration.seconds(5)

    static func scrip(_ generation: Int) -> String { "SCrip" + String(repeating: "s", count: 47) + "\(generation)" }
    static func nonce(_ generation: Int) -> String { "SNonc" + String(repeating: "n", count: 43) + "\(generation)" }

    let wallClock = ManualWallClock()
    let clock = ManualClock()
    let transport: ScriptedTransport
    let signer = SoftwareDeviceSigner()
    let engine: LoginEngine

    init(
        _ script: ScriptedTransport.Answer...,
        localAddress: Result<InternetAddress?, TransportError> = .success(InternetAddress("10.1.2.3")),
        appKey: String? = Self.appKey, keyStore: (any DeviceKeyStore)? = nil,
        attestation: (any AttestationProvider)? = nil
    ) {
        self.init(script, localAddress: localAddress, appKey: appKey, keyStore: keyStore, attestation: attestation)
    }

    init(
        _ script: [ScriptedTransport.Answer],
        localAddress: Result<InternetAddress?, TransportError> = .success(InternetAddress("10.1.2.3")),
        appKey: String? = Self.appKey, keyStore: (any DeviceKeyStore)? = nil,
        attestation: (any AttestationProvider)? = nil
    ) {
        transport = ScriptedTransport(script, localAddress: localAddress)
        engine = LoginEngine(
            configuration: .init(
                appID: Self.appID, appKey: appKey, bundleID: "com.example.app", server: Self.server,
                margin: Self.margin),
            transport: transport, keyStore: keyStore ?? MemoryDeviceKeyStore(signer), attestation: attestation,
            wallClock: wallClock, clock: clock, random: SeededRandomSource(seed: 1))
    }

    /// Runs `body`, which must fail, and gives its error.
    static func error(_ body: () async throws(BenjiError) -> Void) async -> BenjiError? {
        do throws(BenjiError) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    var paths: [String] {
        get async { await transport.requests.map { String($0.url.path.split(separator: "/").last ?? "") } }
    }

    /// The engine's events so far that are in `stream`'s buffer.
    static func steps(_ stream: AsyncStream<LoginEvent>, until last: LoginEvent.Step = .finished) async -> [LoginEvent]
    {
        var events: [LoginEvent] = []
        for await event in stream {
            events.append(event)
            if event.step == last { break }
        }
        return events
    }
}

extension ScriptedTransport.Answer {
    static func prefetched(_ generation: Int = 1, lifetime: Int64 = 600, challenge: String? = nil) -> Self {
        .json(
            PrefetchResponse(
                trace: EngineLab.trace, scrip: EngineLab.scrip(generation), scripLifetime: lifetime,
                maskedNumber: "138****4321",
                carrier: .unicom, policyVersion: "2026-11", page: CarrierPolicy.standard.carriers[.unicom]!.page,
                nonce: EngineLab.nonce(generation), assurance: .net, attestationChallenge: challenge,
                serverTime: Timestamp(seconds: 1_790_000_000)
            ).json)
    }

    static func authorized(next generation: Int? = nil) -> Self {
        .json(
            AuthorizeResponse(
                trace: EngineLab.trace, token: EngineLab.token, tokenLifetime: 120, openID: EngineLab.openID,
                scrip: generation.map(EngineLab.scrip), nonce: generation.map(EngineLab.nonce), assurance: .net,
                consentReceipt: nil
            ).json)
    }

    static func refused(_ situation: Situation, detail: String = "", serverTime: Timestamp? = nil) -> Self {
        .refusal(
            DeviceFailure(situation: situation, detail: detail, trace: EngineLab.trace, serverTime: serverTime),
            status: 403)
    }

    static func broken(_ code: TransportError.Code) -> Self {
        .failure(TransportError(code, at: "https://gate.example", "test"))
    }
}

extension TransportRequest {
    var proof: DeviceProof {
        get throws { try DeviceProof(verifying: headers[DeviceProof.headerName] ?? "") }
    }

    var json: JSON {
        get throws { try JSON(parsing: body) }
    }
}
