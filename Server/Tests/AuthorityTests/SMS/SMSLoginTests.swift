import BenjiPolicy
import Foundation
import ServerTestKit
import ShortMessages
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Requests

/// A phone on Wi-Fi, an app whose workflow has codes by SMS, and a reader of the messages.
struct SMSLoginWorld {
    let world: AuthorityWorld
    let sender: RecordingSender
    let login: SMSLogin

    /// Runs a test in a world of its own and ends it whatever happens.
    static func visit(
        _ sender: RecordingSender = RecordingSender(), settings: SMSCodes.Settings = SMSCodes.Settings(),
        _ body: (SMSLoginWorld) async throws -> Void
    ) async throws {
        let world = try await AuthorityWorld {
            $0.workflow = .oneTapThenSMS
            $0.leastAssurance = .sms
        }
        let result: Result<Void, any Error>
        do { result = .success(try await body(SMSLoginWorld(world, sender, settings))) } catch {
            result = .failure(error)
        }
        await world.end()
        try result.get()
    }

    init(_ world: AuthorityWorld, _ sender: RecordingSender, _ settings: SMSCodes.Settings) {
        self.world = world
        self.sender = sender
        login = SMSLogin(
            authority: world.authority,
            codes: SMSCodes(settings: settings, authority: world.authority, store: world.store, sender: sender),
            quarantine: world.register.quarantine)
    }

    /// Another process over the same database.
    func node(_ change: (inout Authority.Configuration) -> Void = { _ in }) -> SMSLoginWorld {
        SMSLoginWorld(world.restarted(change), sender, login.codes.settings)
    }

    static let offNetwork = Result<Sighting, SightingRefusal>.failure(.unknownAddress)

    func call(_ signer: SoftwareDeviceSigner? = nil, at source: String? = "198.51.100.9") throws -> DeviceCall {
        var call = try world.call(signer, sighting: Self.offNetwork)
        call.source = source.flatMap { InternetAddress($0) }
        return call
    }

    func send(
        to number: String = AuthorityWorld.number.e164, of app: RegisteredApp? = nil, from device: DeviceCall? = nil
    ) async throws -> SMSCodeResponse {
        let device = try device ?? call()
        let app = app ?? world.app
        return try await login.sendCode(
            SMSCodeRequest(
                appID: app.record.id, bundleID: AuthorityWorld.bundle,
                appKeyProof: AppKeyProof.make(
                    appKey: app.key.reveal(), appID: app.record.id, proofID: device.proof.id,
                    keyThumbprint: device.proof.key.thumbprint), dialect: .device, number: "+" + number), from: device)
    }

    func content(_ policyVersion: String) -> ConsentContent {
        ConsentContent(
            drawnBy: .app, language: "zh-Hans", policyVersion: policyVersion,
            texts: [
                .init(.number, ConsentContent.numberPlaceholder), .init(.hint, "请输入短信验证码"), .init(.loginButton, "登录"),
            ], links: [.init(title: "《用户协议》", url: "https://shop.example/terms")], initiallyTicked: false)
    }

    func consent(
        to sent: SMSCodeResponse, app: RegisteredApp? = nil, signer: SoftwareDeviceSigner? = nil,
        _ change: (inout ConsentRecord) -> Void = { _ in }
    ) throws -> String {
        let now = world.clock.now
        var record = ConsentRecord(
            appID: (app ?? world.app).record.id, trace: sent.trace, scrip: sent.transaction, nonce: sent.transaction,
            content: content(sent.policyVersion), sceneDigest: nil, shownAt: now, tickedAt: now, tappedAt: now)
        change(&record)
        return try record.signed(by: signer ?? world.phone)
    }

    func logIn(
        _ sent: SMSCodeResponse, _ digits: String? = nil, app: RegisteredApp? = nil,
        signer: SoftwareDeviceSigner? = nil, consent text: String? = nil, device: DeviceCall? = nil
    ) async throws -> AuthorizeResponse {
        let text = try text ?? consent(to: sent, app: app, signer: signer)
        return try await login.logIn(
            SMSLoginRequest(
                appID: (app ?? world.app).record.id, dialect: .device, transaction: sent.transaction,
                smsCode: digits ?? sender.code, consent: text), from: try device ?? call(signer))
    }
}

@Suite("Login by a code that is sent by SMS")
struct SMSLoginTests {
    private typealias World = SMSLoginWorld

    @Test("a name that an earlier version took does not turn the message with the code")
    func earlierName() async throws {
        try await World.visit { here in
            let name = "Shop\u{202e}lapyaP"
            try await here.world.change { $0.name = name }
            _ = try await here.node().send()
            let text = try #require(here.sender.messages.last).text
            #expect(text.contains("ShoplapyaP") && TextGrammar.problem(in: text, allowsLineFeeds: true) == nil)
            let naive = here.login.codes.settings.loginText.replacing("{{app}}", with: name)
            #expect(TextGrammar.problem(in: naive) != nil, "the double puts the stored name into the message")
        }
    }

    @Test(
        """
        a phone that the network does not know logs in by a code; its token releases its number, and everything says sms
        """
    )
    func walk() async throws {
        try await World.visit { here in
            let world = here.world
            let sent = try await here.send()
            let message = try #require(here.sender.messages.first)
            #expect(message.to == AuthorityWorld.number && message.text.contains("Shop"))
            #expect(
                sent.digits == 6 && sent.lifetime == 300 && sent.tries == 5
                    && sent.policyVersion == CarrierPolicy.standard.version)
            let consent = try here.consent(to: sent)
            let token = try await here.logIn(sent, consent: consent)
            #expect(token.assurance == .sms && token.trace == sent.trace && token.scrip == nil && token.nonce == nil)
            let oneTap = try await world.token()
            #expect(token.carrier == .mobile && token.maskedNumber == "138****0001")
            #expect(token.openID != nil && token.openID == oneTap.openID, "the same person")
            let receipt = try ConsentReceipt(
                verifying: try #require(token.consentReceipt), keys: [PublishedReceiptKey(world.vault.receiptKey)])
            #expect(receipt.claims["assurance"] == "sms" && receipt.claims["trace"]?.stringValue == sent.trace.rawValue)
            let kept = try await world.store.consents(of: sent.trace)
            #expect(kept.map(\.record) == [consent] && kept.map(\.assurance) == [.sms])

            let login = try await world.redeem(nil, token.token)
            #expect(login.number == AuthorityWorld.number && login.assurance == .sms && login.carrier == .mobile)
            #expect(try await refusal { _ = try await world.redeem(nil, token.token) } == .tokenSpent)
            let line = try await world.store.ledgerEntries(app: world.app.record.id, limit: 10).first {
                $0.trace == sent.trace
            }
            #expect(line?.assurance == .sms && line?.result == "released")
            let steps = try await world.store.traceEvents(sent.trace)
            #expect(steps.map(\.step) == ["sms.send", "sms.compare", "consent", "sms.login", "test", "test"])
            #expect(steps.dropLast().allSatisfy { $0.situation == .success })
            #expect(steps.contains { $0.detail.contains("sms") })
            // One login, one code.
            #expect(try await refusal { _ = try await here.logIn(sent) } == .codeExpired)
        }
    }

    @Test("an app that did not ask for it gets no code, and no token for a code that was sent before")
    func workflow() async throws {
        try await World.visit { here in
            let sent = try await here.send()
            try await here.world.change {
                $0.workflow = .oneTap
                $0.leastAssurance = .net
            }
            #expect(try await refusal { _ = try await here.send() } == .capabilityMissing)
            #expect(try await refusal { _ = try await here.logIn(sent) } == .capabilityMissing)
            // Accepting weak tokens is not asking for them.
            try await here.world.change { $0.leastAssurance = .sms }
            #expect(try await refusal { _ = try await here.send() } == .capabilityMissing)
            #expect(here.sender.messages.count == 1)
            #expect(try await here.world.rows().tokens == 0)
        }
    }

    @Test(
        "a prefetch and its refusal say whether the app's workflow has codes; before the app is known nothing is said")
    func announcement() async throws {
        try await World.visit { here in
            let world = here.world
            func refused(_ bundle: String = AuthorityWorld.bundle) async throws -> Refusal? {
                do { _ = try await world.prefetch(try here.call(), bundle: bundle) } catch let error as Refusal {
                    return error
                }
                return nil
            }
            let refusal = try #require(try await refused())
            #expect(refusal.situation == .addressUnknown && refusal.smsLogin)
            let json = DeviceFailure(
                situation: refusal.situation, detail: refusal.detail, smsLogin: refusal.smsLogin
            ).json
            #expect(try DeviceFailure(json).smsLogin)
            #expect(try await world.prefetch().smsLogin)
            let wrong = try #require(try await refused("com.example.other"))
            #expect(wrong.situation == .bundleMismatch && !wrong.smsLogin)
            try await world.change {
                $0.workflow = .oneTap
                $0.leastAssurance = .net
            }
            // The prefetch reads the app again first: a refusal may follow the record that the process remembers.
            #expect(try await !world.prefetch().smsLogin)
            #expect(try await refused()?.smsLogin == false)
        }
    }

    @Test("an app that changes while a code is shown is judged as it is then, when the code is spent")
    func changedMeanwhile() async throws {
        let changes: [(Situation?, @Sendable (inout AppRecord) -> Void)] = [
            (nil, { $0.name = "Shop 2" }),
            (.capabilityMissing, { ($0.workflow, $0.leastAssurance) = (.oneTap, .net) }),
            (.consentInvalid, { $0.requiresPageReview = true }),
        ]
        for (situation, change) in changes {
            try await World.visit { here in
                let sent = try await here.send()
                let yes = SMSLogin.Yes(
                    appID: here.world.app.record.id, dialect: .device, transaction: sent.transaction,
                    consent: try here.consent(to: sent), assurance: .sms)
                let (device, digits) = (try here.call(), here.sender.code)
                let end = try await refusal {
                    _ = try await here.login.logIn(yes, from: device) { app throws(Refusal) in
                        do { try await here.world.change(change) } catch { Issue.record(error) }
                        return SMSLogin.Proven(
                            of: try await here.login.codes.spend(
                                digits, of: sent.transaction, app: app, purpose: .login,
                                deviceKey: device.proof.key.thumbprint))
                    }
                }
                #expect(end == situation)
                #expect(try await here.world.rows().tokens == (situation == nil ? 1 : 0))
                let step = try await here.world.authority.traceEvents(sent.trace).last
                #expect(step?.step == "sms.login" && step?.situation == situation ?? .success)
            }
        }
    }

    @Test("an app that accepts net or more redeems no token that a code earned")
    func tooWeak() async throws {
        try await World.visit { here in
            let token = try await here.logIn(try await here.send())
            try await here.world.change {
                $0.workflow = .oneTap
                $0.leastAssurance = .net
            }
            let app = try await here.world.authority.apps.find(here.world.app.record.id)
            #expect(
                try await refusal { _ = try await here.world.redeem(here.world.serverCall(app), token.token) }
                    == .assuranceTooLow)
        }
    }

    /// Numbers of which the register knows different things.
    private static let numbers: [(name: String, number: PhoneNumber, isKnown: Bool)] = [
        ("known", AuthorityWorld.number, true), ("unknown", AuthorityWorld.otherNumber, false),
        ("of a carrier that is off", PhoneNumber("13100000003")!, true),
    ]

    @Test("asking for a code is answered alike whatever the register knows of the number, and leaves the same rows")
    func enumeration() async throws {
        try await World.visit { here in
            _ = try await here.world.register.observe([
                SubscriberObservation(
                    number: PhoneNumber("13100000003")!, imsi: "460010000000003", carrier: .unicom,
                    eventTime: here.world.clock.now)
            ])
            let node = here.node { $0.policy.carriers[.unicom]?.enabled = false }
            var answers: Set<String> = []
            for (name, number, isKnown) in Self.numbers {
                #expect(try await (here.world.register.subscription(of: number) != nil) == isKnown, "\(name)")
                let before = try await here.world.rows()
                let sent = try await node.send(to: number.e164)
                var answer = sent
                answer.trace = TraceID(random: SeededRandom())
                answer.transaction = String(repeating: "0", count: 32)
                answers.insert(answer.json.text)
                let after = try await here.world.rows()
                #expect(after.traces == before.traces + 1 && after.scrips == before.scrips, "\(name)")
                // Nor does a wrong code tell.
                #expect(
                    try await refusal { _ = try await node.logIn(sent, SMSWorld.wrong(here.sender.code)) } == .codeWrong
                )
            }
            #expect(answers.count == 1)
            #expect(here.sender.messages.map(\.to) == Self.numbers.map(\.number))
        }
    }

    @Test(
        """
        the right code logs nobody in to a number that is unknown, changed hands, was silent for long, or is another \
        carrier's
        """
    )
    func holders() async throws {
        let number = AuthorityWorld.number
        let changes: [(Situation, @Sendable (SMSLoginWorld) async throws -> Void)] = [
            (.subscriptionChanged, { _ = try await $0.world.register.reassign(number, at: $0.world.clock.now) }),
            (
                .subscriptionChanged,
                {
                    $0.world.clock.advance(by: .seconds(1))
                    _ = try await $0.world.register.observe([
                        SubscriberObservation(
                            number: number, imsi: "460000000000009", carrier: .mobile, eventTime: $0.world.clock.now,
                            startsSession: true)
                    ])
                }
            ),
        ]
        for (situation, change) in changes {
            try await World.visit { here in
                let sent = try await here.send()
                try await change(here)
                #expect(try await refusal { _ = try await here.logIn(sent) } == situation)
                #expect(try await here.world.rows().tokens == 0)
            }
        }
        try await World.visit { here in
            let unknown = try await here.send(to: AuthorityWorld.otherNumber.e164)
            #expect(try await refusal { _ = try await here.logIn(unknown) } == .numberNotServed)
            #expect(try await refusal { _ = try await here.logIn(unknown) } == .codeExpired, "the code is spent")
            let off = here.node { $0.policy.carriers[.mobile]?.enabled = false }
            let sent = try await off.send()
            #expect(try await refusal { _ = try await off.logIn(sent) } == .numberNotServed)
            // A day less than the quarantine, and a day more.
            here.world.clock.advance(by: .seconds(89 * 86400))
            _ = try await here.logIn(try await here.send())
            here.world.clock.advance(by: .seconds(2 * 86400))
            let late = try await here.send()
            #expect(try await refusal { _ = try await here.logIn(late) } == .numberNotServed)
            #expect(try await here.world.rows().tokens == 1)
        }
    }

    @Test(
        """
        a code logs in with its transaction, app and device key alone; CAMARA's code for the same app and number does \
        not
        """
    )
    func binding() async throws {
        try await World.visit { here in
            let other = try await here.world.authority.apps.register(
                {
                    var registration = Apps.Registration(name: "Other")
                    registration.bundleIDs = [AuthorityWorld.bundle]
                    registration.workflow = .oneTapThenSMS
                    registration.leastAssurance = .sms
                    return registration
                }())
            let thief = SoftwareDeviceSigner()
            let sent = try await here.send()
            let code = here.sender.code
            #expect(try await refusal { _ = try await here.logIn(sent, code, signer: thief) } == .codeWrong)
            #expect(try await refusal { _ = try await here.logIn(sent, code, app: other) } == .codeUnknown)
            // The other app's own transaction, and this one's digits.
            let others = try await here.send(of: other)
            if code != here.sender.code {
                #expect(try await refusal { _ = try await here.logIn(others, code, app: other) } == .codeWrong)
                #expect(try await refusal { _ = try await here.logIn(sent, here.sender.code) } == .codeWrong)
            }
            let camara = try await here.login.codes.send(
                SMSCodes.Order(
                    app: here.world.app.record, purpose: .verification, number: AuthorityWorld.number,
                    trace: sent.trace, source: nil
                ) { "code: \($0)" })
            var asCAMARA = sent
            asCAMARA.transaction = camara.rawValue
            #expect(try await refusal { _ = try await here.logIn(asCAMARA) } == .codeUnknown)
            #expect(
                try await refusal {
                    _ = try await here.login.codes.spend(
                        code, of: sent.transaction, app: here.world.app.record.id, purpose: .verification)
                } == .codeUnknown)
            #expect(try await here.world.rows().tokens == 0)
            _ = try await here.logIn(sent, code)
        }
    }

    @Test("a newer code of the same app and number voids the one before it, whichever phone asked for it")
    func newerCode() async throws {
        try await World.visit { here in
            let first = try await here.send()
            let code = here.sender.code
            let second = try await here.send(from: try here.call(SoftwareDeviceSigner()))
            #expect(try await refusal { _ = try await here.logIn(first, code) } == .codeExpired)
            #expect(try await refusal { _ = try await here.logIn(second) } == .codeWrong, "it is the other phone's")
        }
    }

    @Test("without the person's yes on a page there is no token, and the code stays good")
    func consent() async throws {
        try await World.visit { here in
            let sent = try await here.send()
            let world = here.world
            let refused: [(Situation, String)] = [
                (.consentInvalid, "a.b.c"),
                (.consentInvalid, try here.consent(to: sent, signer: SoftwareDeviceSigner())),
                (.consentInvalid, try here.consent(to: sent) { $0.scripHash = ConsentRecord.hash(of: "other") }),
                (.consentInvalid, try here.consent(to: sent) { $0.nonceHash = ConsentRecord.hash(of: "other") }),
                (.consentInvalid, try here.consent(to: sent) { $0.contentDigest = ConsentRecord.hash(of: "x") }),
                (
                    .consentInvalid,
                    try here.consent(to: sent) {
                        $0.content.initiallyTicked = true
                        $0.contentDigest = $0.content.digest
                    }
                ),
                (
                    .consentInvalid,
                    try here.consent(to: sent) {
                        $0.content.texts.removeFirst()
                        $0.contentDigest = $0.content.digest
                    }
                ),
                (
                    .consentInvalid,
                    try here.consent(to: sent) {
                        $0.content.texts.removeLast()
                        $0.contentDigest = $0.content.digest
                    }
                ),
                (.consentInvalid, try here.consent(to: sent) { $0.tickedAt = $0.tappedAt + .milliseconds(1) }),
                (
                    .consentInvalid,
                    try here.consent(to: sent) {
                        $0.shownAt = world.clock.now - .seconds(122)
                        $0.tickedAt = $0.shownAt
                        $0.tappedAt = $0.shownAt
                    }
                ),
            ]
            for (situation, text) in refused {
                #expect(try await refusal { _ = try await here.logIn(sent, consent: text) } == situation)
            }
            #expect(try await here.world.rows().tokens == 0)
            try await here.world.change { $0.requiresPageReview = true }
            #expect(try await refusal { _ = try await here.logIn(sent) } == .consentInvalid)
            let digest = here.content(sent.policyVersion).digest
            try await here.world.change { $0.approvedContent = [digest] }
            _ = try await here.logIn(sent)
            // Only a shown code reveals which login it belongs to.
            let next = try await here.send()
            let astray = try here.consent(to: next) { $0.trace = sent.trace }
            #expect(try await refusal { _ = try await here.logIn(next, consent: astray) } == .consentInvalid)
        }
    }

    @Test(
        """
        a stranger to the app is refused before anything is sent: another bundle, a wrong key, a wrong attestation, a \
        proof that was shown
        """
    )
    func strangers() async throws {
        try await World.visit { here in
            let app = here.world.app.record.id
            let device = try here.call()
            func ask(_ bundle: String, _ proof: String?) async throws -> Situation? {
                try await refusal {
                    _ = try await here.login.sendCode(
                        SMSCodeRequest(
                            appID: app, bundleID: bundle, appKeyProof: proof, dialect: .device, number: "13800000001"),
                        from: device)
                }
            }
            #expect(try await ask("com.example.other", nil) == .bundleMismatch)
            #expect(try await ask(AuthorityWorld.bundle, nil) == .appKeyWrong)
            #expect(try await ask(AuthorityWorld.bundle, String(repeating: "A", count: 43)) == .appKeyWrong)
            var attested = try here.call()
            attested.attestation = "a.b.c"
            let wrong = attested
            #expect(try await refusal { _ = try await here.send(from: wrong) } == .attestationInvalid)
            for number in ["", "12", "138000000o1", "1380000000112345678"] {
                #expect(try await refusal { _ = try await here.send(to: number) } == .numberMalformed)
            }
            #expect(here.sender.messages.isEmpty)
            #expect(try await here.world.rows().traces == 0)
            _ = try await here.send(from: device)
            #expect(try await refusal { _ = try await here.send(from: device) } == .proofReplayed)
            try await here.world.change { $0.suspended = true }
            #expect(try await refusal { _ = try await here.send() } == .appSuspended)
            #expect(here.sender.messages.count == 1)
        }
    }

    @Test("a phone that asks for a code to a number of a range that no phone has is refused, and nothing is sent")
    func unassignedRanges() async throws {
        try await World.visit { here in
            for number in ["8615400000001", "8616000000001"] {
                #expect(try await refusal { _ = try await here.send(to: number) } == .numberNotServed, "\(number)")
            }
            #expect(here.sender.messages.isEmpty)
            _ = try await here.send(to: "8615300000001")
            #expect(here.sender.messages.map(\.to.e164) == ["8615300000001"], "the range beside it has phones")
        }
    }

    private func ask(_ here: World, _ place: Int, at source: String) async throws -> Situation? {
        try await refusal {
            _ = try await here.send(to: SMSWorld.number(place).e164, from: try here.call(at: source))
        }
    }

    @Test("phones at one address, or in one /64, have sixty messages an hour sent, and others more")
    func addresses() async throws {
        try await World.visit { here in
            var ends: [Situation?] = []
            for place in 0..<61 {
                ends.append(try await ask(here, place, at: place % 2 == 0 ? "2001:db8::1" : "2001:db8::2:3"))
            }
            #expect(ends == Array(repeating: nil, count: 60) + [.tooManyRequests])
            #expect(try await ask(here, 60, at: "2001:db8:0:1::4") == nil)
            #expect(try await ask(here, 61, at: "198.51.100.9") == nil)
        }
    }

    @Test("whoever has messages sent with a copied app key uses up nothing that the app's server needs")
    func budgetsOfTheirOwn() async throws {
        let settings = SMSCodes.Settings.with {
            $0.perAppAndDay = 2
            $0.perPrefixAndHour = 2
        }
        try await World.visit(settings: settings) { here in
            var ends: [Situation?] = []
            for place in 0..<3 {
                ends.append(try await refusal { _ = try await here.send(to: SMSWorld.neighbour(place).e164) })
            }
            #expect(ends == [nil, nil, .quotaExceeded])
            let server = SMSWorld(world: here.world, sender: here.sender, codes: here.login.codes)
            for place in 3...4 { _ = try await server.send(to: SMSWorld.neighbour(place)) }
            #expect(here.sender.messages.count == 4)
        }
    }

    @Test("the number and the code are in no trace, refusal or row")
    func secrecy() async throws {
        try await World.visit(settings: .with { $0.digits = 10 }) { here in
            let number = SMSWorld.number(7)
            let sent = try await here.send(to: number.e164)
            let code = here.sender.code
            var texts = [sent.json.text]
            for digits in [SMSWorld.wrong(code), code, code] {
                do { _ = try await here.logIn(sent, digits) } catch {
                    let refusal = try #require(error as? Refusal)
                    texts.append("\(refusal) \(refusal.detail)")
                }
            }
            texts += try await here.world.store.traceEvents(sent.trace).map { "\($0)" }
            #expect(texts.count > 4)
            for text in texts {
                #expect(!text.contains(number.national) && !text.contains(code), "\(text)")
            }
            var bytes = Data()
            for file in try FileManager.default.contentsOfDirectory(atPath: here.world.directory) {
                bytes += try Data(contentsOf: URL(fileURLWithPath: here.world.directory + "/" + file))
            }
            for text in [code, number.national] { #expect(bytes.range(of: Data(text.utf8)) == nil) }
        }
    }
}

/// The same bytes each time.
private struct SeededRandom: RandomSource {
    func bytes(_ count: Int) -> [UInt8] { Array(repeating: 7, count: count) }
}
