import BenjiPolicy
import Foundation
import ServerTestKit
import ShortMessages
import Sightings
import Store
import StoreSQLite
import Synchronization
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Requests

/// A phone on Wi-Fi, an app that accepts texts from phones, an SMSC that delivers them, and their senders.
struct SMSUpstreamWorld {
    static let serviceNumber = "10690123"
    static let settings: SMSUpstream.Settings = {
        var settings = SMSUpstream.Settings()
        settings.number = serviceNumber
        settings.carriers = ["smsc": [.mobile]]
        return settings
    }()

    let world: AuthorityWorld
    let outcomes: Outcomes
    let login: SMSLogin

    final class Outcomes: Sendable {
        private let state = Mutex<[String]>([])
        var words: [String] { state.withLock { $0 } }
        func append(_ word: String) { state.withLock { $0.append(word) } }
    }

    static func visit(
        settings: SMSUpstream.Settings = settings, _ body: (SMSUpstreamWorld) async throws -> Void
    ) async throws {
        let world = try await AuthorityWorld {
            $0.workflow = .oneTapThenSMS
            $0.leastAssurance = .smsUpstream
        }
        let result: Result<Void, any Error>
        do { result = .success(try await body(SMSUpstreamWorld(world, settings))) } catch { result = .failure(error) }
        await world.end()
        try result.get()
    }

    init(_ world: AuthorityWorld, _ settings: SMSUpstream.Settings) {
        let outcomes = Outcomes()
        self.world = world
        self.outcomes = outcomes
        login = SMSLogin(
            authority: world.authority,
            codes: SMSCodes(
                authority: world.authority, store: world.store, sender: nil,
                upstream: SMSUpstream(settings: settings, authority: world.authority, store: world.store) {
                    outcomes.append($1.rawValue)
                }), quarantine: world.register.quarantine)
    }

    /// Another process over the same database.
    func node(_ change: (inout Authority.Configuration) -> Void = { _ in }) -> SMSUpstreamWorld {
        SMSUpstreamWorld(world.restarted(change), login.codes.upstream?.settings ?? Self.settings)
    }

    func call(_ signer: SoftwareDeviceSigner? = nil, at source: String? = "198.51.100.9") throws -> DeviceCall {
        var call = try world.call(signer, sighting: SMSLoginWorld.offNetwork)
        call.source = source.flatMap { InternetAddress($0) }
        return call
    }

    func ask(
        of app: RegisteredApp? = nil, _ signer: SoftwareDeviceSigner? = nil, from device: DeviceCall? = nil
    ) async throws -> SMSUpstreamResponse {
        let device = try device ?? call(signer)
        let app = app ?? world.app
        return try await login.giveText(
            SMSUpstreamRequest(
                appID: app.record.id, bundleID: AuthorityWorld.bundle,
                appKeyProof: AppKeyProof.make(
                    appKey: app.key.reveal(), appID: app.record.id, proofID: device.proof.id,
                    keyThumbprint: device.proof.key.thumbprint), dialect: .device), from: device)
    }

    /// The network delivers a message.
    /// - Returns: whether it is answered as taken.
    @discardableResult func deliver(
        _ text: String, from number: PhoneNumber = AuthorityWorld.number, to: String = serviceNumber,
        by sender: String = "smsc"
    ) async -> Bool {
        await login.codes.hear(ReceivedShortMessage(sender: sender, from: number, to: to, text: text))
    }

    func status(
        _ given: SMSUpstreamResponse, app: RegisteredApp? = nil, signer: SoftwareDeviceSigner? = nil
    ) async throws -> SMSUpstreamStatusResponse {
        try await login.textStatus(
            SMSUpstreamStatusRequest(appID: (app ?? world.app).record.id, transaction: given.transaction),
            from: try call(signer))
    }

    func consent(
        to given: SMSUpstreamResponse, app: RegisteredApp? = nil, signer: SoftwareDeviceSigner? = nil,
        _ change: (inout ConsentRecord) -> Void = { _ in }
    ) throws -> String {
        let now = world.clock.now
        var record = ConsentRecord(
            appID: (app ?? world.app).record.id, trace: given.trace, scrip: given.transaction,
            nonce: given.transaction,
            content: ConsentContent(
                drawnBy: .app, language: "zh-Hans", policyVersion: given.policyVersion,
                texts: [
                    .init(.number, ConsentContent.numberPlaceholder), .init(.hint, "短信已收到"), .init(.loginButton, "登录"),
                ], links: [.init(title: "《用户协议》", url: "https://shop.example/terms")], initiallyTicked: false),
            sceneDigest: nil, shownAt: now, tickedAt: now, tappedAt: now)
        change(&record)
        return try record.signed(by: signer ?? world.phone)
    }

    func logIn(
        _ given: SMSUpstreamResponse, app: RegisteredApp? = nil, signer: SoftwareDeviceSigner? = nil,
        consent text: String? = nil
    ) async throws -> AuthorizeResponse {
        let text = try text ?? consent(to: given, app: app, signer: signer)
        return try await login.logIn(
            SMSUpstreamLoginRequest(
                appID: (app ?? world.app).record.id, dialect: .device, transaction: given.transaction, consent: text),
            from: try call(signer))
    }
}

@Suite("Login by a text that is sent from the phone")
struct SMSUpstreamTests {
    private typealias World = SMSUpstreamWorld

    @Test("whoever sends the text is logged in on the phone that asked, and everything says sms-upstream")
    func walk() async throws {
        try await World.visit { here in
            let world = here.world
            let given = try await here.ask()
            #expect(given.serviceNumber == "10690123" && given.lifetime == 300 && given.retryAfter > 0)
            #expect(given.text.contains("Shop") && given.text.utf16.count <= 70)
            #expect(try await here.status(given).sender == nil)
            #expect(try await refusal { _ = try await here.logIn(given) } == .codeUnknown, "before it has come")
            #expect(await here.deliver(given.text))
            let sender = try await here.status(given).sender
            #expect(sender == .init(carrier: .mobile, maskedNumber: "138****0001"))
            #expect(try await here.status(given).sender == sender, "asking spends nothing")
            let consent = try here.consent(to: given)
            let token = try await here.logIn(given, consent: consent)
            #expect(token.assurance == .smsUpstream && token.trace == given.trace && token.scrip == nil)
            #expect(token.carrier == .mobile && token.maskedNumber == "138****0001")
            #expect(token.openID == (try await world.token()).openID, "the same person")
            let receipt = try ConsentReceipt(
                verifying: try #require(token.consentReceipt), keys: [PublishedReceiptKey(world.vault.receiptKey)])
            #expect(receipt.claims["assurance"] == "sms-upstream")
            let kept = try await world.store.consents(of: given.trace)
            #expect(kept.map(\.record) == [consent] && kept.map(\.assurance) == [.smsUpstream])

            let login = try await world.redeem(nil, token.token)
            #expect(login.number == AuthorityWorld.number && login.assurance == .smsUpstream)
            #expect(try await refusal { _ = try await world.redeem(nil, token.token) } == .tokenSpent)
            let line = try await world.store.ledgerEntries(app: world.app.record.id, limit: 10).first {
                $0.trace == given.trace
            }
            #expect(line?.assurance == .smsUpstream && line?.result == "released")
            let steps = try await world.store.traceEvents(given.trace)
            #expect(steps.map(\.step) == ["sms.text", "sms.arrive", "consent", "sms.login", "test", "test"])
            #expect(steps[1].login?.subscription == world.subscription.subscription)
            #expect(try await refusal { _ = try await here.logIn(given) } == .codeExpired, "one text, one login")
        }
    }

    @Test("an app that did not ask for it gets no text, and no token for one that was given before")
    func workflow() async throws {
        try await World.visit { here in
            let given = try await here.ask()
            await here.deliver(given.text)
            try await here.world.change { $0.leastAssurance = .sms }
            #expect(try await refusal { _ = try await here.ask() } == .assuranceTooLow, "it accepts codes alone")
            #expect(try await refusal { _ = try await here.status(given) } == .assuranceTooLow)
            #expect(try await refusal { _ = try await here.logIn(given) } == .assuranceTooLow)
            try await here.world.change {
                $0.leastAssurance = .smsUpstream
                $0.workflow = .oneTap
            }
            #expect(try await refusal { _ = try await here.ask() } == .capabilityMissing)
            #expect(try await refusal { _ = try await here.logIn(given) } == .capabilityMissing)
            try await here.world.change { $0.workflow = .oneTapThenSMS }
            let none = SMSUpstreamWorld(here.world, SMSUpstream.Settings())
            #expect(try await refusal { _ = try await none.ask() } == .capabilityMissing, "there is no service number")
            #expect(try await here.world.rows().tokens == 0)
            let token = try await here.logIn(given)
            try await here.world.change { $0.leastAssurance = .sms }
            let app = try await here.world.authority.apps.find(here.world.app.record.id)
            #expect(
                try await refusal { _ = try await here.world.redeem(here.world.serverCall(app), token.token) }
                    == .assuranceTooLow, "an app that accepts codes alone")
        }
    }

    @Test(
        "a message that comes before the question, twice, late, at another node or with other white space counts once"
    )
    func arrivals() async throws {
        try await World.visit { here in
            let given = try await here.ask()
            let node = here.node()
            #expect(await node.deliver(" " + given.text.replacing(" ", with: "\u{3000}") + "\r\n", to: "+8610690123"))
            #expect(await here.deliver(given.text))
            #expect(node.outcomes.words == ["arrived"] && here.outcomes.words == ["repeated"])
            _ = try await node.logIn(given)
            #expect(await here.deliver(given.text))
            let late = try await here.ask()
            here.world.clock.advance(by: .seconds(300))
            #expect(await here.deliver(late.text))
            #expect(here.outcomes.words == ["repeated", "late", "late"])
            #expect(try await refusal { _ = try await here.status(late) } == .codeExpired)
            #expect(try await refusal { _ = try await here.logIn(late) } == .codeExpired)
            #expect(await here.deliver(late.text.replacing("：", with: ":")), "a text that nobody was given is taken")
            #expect(here.outcomes.words.last == "unknown")
            #expect(try await here.world.rows().tokens == 1)
        }
    }

    @Test("a message is taken only when it is durable: what the store cannot keep comes again, and counts then")
    func durability() async throws {
        let world = try await AuthorityWorld {
            $0.workflow = .oneTapThenSMS
            $0.leastAssurance = .smsUpstream
        }
        let here = SMSUpstreamWorld(world, World.settings)
        let given = try await here.ask()
        await world.store.close()
        #expect(await !here.deliver(given.text), "the SMSC sends it again")
        #expect(here.outcomes.words.isEmpty)
        #expect(await here.deliver("TD"), "and not what is of no use")
        await world.end()
    }

    @Test(
        "a text logs nobody in to a number that is unknown, changed hands, was silent for long, or is another carrier's"
    )
    func holders() async throws {
        let number = AuthorityWorld.number
        try await World.visit { here in
            let reassigned = try await here.ask()
            await here.deliver(reassigned.text)
            _ = try await here.world.register.reassign(number, at: here.world.clock.now)
            #expect(try await refusal { _ = try await here.status(reassigned) } == .subscriptionChanged)
            #expect(try await refusal { _ = try await here.logIn(reassigned) } == .subscriptionChanged)
            #expect(try await refusal { _ = try await here.logIn(reassigned) } == .codeExpired, "the text is spent")
            let unknown = try await here.ask()
            await here.deliver(unknown.text, from: AuthorityWorld.otherNumber)
            #expect(try await refusal { _ = try await here.status(unknown) } == .numberNotServed)
            #expect(try await refusal { _ = try await here.logIn(unknown) } == .numberNotServed)
            let given = try await here.ask()
            await here.deliver(given.text)
            let off = here.node { $0.policy.carriers[.mobile]?.enabled = false }
            #expect(try await refusal { _ = try await off.logIn(given) } == .numberNotServed)
            #expect(try await here.world.rows().tokens == 0)
        }
        try await World.visit { here in
            here.world.clock.advance(by: .seconds(91 * 86400))
            let given = try await here.ask()
            await here.deliver(given.text)
            #expect(try await refusal { _ = try await here.status(given) } == .numberNotServed)
            #expect(try await refusal { _ = try await here.logIn(given) } == .numberNotServed)
        }
    }

    @Test(
        "without the person's yes on a page that showed whose number it is there is no token, and the text stays good"
    )
    func consent() async throws {
        try await World.visit { here in
            let given = try await here.ask()
            await here.deliver(given.text)
            let refused = [
                "a.b.c", try here.consent(to: given, signer: SoftwareDeviceSigner()),
                try here.consent(to: given) { $0.scripHash = ConsentRecord.hash(of: "other") },
                try here.consent(to: given) { $0.nonceHash = ConsentRecord.hash(of: "other") },
                try here.consent(to: given) {
                    $0.content.texts.removeFirst()
                    $0.contentDigest = $0.content.digest
                },
                try here.consent(to: given) {
                    $0.content.initiallyTicked = true
                    $0.contentDigest = $0.content.digest
                },
            ]
            for text in refused {
                #expect(try await refusal { _ = try await here.logIn(given, consent: text) } == .consentInvalid)
            }
            _ = try await here.logIn(given)
        }
    }

    @Test(
        """
        phones at one address are given sixty texts an hour, an app as many a day as it may, and a refused one is no row
        """
    )
    func budgets() async throws {
        var settings = World.settings
        settings.perAppAndDay = 62
        try await World.visit(settings: settings) { here in
            var ends: [Situation?] = []
            for place in 0..<61 {
                let source = place % 2 == 0 ? "2001:db8::1" : "2001:db8::2:3"
                ends.append(try await refusal { _ = try await here.ask(from: try here.call(at: source)) })
            }
            #expect(ends == Array(repeating: nil, count: 60) + [.tooManyRequests])
            for _ in 0..<2 { _ = try await here.ask() }
            #expect(try await refusal { _ = try await here.ask() } == .quotaExceeded)
            #expect(try await here.world.count("sms_upstream") == 62)
            here.world.clock.advance(by: .seconds(2 * 86400))
            try await here.world.authority.deleteExpired()
            #expect(try await here.world.count("sms_upstream") == 0)
        }
    }

    @Test("a flood of messages from one number does not reach the store, and does not keep another number out")
    func flood() async throws {
        try await World.visit { here in
            let given = try await here.ask()
            for _ in 0..<200 {
                await here.deliver("我要登录 Shop，不是替别人发送：AAAAAAAAAAAAAAAA", from: AuthorityWorld.otherNumber)
            }
            #expect(here.outcomes.words.count { $0 == "unknown" } == SMSUpstream.messagesPerNumber)
            #expect(here.outcomes.words.count { $0 == "throttled" } == 200 - SMSUpstream.messagesPerNumber)
            for text in ["TD", "", String(repeating: "验", count: 500), String(repeating: "A", count: 71)] {
                await here.deliver(text)
            }
            #expect(here.outcomes.words.suffix(4) == ["foreign", "foreign", "foreign", "foreign"])
            await here.deliver(given.text)
            _ = try await here.logIn(given)
        }
    }

    @Test("a text names the app, has a code of its own, and fits one message whatever the app is called")
    func texts() throws {
        let words = SMSUpstream.Settings().text
        #expect(SMSUpstream.Settings.isGood(text: words))
        for name in ["Shop", String(repeating: "商", count: 200), "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "{{code}}"] {
            let text = SMSUpstream.text(words, code: "K7M2Q9XN4RTDW3HE", app: name)
            #expect(text.utf16.count <= 70 && text.hasSuffix("K7M2Q9XN4RTDW3HE"), "\(text)")
            #expect(text.contains(name.prefix(1)) && SMSUpstream.mayHoldCode(SMSUpstream.withoutSpace(text)))
        }
        let codes = Set((0..<1000).map { _ in SMSUpstream.draw(SystemRandomSource()) })
        #expect(codes.count == 1000 && codes.allSatisfy { $0.count == 16 })
        for wrong in [
            "{{code}}", "{{app}}", "{{app}} {{code}} {{code}}", "{{app}}{{app}}{{code}}", "a\n{{app}} {{code}}",
            String(repeating: "字", count: SMSUpstream.Settings.unitsOfWords + 1) + "{{app}}{{code}}",
        ] { #expect(!SMSUpstream.Settings.isGood(text: wrong), "\(wrong)") }
    }

    @Test("neither the number nor the text is in a trace, a refusal or the database's files")
    func secrecy() async throws {
        try await World.visit { here in
            let given = try await here.ask()
            let code = String(given.text.suffix(SMSUpstream.codeLength))
            await here.deliver(given.text)
            _ = try await here.logIn(given)
            await here.deliver(given.text, from: AuthorityWorld.otherNumber)
            var texts = try await here.world.store.traceEvents(given.trace).map { "\($0)" }
            do { _ = try await here.logIn(given) } catch { texts.append("\(error)") }
            #expect(texts.count > 4)
            for text in texts + ["\(given)"] {
                #expect(!text.contains(AuthorityWorld.number.national) && !text.contains(code), "\(text)")
            }
            var bytes = Data()
            for file in try FileManager.default.contentsOfDirectory(atPath: here.world.directory) {
                bytes += try Data(contentsOf: URL(fileURLWithPath: here.world.directory + "/" + file))
            }
            for text in [code, AuthorityWorld.number.national] { #expect(bytes.range(of: Data(text.utf8)) == nil) }
        }
    }
}
