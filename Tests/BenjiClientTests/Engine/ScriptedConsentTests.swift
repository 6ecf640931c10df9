import BenjiProtocol
import BenjiTesting
import Testing

@testable import BenjiClient

/// The scripted carrier takes a consent as the authority does, so that what passes here passes there.
@Suite struct ScriptedConsentTests {
    private let signer = SoftwareDeviceSigner()

    /// Sends a request of a phone's by hand. Answers the refusal, or `nil`, and the body.
    private func post(
        _ body: JSON, _ path: DevicePath, to carrier: ScriptedCarrier, proves: Bool = true
    ) async throws -> (refusal: Situation?, json: JSON) {
        let url = try EngineLab.server.appending(path: path.rawValue)
        var headers: HeaderFields = ["Content-Type": "application/json"]
        if proves {
            headers[DeviceProof.headerName] = try DeviceProof(
                id: SystemRandomSource().alphanumerics(22), method: "POST", url: url.text,
                issuedAt: SystemWallClock().now, body: body.serialized, localAddress: nil, key: signer.publicKey
            ).signed(by: signer)
        }
        let request = TransportRequest(method: "POST", url: url, headers: headers, body: body.serialized)
        let json = try JSON(parsing: await carrier.send(request, timeout: .seconds(1)).body)
        let situation = try DeviceFailure(json).situation
        return (situation == .success ? nil : situation, json)
    }

    private func prefetch(_ carrier: ScriptedCarrier, _ dialect: Dialect = .device) async throws -> PrefetchResponse {
        try PrefetchResponse(
            await post(
                PrefetchRequest(appID: EngineLab.appID, bundleID: "b", appKeyProof: nil, dialect: dialect).json,
                .prefetch, to: carrier
            ).json)
    }

    /// A person's consent to a prefetched offer.
    private func consent(to held: PrefetchResponse, _ scrip: String? = nil, nonce: String? = nil) -> ConsentRecord {
        let said = FakePresenter.consent(
            to: PageOffer(
                maskedNumber: held.maskedNumber, carrier: held.carrier, page: held.page,
                policyVersion: held.policyVersion, trace: held.trace), at: SystemWallClock().now)
        return ConsentRecord(
            appID: EngineLab.appID, trace: held.trace, scrip: scrip ?? held.scrip, nonce: nonce ?? held.nonce,
            content: said.content, sceneDigest: nil, shownAt: said.shownAt, tickedAt: said.tickedAt,
            tappedAt: said.tappedAt)
    }

    private func authorize(
        _ carrier: ScriptedCarrier, _ scrip: String, _ consent: String?, _ purpose: TokenPurpose = .login,
        proves: Bool = true
    ) async throws -> (refusal: Situation?, json: JSON) {
        try await post(
            AuthorizeRequest(appID: EngineLab.appID, scrip: scrip, purpose: purpose, consent: consent).json, .authorize,
            to: carrier, proves: proves)
    }

    @Test(
        "A page that was ticked before the person touched it earns no token, unless the app may begin ticked",
        arguments: [false, true])
    func tickedAtFirst(isGranted: Bool) async {
        let carrier = ScriptedCarrier(allowsInitialTick: isGranted, clock: ManualClock())
        var configuration = LoginEngine.Configuration(
            appID: EngineLab.appID, appKey: nil, bundleID: "b", server: EngineLab.server)
        // As the vendors' facades have it: the phone lets such a page pass where the authority will.
        configuration.allowsInitialTick = true
        let engine = LoginEngine(
            configuration: configuration, transport: carrier, keyStore: MemoryDeviceKeyStore(), clock: ManualClock())
        let page = FakePresenter(
            .does { offer in
                var consent = FakePresenter.consent(to: offer, at: SystemWallClock().now)
                consent.content.initiallyTicked = true
                return .consented(consent)
            })
        let error = await EngineLab.error { () async throws(BenjiError) in _ = try await engine.logIn(with: page) }
        #expect(error?.situation == (isGranted ? nil : .pageFailed))
        #expect(isGranted || error?.detail.contains("ticked-page") == true)
        #expect(await carrier.requests.count == (isGranted ? 2 : 1), "what would be refused is not asked for")
        #expect(await carrier.tokens.count == (isGranted ? 1 : 0))
    }

    struct Wrong: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let spoil: @Sendable (inout ConsentRecord) -> Void

        init(_ name: String, _ spoil: @escaping @Sendable (inout ConsentRecord) -> Void) {
            (testDescription, self.spoil) = (name, spoil)
        }

        /// Other words under their own digest.
        static func content(_ name: String, _ spoil: @escaping @Sendable (inout ConsentContent) -> Void) -> Wrong {
            Wrong(name) {
                spoil(&$0.content)
                $0.contentDigest = $0.content.digest
            }
        }
    }

    static let wrongs = [
        Wrong("another app") { $0.appID = AppID(rawValue: "300000000009")! },
        Wrong("another login") { $0.trace = EngineLab.trace },
        Wrong("another scrip") { $0.scripHash = ConsentRecord.hash(of: EngineLab.scrip(1)) },
        Wrong("another nonce") { $0.nonceHash = ConsentRecord.hash(of: EngineLab.nonce(1)) },
        Wrong("the digest of something else") { $0.contentDigest = String(repeating: "A", count: 43) },
        Wrong("ticked before it was shown") { $0.shownAt = $0.tickedAt + .milliseconds(1) },
        Wrong("tapped before it was ticked") { $0.tickedAt = $0.tappedAt + .milliseconds(1) },
        .content("ticked at first") { $0.initiallyTicked = true },
        .content("an old policy") { $0.policyVersion = "2019-01" },
        .content("no terms") { $0.links = [] },
        .content("another carrier's terms") { $0.links[0].title = "联通统一认证服务条款" },
        .content("terms at another address") { $0.links[0].url = "https://evil.example" },
        .content("no word of login on the button") { $0.texts[2].text = "本机号码领取优惠" },
        .content("the word of login beside the button") {
            $0.texts[2].text = "领取优惠"
            $0.texts[3].text += "登录"
        },
        .content("no number") {
            $0.texts[0].text = ""
            $0.texts[2].text = "登录"
        },
    ]

    @Test("A consent that is no yes to this login earns no token, and spends no scrip", arguments: wrongs)
    func wrong(_ wrong: Wrong) async throws {
        let carrier = ScriptedCarrier(clock: ManualClock())
        let held = try await prefetch(carrier)
        var record = consent(to: held)
        let right = try record.signed(by: signer)
        wrong.spoil(&record)
        #expect(try await authorize(carrier, held.scrip, record.signed(by: signer)).refusal == .consentInvalid)
        #expect(await carrier.tokens.isEmpty)
        #expect(try await authorize(carrier, held.scrip, right).refusal == nil)
        #expect(await carrier.tokens.count == 1)
    }

    @Test("A consent must be signed by the key that the request proves, and belongs to logins alone")
    func signatures() async throws {
        let carrier = ScriptedCarrier(clock: ManualClock())
        let held = try await prefetch(carrier)
        let record = consent(to: held)
        let right = try record.signed(by: signer)
        let forged = try record.signed(by: SoftwareDeviceSigner())
        #expect(try await authorize(carrier, held.scrip, forged).refusal == .consentInvalid)
        #expect(try await authorize(carrier, held.scrip, "no consent").refusal == .consentInvalid)
        #expect(try await authorize(carrier, held.scrip, right, proves: false).refusal == .proofMissing)
        #expect(try await authorize(carrier, held.scrip, nil).refusal == .consentMissing)
        #expect(try await authorize(carrier, held.scrip, right, .verification).refusal == .consentInvalid)
        #expect(await carrier.tokens.isEmpty)
        #expect(try await authorize(carrier, held.scrip, right).refusal == nil)
    }

    @Test("After a login the next consent repeats the nonce that came with the next scrip")
    func rotation() async throws {
        let carrier = ScriptedCarrier(clock: ManualClock())
        let held = try await prefetch(carrier)
        let answer = try await authorize(carrier, held.scrip, consent(to: held).signed(by: signer))
        let next = try AuthorizeResponse(answer.json)
        let scrip = try #require(next.scrip)
        let old = try consent(to: held, scrip).signed(by: signer)
        #expect(try await authorize(carrier, scrip, old).refusal == .consentInvalid)
        let new = try consent(to: held, scrip, nonce: next.nonce).signed(by: signer)
        #expect(try await authorize(carrier, scrip, new).refusal == nil)
        #expect(await carrier.tokens.count == 2)
    }
}
