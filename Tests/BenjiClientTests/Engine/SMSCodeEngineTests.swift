import BenjiProtocol
import BenjiTesting
import Testing

@testable import BenjiClient

@Suite("Login by a code that is sent by SMS, on the phone")
struct SMSCodeEngineTests {
    private static let transaction = String(repeating: "0f", count: 16)
    private static let number = "13800000001"
    private static let digits = "731904"

    private let wallClock = ManualWallClock()
    private let signer = SoftwareDeviceSigner()

    private func engine(_ transport: ScriptedTransport) -> SMSCodeEngine {
        SMSCodeEngine(
            configuration: .init(
                appID: EngineLab.appID, appKey: EngineLab.appKey, bundleID: "com.example.app",
                server: EngineLab.server), transport: transport, keyStore: MemoryDeviceKeyStore(signer),
            wallClock: wallClock, clock: ManualClock(), random: SeededRandomSource(seed: 1))
    }

    private static let sent = ScriptedTransport.Answer.json(
        SMSCodeResponse(
            trace: EngineLab.trace, transaction: transaction, digits: 6, lifetime: 300, policyVersion: "2026-11",
            serverTime: Timestamp(seconds: 0)
        ).json)

    private static func token(carrier: Carrier? = .unicom) -> ScriptedTransport.Answer {
        .json(
            AuthorizeResponse(
                trace: EngineLab.trace, token: EngineLab.token, tokenLifetime: 120, openID: EngineLab.openID,
                scrip: nil, nonce: nil, assurance: .sms, consentReceipt: nil, carrier: carrier,
                maskedNumber: "138****0001"
            ).json)
    }

    private var consent: PageConsent {
        let now = wallClock.now
        return PageConsent(
            content: ConsentContent(
                drawnBy: .app, language: "en", policyVersion: "2026-11",
                texts: [.init(.number, ConsentContent.numberPlaceholder), .init(.loginButton, "Log in")], links: [],
                initiallyTicked: false), sceneDigest: nil, shownAt: now, tickedAt: now, tappedAt: now)
    }

    private func situation(_ body: () async throws(BenjiError) -> Void) async -> Situation? {
        await EngineLab.error(body)?.situation
    }

    @Test("a code is asked for with the app's key, and its digits and the consent buy a token of the assurance sms")
    func walk() async throws {
        let transport = ScriptedTransport([Self.sent, Self.token()])
        let engine = engine(transport)
        let code = try await engine.sendCode(to: Self.number)
        #expect(code.digits == 6 && code.lifetime == .seconds(300) && code.policyVersion == "2026-11")
        let token = try await engine.logIn(Self.digits, of: code, consent: consent)
        #expect(token.token == EngineLab.token && token.assurance == .sms && token.purpose == .login)
        #expect(token.carrier == .unicom && token.maskedNumber == "138****0001" && token.trace == EngineLab.trace)
        let requests = await transport.requests
        #expect(requests.map(\.url.path) == ["/base/device/v1/sms-code", "/base/device/v1/sms-login"])
        let ask = try SMSCodeRequest(try requests[0].json)
        #expect(ask.number == Self.number && ask.bundleID == "com.example.app")
        let proof = try requests[0].proof
        #expect(
            AppKeyProof.isValid(
                ask.appKeyProof ?? "", appKey: EngineLab.appKey, appID: EngineLab.appID, proofID: proof.id,
                keyThumbprint: signer.publicKey.thumbprint))
        let login = try SMSLoginRequest(try requests[1].json)
        #expect(login.transaction == Self.transaction && login.smsCode == Self.digits)
        let record = try ConsentRecord(verifying: login.consent, key: signer.publicKey)
        let hash = ConsentRecord.hash(of: Self.transaction)
        #expect(record.scripHash == hash && record.nonceHash == hash && record.trace == EngineLab.trace)
        #expect(record.content == consent.content)
    }

    @Test("a message may take its time: fifteen seconds for a code, and as long as usual for a login")
    func times() async throws {
        let transport = ScriptedTransport([Self.sent, Self.token()])
        let engine = engine(transport)
        _ = try await engine.logIn(Self.digits, of: try await engine.sendCode(to: Self.number), consent: consent)
        #expect(await transport.timeouts == [.seconds(15), .seconds(8)])
    }

    @Test(
        "a phone whose clock is wrong takes the server's and asks once more, and the consent's times are the server's")
    func clock() async throws {
        let serverTime = Timestamp(seconds: 1_790_003_600)
        let skew = ScriptedTransport.Answer.refusal(
            DeviceFailure(situation: .clockSkew, detail: "", serverTime: serverTime))
        let transport = ScriptedTransport([skew, Self.sent, Self.token(), skew, skew])
        let engine = engine(transport)
        let code = try await engine.sendCode(to: Self.number)
        _ = try await engine.logIn(Self.digits, of: code, consent: consent)
        let requests = await transport.requests
        #expect(try requests.map { try $0.proof.issuedAt } == [wallClock.now, serverTime, serverTime])
        let record = try ConsentRecord(
            verifying: try SMSLoginRequest(try requests[2].json).consent, key: signer.publicKey)
        #expect(record.tappedAt == serverTime)
        #expect(
            await situation { () async throws(BenjiError) in _ = try await engine.sendCode(to: Self.number) }
                == .clockSkew)
        #expect(await transport.requests.count == 5)
    }

    @Test(
        "what the server refuses is told as it is, and nothing is sent twice",
        arguments: [
            Situation.capabilityMissing, .codeWrong, .codeExpired, .codeTriesExceeded, .tooManyCodes, .numberNotServed,
        ])
    func refusals(situation refused: Situation) async throws {
        let refusal = ScriptedTransport.Answer.refusal(
            DeviceFailure(situation: refused, detail: "", trace: EngineLab.trace))
        let transport = ScriptedTransport([refusal, Self.sent, refusal])
        let engine = engine(transport)
        #expect(
            await situation { () async throws(BenjiError) in _ = try await engine.sendCode(to: Self.number) } == refused
        )
        let code = try await engine.sendCode(to: Self.number)
        #expect(
            await situation { () async throws(BenjiError) in
                _ = try await engine.logIn(Self.digits, of: code, consent: consent)
            } == refused)
        #expect(await transport.requests.count == 3)
    }

    @Test(
        """
        an answer that lacks what a token needs is no token, and neither number nor digits are in an error or a \
        description
        """
    )
    func secrecy() async throws {
        let transport = ScriptedTransport([Self.sent, Self.token(carrier: nil)])
        let engine = engine(transport)
        let code = try await engine.sendCode(to: Self.number)
        let error = await EngineLab.error { () async throws(BenjiError) in
            _ = try await engine.logIn(Self.digits, of: code, consent: consent)
        }
        #expect(error?.situation == .malformedResponse)
        let unreachable = await EngineLab.error { () async throws(BenjiError) in
            _ = try await engine.sendCode(to: Self.number)
        }
        #expect(unreachable?.situation == .connectionRefused)
        for text in ["\(String(describing: error))", "\(String(describing: unreachable))", "\(code)"] {
            #expect(!text.contains(Self.number) && !text.contains(Self.digits))
        }
    }
}
