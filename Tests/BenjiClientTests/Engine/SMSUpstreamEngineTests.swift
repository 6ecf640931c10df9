import BenjiProtocol
import BenjiTesting
import Testing

@testable import BenjiClient

@Suite("Login by a text that the person sends, on the phone")
struct SMSUpstreamEngineTests {
    private static let transaction = String(repeating: "0f", count: 16)
    private static let words = "我要登录 Shop，不是替别人发送：K7M2Q9XN4RTDW3HE"

    private let wallClock = ManualWallClock()
    private let clock = ManualClock()
    private let signer = SoftwareDeviceSigner()

    private func engine(_ transport: ScriptedTransport) -> SMSCodeEngine {
        SMSCodeEngine(
            configuration: .init(
                appID: EngineLab.appID, appKey: EngineLab.appKey, bundleID: "com.example.app",
                server: EngineLab.server), transport: transport, keyStore: MemoryDeviceKeyStore(signer),
            wallClock: wallClock, clock: clock, random: SeededRandomSource(seed: 1))
    }

    private static let given = ScriptedTransport.Answer.json(
        SMSUpstreamResponse(
            trace: EngineLab.trace, transaction: transaction, text: words, serviceNumber: "10690123", lifetime: 10,
            retryAfter: 3, policyVersion: "2026-11", serverTime: Timestamp(seconds: 0)
        ).json)

    private static func status(_ sender: SMSUpstreamStatusResponse.Sender?) -> ScriptedTransport.Answer {
        .json(SMSUpstreamStatusResponse(trace: EngineLab.trace, sender: sender, retryAfter: 3).json)
    }

    private static let arrived = status(.init(carrier: .mobile, maskedNumber: "138****0001"))

    private static let token = ScriptedTransport.Answer.json(
        AuthorizeResponse(
            trace: EngineLab.trace, token: EngineLab.token, tokenLifetime: 120, openID: EngineLab.openID, scrip: nil,
            nonce: nil, assurance: .smsUpstream, consentReceipt: nil, carrier: .mobile, maskedNumber: "138****0001"
        ).json)

    private var consent: PageConsent {
        let now = wallClock.now
        return PageConsent(
            content: ConsentContent(
                drawnBy: .app, language: "en", policyVersion: "2026-11",
                texts: [.init(.number, ConsentContent.numberPlaceholder), .init(.loginButton, "Log in")], links: [],
                initiallyTicked: false), sceneDigest: nil, shownAt: now, tickedAt: now, tappedAt: now)
    }

    /// Lets the engine pause so many times, for the seconds that the server named.
    private func pass(_ count: Int, of pauses: AsyncStream<Duration>) async {
        var left = count
        for await pause in pauses where pause == .seconds(3) {
            clock.advance(by: pause)
            left -= 1
            if left == 0 { return }
        }
    }

    @Test(
        "a text is asked for with the app's key, waited for, and buys a token with the consent to its sender's number"
    )
    func walk() async throws {
        let transport = ScriptedTransport([Self.given, Self.arrived, Self.token])
        let engine = engine(transport)
        let text = try await engine.text()
        #expect(text.text == Self.words && text.serviceNumber == "10690123" && text.lifetime == .seconds(10))
        let sender = try await engine.sender(of: text)
        #expect(sender == SMSTextSender(carrier: .mobile, maskedNumber: "138****0001"))
        let token = try await engine.logIn(text, consent: consent)
        #expect(token.token == EngineLab.token && token.assurance == .smsUpstream && token.purpose == .login)
        let requests = await transport.requests
        #expect(
            requests.map(\.url.path) == [
                "/base/device/v1/sms-upstream", "/base/device/v1/sms-upstream-status",
                "/base/device/v1/sms-upstream-login",
            ])
        let ask = try SMSUpstreamRequest(try requests[0].json)
        #expect(
            AppKeyProof.isValid(
                ask.appKeyProof ?? "", appKey: EngineLab.appKey, appID: EngineLab.appID,
                proofID: try requests[0].proof.id, keyThumbprint: signer.publicKey.thumbprint))
        let login = try SMSUpstreamLoginRequest(try requests[2].json)
        let record = try ConsentRecord(verifying: login.consent, key: signer.publicKey)
        let hash = ConsentRecord.hash(of: Self.transaction)
        #expect(record.scripHash == hash && record.nonceHash == hash && record.trace == EngineLab.trace)
        for printed in ["\(text)", "\(String(reflecting: text))"] {
            #expect(!printed.contains("K7M2") && !printed.contains(Self.transaction))
        }
    }

    @Test("what has not come is asked for again after the time that the server names, also after the network was away")
    func waiting() async throws {
        let transport = ScriptedTransport([
            Self.given, Self.status(nil), .failure(TransportError(.timedOut, at: "", "lost")), Self.arrived,
        ])
        let engine = engine(transport)
        let text = try await engine.text()
        let pauses = clock.sleeps
        async let sender = engine.sender(of: text)
        await pass(2, of: pauses)
        #expect(try await sender.maskedNumber == "138****0001")
        #expect(await transport.requests.count == 4)
    }

    @Test("after the text's time nothing is asked any more, and what the server refuses is told as it is")
    func ends() async throws {
        let refusal = ScriptedTransport.Answer.refusal(
            DeviceFailure(situation: .numberNotServed, detail: "", trace: EngineLab.trace))
        let transport = ScriptedTransport([
            Self.given, Self.status(nil), Self.status(nil), Self.status(nil), Self.status(nil), Self.given, refusal,
        ])
        let engine = engine(transport)
        let text = try await engine.text()
        let pauses = clock.sleeps
        async let end = EngineLab.error { () async throws(BenjiError) in _ = try await engine.sender(of: text) }
        await pass(3, of: pauses)
        #expect(await end?.situation == .codeExpired)
        let next = try await engine.text()
        #expect(
            await EngineLab.error { () async throws(BenjiError) in _ = try await engine.sender(of: next) }?.situation
                == .numberNotServed)
    }
}
