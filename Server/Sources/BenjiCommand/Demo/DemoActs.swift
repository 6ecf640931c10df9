import AppAttestModel
import BenjiClient
import BenjiPolicy
@_spi(Server) import BenjiProtocol
import Catalogue
import Sandbox

/// The acts of the demo: three phones log in, then the failures that teach most. Every line is told after its answer
/// came.
struct DemoActs: Sendable {
    let stage: DemoStage
    let story: DemoStory

    // MARK: telling

    /// Sends a request and reports its outcome. Returns the answer, or `nil` if it was refused.
    @discardableResult
    func step<Value: Sendable>(
        _ from: String, _ to: String, _ request: String, expect expected: String,
        _ body: @Sendable () async throws -> (Value, outcome: String, detail: String)
    ) async -> Value? {
        let start = ContinuousClock.now
        var value: Value?
        let outcome: String
        let detail: String
        do {
            let result = try await body()
            (value, outcome, detail) = (result.0, result.outcome, result.detail)
        } catch let error as BenjiError {
            (outcome, detail) = (error.situation.rawValue, error.detail)
        } catch let failure as DeviceFailure {
            (outcome, detail) = (failure.situation.rawValue, failure.detail)
        } catch {
            (outcome, detail) = ("failed", "\(error)")
        }
        await story.tell(
            DemoStory.Line(
                from: from, to: to, request: request, outcome: outcome, expected: expected, detail: detail,
                elapsed: ContinuousClock.now - start))
        return value
    }

    private func prefetch(
        _ engine: LoginEngine, from name: String, expect expected: Situation = .success
    ) async {
        await step(name, "gateway", "prefetch", expect: expected.rawValue) {
            let summary = try await engine.prefetch()
            return (
                (), "success",
                "\(summary.maskedNumber), \(summary.carrier.english), assurance \(summary.assurance.rawValue)"
            )
        }
    }

    private func redeem(
        _ token: String, with app: DemoStage.App, request: String = "loginTokenValidate", expect expected: String,
        spoilsSign: Bool = false
    ) async {
        await step("app server", "authority", request, expect: expected) {
            let answer = try await app.client.loginTokenValidate(token, spoilsSign: spoilsSign)
            let number = answer.body["msisdn"]?.stringValue.flatMap { PhoneNumber($0) }
            return ((), answer.code, number.map { "number \($0.masked)" } ?? Self.meaning(answer.code, in: .cmPhone))
        }
    }

    /// A code's meaning, in the demo's language. The dialect's own text is Chinese.
    static func meaning(_ code: String, in table: CodeTable) -> String {
        Catalogue.entry(code, in: table)?.meaning.english ?? ""
    }

    private func verify(_ token: String, number: PhoneNumber, expect expected: String) async {
        await step("app server", "authority", "tokenValidate", expect: expected) {
            let answer = try await stage.shop.client.verify(token, number: number)
            return ((), answer.code, Self.meaning(answer.code, in: .cmVerify))
        }
    }

    // MARK: the acts

    /// Without the stories: each phone has its address all the same, so that the commands of "What to try next" work.
    func connectPhones() async throws {
        for attached in stage.phones { _ = try await attached.core.attach(attached.sim, at: attached.phone.address) }
    }

    func play() async throws {
        await story.begin(
            "Three phones get an address",
            "Each carrier's packet core gives its phone an address and tells the gateway by RADIUS accounting.")
        var sessions: [VirtualPacketCore.Session] = []
        for attached in stage.phones {
            let session = await step("\(attached.phone.name)'s core", "gateway", "Accounting-Start", expect: "answered")
            {
                let (session, _) = try await attached.core.attach(attached.sim, at: attached.phone.address)
                return (
                    session, "answered",
                    "\(attached.phone.address) is \(attached.sim.number.masked), \(attached.sim.carrier.english)"
                )
            }
            if let session { sessions.append(session) }
        }
        for attached in stage.phones { await logIn(attached) }
        await verification()
        await refusals()
        await copiedKey()
        await appAttest()
        await movedApps()
        await ending(sessions)
    }

    private func logIn(_ attached: DemoStage.AttachedPhone) async {
        let name = attached.phone.name
        await story.begin("\(name.capitalizedFirst) logs in, \(attached.sim.carrier.english)")
        let engine = stage.engine(stage.shop, on: attached.phone)
        await prefetch(engine, from: name)
        let story = story
        let person = ScriptedPerson { offer in
            await story.remark(
                "the page shows \(offer.maskedNumber) and \(offer.carrier.english)'s terms; the person ticks the box "
                    + "and taps"
            )
        }
        let login = await step(name, "gateway", "authorize", expect: "success") {
            let login = try await engine.logIn(with: person)
            return (login, "success", "token \(login.token.prefix(9))…, openId \(login.openID?.prefix(9) ?? "none")…")
        }
        guard let login else { return }
        await step(name, "app server", "POST /login", expect: "103000") {
            let response = try await attached.phone.transport.send(
                TransportRequest(
                    method: "POST", url: try stage.appServerURL.appending(path: "/login"),
                    headers: ["Content-Type": "application/json"],
                    body: JSON.object(["token": .string(login.token)]).serialized), timeout: DemoStage.timeout)
            let body = try JSON(parsing: response.body)
            return (
                (), body["code"]?.stringValue ?? "HTTP \(response.status)",
                "logged in as \(body["number"]?.stringValue ?? "nobody"); the app server redeemed the token"
            )
        }
        await story.note(login.trace)
        await story.remark("trace \(login.trace)")
    }

    private func verification() async {
        let (one, two) = (stage.phones[0], stage.phones[1])
        await story.begin(
            "Is this your number? No page, so no number", "Number verification: yes or no, and nothing else.")
        let engine = stage.engine(stage.shop, on: one.phone)
        if let token = await verificationToken(engine, one.phone.name) {
            await redeem(token, with: stage.shop, expect: "105018")
            await story.remark("the token is unspent: it still answers the question it was made for")
            await verify(token, number: one.sim.number, expect: "000")
        }
        if let token = await verificationToken(engine, one.phone.name) {
            await verify(token, number: two.sim.number, expect: "001")
        }
    }

    private func verificationToken(_ engine: LoginEngine, _ name: String) async -> String? {
        await step(name, "gateway", "authorize", expect: "success") {
            let token = try await engine.verificationToken()
            return (token.token, "success", "verification token \(token.token.prefix(9))…")
        }
    }

    private func refusals() async {
        let (one, two, three) = (stage.phones[0], stage.phones[1], stage.phones[2])
        await story.begin("Not on mobile data")
        for (name, address) in [("Wi-Fi only", "127.99.0.9"), ("behind a VPN", "127.66.0.5")] {
            guard let address = InternetAddress(address) else { continue }
            let phone = VirtualPhone(name: name, address: address, platform: stage.platform)
            await prefetch(stage.engine(stage.shop, on: phone), from: name, expect: .addressUnknown)
        }

        await story.begin("A token twice, and a wrong sign")
        let engine = stage.engine(stage.shop, on: one.phone)
        let token = await step(one.phone.name, "gateway", "authorize", expect: "success") {
            let login = try await engine.logIn(with: ScriptedPerson())
            return (login.token, "success", "token \(login.token.prefix(9))…")
        }
        if let token {
            await redeem(token, with: stage.shop, expect: "103101", spoilsSign: true)
            await redeem(token, with: stage.shop, expect: "103000")
            await redeem(token, with: stage.shop, request: "the same token again", expect: "104201")
        }

        await story.begin(
            "A stolen scrip", "The thief has the victim's scrip, but not the key that the victim's phone made.")
        let victim = DeviceScript(server: stage.deviceURL, transport: two.phone.transport)
        let scrip = await step(two.phone.name, "gateway", "prefetch", expect: "success") {
            let response = try await victim.prefetch(
                appID: stage.casual.id, appKey: stage.casual.key, bundleID: stage.casual.bundleID)
            return (response.scrip, "success", "\(response.maskedNumber), scrip \(response.scrip.prefix(9))…")
        }
        if let scrip {
            for (name, phone) in [("thief elsewhere", three.phone), ("thief behind it", two.phone)] {
                let thief = DeviceScript(server: stage.deviceURL, transport: phone.transport)
                await step(name, "gateway", "authorize", expect: Situation.scripStolen.rawValue) {
                    let response = try await thief.authorize(
                        appID: stage.casual.id, scrip: scrip, purpose: .verification)
                    return ((), "success", "token \(response.token.prefix(9))…")
                }
            }
        }

        await story.begin("An expired scrip", "This app's scrips live one second.")
        let hurried = DeviceScript(server: stage.deviceURL, transport: one.phone.transport)
        let old = await step(one.phone.name, "gateway", "prefetch", expect: "success") {
            let response = try await hurried.prefetch(
                appID: stage.hasty.id, appKey: stage.hasty.key, bundleID: stage.hasty.bundleID)
            return (response.scrip, "success", "valid for \(response.scripLifetime) s")
        }
        if let old {
            try? await Task.sleep(for: .milliseconds(1100))
            await step(one.phone.name, "gateway", "authorize", expect: Situation.scripExpired.rawValue) {
                let response = try await hurried.authorize(appID: stage.hasty.id, scrip: old, purpose: .verification)
                return ((), "success", "token \(response.token.prefix(9))…")
            }
        }
        await hoarding(three)
    }

    private func hoarding(_ attached: DemoStage.AttachedPhone) async {
        await story.begin("The 31st unused token", "An install may have thirty of one app and number in ten minutes.")
        let hoarder = DeviceScript(server: stage.deviceURL, transport: attached.phone.transport)
        let name = attached.phone.name
        let first = await step(name, "gateway", "prefetch", expect: "success") {
            let response = try await hoarder.prefetch(
                appID: stage.casual.id, appKey: stage.casual.key, bundleID: stage.casual.bundleID)
            return (response.scrip, "success", response.maskedNumber)
        }
        guard let first else { return }
        let last = await step(name, "gateway", "30 × authorize", expect: "success") {
            var scrip = first
            for _ in 0..<30 {
                let response = try await hoarder.authorize(appID: stage.casual.id, scrip: scrip, purpose: .verification)
                scrip = response.scrip ?? scrip
            }
            return (scrip, "success", "thirty tokens, none of them used")
        }
        guard let last else { return }
        await step(name, "gateway", "authorize", expect: Situation.tooManyUnusedTokens.rawValue) {
            let response = try await hoarder.authorize(appID: stage.casual.id, scrip: last, purpose: .verification)
            return ((), "success", "token \(response.token.prefix(9))…")
        }
    }

    private func appAttest() async {
        let phone = stage.phones[0].phone
        await story.begin(
            "A phone with App Attest",
            "Its chip makes a key, Apple vouches for it once, and it signs each request. Here a model stands in "
                + "Apple's place, and only this demo trusts it."
        )
        let engine = stage.engine(stage.shop, on: phone, attestedBy: stage.apple)
        await prefetch(engine, from: phone.name)
        let login = await step(phone.name, "gateway", "authorize", expect: "success") {
            let login = try await engine.logIn(with: ScriptedPerson())
            return (login, "success", "token \(login.token.prefix(9))…, assurance \(login.assurance.rawValue)")
        }
        if let login { await redeem(login.token, with: stage.shop, expect: "103000") }
        if let stranger = try? ModelAuthority(at: SystemWallClock().now) {
            let engine = stage.engine(stage.shop, on: phone, attestedBy: stranger)
            await prefetch(engine, from: "another root", expect: .assuranceTooLow)
        }
    }

    private func copiedKey() async {
        let attached = stage.phones[1]
        await story.begin(
            "A script that copied an app's id and key",
            "It runs behind \(attached.phone.name)'s address and says all the right words, but no platform vouches for "
                + "it."
        )
        let script = DeviceScript(server: stage.deviceURL, transport: attached.phone.transport)
        await step("script", "gateway", "prefetch, shop", expect: Situation.assuranceTooLow.rawValue) {
            let response = try await script.prefetch(
                appID: stage.shop.id, appKey: stage.shop.key, bundleID: stage.shop.bundleID)
            return ((), "success", response.maskedNumber)
        }
        let scrip = await step("script", "gateway", "prefetch, casual", expect: "success") {
            let response = try await script.prefetch(
                appID: stage.casual.id, appKey: stage.casual.key, bundleID: stage.casual.bundleID)
            return (response, "success", "\(response.maskedNumber), assurance \(response.assurance.rawValue)")
        }
        guard let scrip else { return }
        let token = await step("script", "gateway", "authorize, casual", expect: "success") {
            let response = try await script.authorize(
                appID: stage.casual.id, scrip: scrip.scrip, purpose: .login,
                consent: try script.consent(to: scrip, appID: stage.casual.id))
            return (
                response.token, "success",
                "token \(response.token.prefix(9))…, assurance \(response.assurance.rawValue)"
            )
        }
        if let token { await redeem(token, with: stage.casual, expect: "103000") }
        await story.remark(
            "so an app that is content with `net` lets a copied key in: ask for net+app, and have an attester")
    }

    private func ending(_ sessions: [VirtualPacketCore.Session]) async {
        await story.begin("A phone goes away", "Its address belongs to nobody any more.")
        guard let session = sessions.first, let attached = stage.phones.first else { return }
        await step("\(attached.phone.name)'s core", "gateway", "Accounting-Stop", expect: "answered") {
            _ = try await attached.core.detach(session)
            return ((), "answered", "\(session.address)")
        }
        await prefetch(stage.engine(stage.shop, on: attached.phone), from: attached.phone.name, expect: .addressUnknown)
    }
}

extension Carrier {
    var english: String { CarrierPolicy.standard.carriers[self]?.name.english ?? rawValue }
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
