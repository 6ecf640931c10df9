import BenjiPage
import GRDB
import HTTPTypes
import ServerTestKit
import ShortMessages
import Sightings
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import OpenIDProvider
@testable import Requests
@testable import ServerHTTP
@testable import StoreSQLite

/// The steps of a login by their values, without HTTP.
@Suite("Each step of a login in a browser, and what is kept of it")
struct OpenIDStepTests {
    /// A browser that keeps its cookies.
    private struct Browser {
        let world: OpenIDWorld
        let provider: OpenIDProvider
        var cookies: [String: String] = [:]
        var address = OpenIDSMSWorld.home
        /// `nil` behind a gateway that does not tell where a browser calls from.
        var source = InternetAddress(OpenIDSMSWorld.home)

        private func call() async throws -> OpenIDProvider.BrowserCall {
            let address = try #require(InternetAddress(address))
            return OpenIDProvider.BrowserCall(
                cookies: cookies, languages: ["en"],
                sighting: await world.sighting(from: address, port: 1, claimedLocalAddress: nil), source: source)
        }

        mutating func open(_ parameters: [String: String]) async throws -> OpenIDPage {
            let step = try await provider.authorize(OpenIDParameters(values: parameters), try await call())
            let page = try #require(step.page)
            if let cookie = page.cookie { cookies[cookie.name] = cookie.secret }
            return page
        }

        func answer(
            _ page: OpenIDPage, _ action: String, digits: String = "", number: String = "", transaction: String? = nil,
            remembers: Bool = false
        ) async throws -> OpenIDStep {
            try await provider.answer(
                .init(
                    secret: page.secret, action: action, isAgreed: true, digits: digits, number: number,
                    transaction: transaction ?? "", isRemembered: remembers), try await call())
        }
    }

    private func notice(_ step: () async throws -> Any) async -> OpenIDNotice? {
        do { _ = try await step() } catch { if case .notice(let notice)? = error as? OpenIDStop { return notice } }
        return nil
    }

    private func kept(_ world: OpenIDWorld, _ secret: String) async throws -> OpenIDCredential {
        try #require(try await world.store.openIDCredential(CredentialHash(of: secret, .openID)).credential)
    }

    private func shown(_ credential: OpenIDCredential) throws -> ShownPage {
        try credential.read { json throws(JSONError) in try ShownPage(json) }
    }

    @Test("each answer to a page for a code is drawn with what was typed, where the code went, and how long to wait")
    func forms() async throws {
        let sender = RecordingSender {
            $0 == 1 ? .notTaken(reason: .unavailable) : .accepted(by: "recording", reference: "r-\($0)")
        }
        try await OpenIDSMSWorld.visit(sender, settings: .with { $0.digits = 4 }) { here in
            var browser = Browser(world: here.world, provider: here.provider)
            let page = try await browser.open(OpenIDLogin.request(here.world, ["way": "sms"]))
            #expect(page.stage == .sms(SMSForm()))
            func form(
                _ action: String, _ digits: String = "", number: String = "138 0000 0001", of id: String? = nil
            ) async throws -> SMSForm? {
                let step = try await browser.answer(page, action, digits: digits, number: number, transaction: id)
                guard case .sms(let form)? = step.page?.stage else { return nil }
                return form
            }
            var expected = SMSForm()
            expected.number = "138 0000 0001"
            expected.isAgreed = true
            expected.digits = 4
            expected.maskedNumber = "138****0001"
            expected.problem = .messageNotSent
            #expect(try await form("send") == expected)
            // What did not go out is no reason to wait.
            let sent = try await form("send")
            let id = try #require(sent?.transaction)
            expected.problem = nil
            expected.transaction = id
            expected.wait = 60
            #expect(sent == expected && sender.messages.count == 2)
            here.world.clock.advance(by: .seconds(10))
            expected.wait = 50
            #expect(try await form("send", of: id) == expected && sender.messages.count == 2)
            expected.problem = .parameterInvalid
            for typed in ["123", "12345", "12a4"] { #expect(try await form("code", typed, of: id) == expected) }
            expected.problem = .codeWrong
            expected.triesLeft = 4
            #expect(try await form("code", here.wrong, of: id) == expected)
            expected.triesLeft = nil
            expected.problem = .codeExpired
            let unknown = String(repeating: "0", count: 32)
            expected.transaction = unknown
            #expect(try await form("code", here.sender.code, of: unknown) == expected)
            // The number again, with nothing of its code.
            expected.problem = nil
            expected.transaction = nil
            expected.wait = 0
            #expect(try await form("number", of: id) == expected)
            expected.number = "154 0000 0001"
            expected.maskedNumber = "154****0001"
            expected.problem = .numberNotServed
            expected.transaction = id
            #expect(try await form("send", number: expected.number, of: id) == expected)
        }
    }

    @Test("a person who wants another way ends the page for a code, whose code then buys nothing")
    func turnedDown() async throws {
        try await OpenIDSMSWorld.visit { here in
            let sent = try await here.send(try await here.open())
            #expect(try await here.post(sent, "switch").page.landing["error"] == "access_denied")
            #expect(try await here.show(sent).page.landing["code"] == nil)
        }
    }

    @Test("where nobody tells what address a browser calls from, no code is offered and none is sent")
    func withoutSource() async throws {
        try await OpenIDSMSWorld.visit { here in
            let request = OpenIDLogin.request(here.world)
            var browser = Browser(world: here.world, provider: here.provider)
            var blind = browser
            blind.source = nil
            for (way, offers) in [(browser, true), (blind, false)] {
                let told = await notice {
                    var way = way
                    return try await way.open(request)
                }
                #expect(told?.situation == .addressUnknown && told?.offersSMS == offers)
            }
            let page = try await browser.open(request.merging(["way": "sms"]) { $1 })
            blind.cookies = browser.cookies
            let step = try await blind.answer(page, "send", number: "13800000001")
            #expect(step.target?.contains("error=temporarily_unavailable") == true && here.sender.messages.isEmpty)

            browser.address = OpenIDWorld.phone
            let tap = try await browser.open(request)
            browser.address = OpenIDSMSWorld.home
            blind.cookies = browser.cookies
            for (way, offers) in [(browser, true), (blind, false)] {
                let told = await notice { try await way.answer(tap, "login") }
                #expect(told?.situation == .addressUnknown && told?.offersSMS == offers)
            }
            let told = await notice { try await blind.answer(tap, "sms") }
            #expect(told?.situation == .addressUnknown && told?.offersSMS == false)
            #expect(try await browser.answer(tap, "sms").page?.stage == .sms(SMSForm()))
        }
    }

    @Test(
        "a page that turns to one for a code keeps request and browser, and is nobody's and half an hour long from then"
    )
    func turned() async throws {
        try await OpenIDSMSWorld.visit { here in
            let world = here.world
            let row = try #require(try await world.register.subscription(of: OpenIDWorld.number))
            let subject = world.authority.vault.openID(row, app: world.shop.record.id)
            let pushed = try await world.call(
                .post, .push, headers: world.basic(),
                form: OpenIDLogin.request(world, ["claims": RequestedSubject.claims(for: [subject, "another"])]))
            var browser = Browser(world: world, provider: here.provider)
            browser.address = OpenIDWorld.phone
            let page = try await browser.open([
                "client_id": world.shop.record.id.rawValue,
                "request_uri": try #require(pushed.json["request_uri"]?.stringValue),
            ])
            let before = try await kept(world, page.secret)
            let first = try shown(before)
            #expect(before.subject?.subscription == row.reference && first.subjects?.count == 2 && first.pushed != nil)
            world.clock.advance(by: .seconds(7))
            browser.address = OpenIDSMSWorld.home
            let next = try #require(try await browser.answer(page, "sms").page)
            var expected = before
            let now = world.authority.expiryClock.now
            expected.hash = CredentialHash(of: next.secret, .openID)
            expected.subject = nil
            expected.issuedAt = now
            expected.expiresAt = now + .seconds(1800)
            let after = try await kept(world, next.secret)
            expected.details = after.details
            #expect(after == expected && now == before.issuedAt + .seconds(7))
            let turned = try shown(after)
            var page2 = first
            page2.isBySMS = true
            page2.request.context = .sms
            page2.shownAt = world.clock.now
            page2.contentDigest = turned.contentDigest
            #expect(turned == page2 && turned.contentDigest != first.contentDigest)
        }
    }

    @Test("a code and a remembered consent are kept from the tap on, each for its own time")
    func bought() async throws {
        try await OpenIDWorld.visit(\.remembersConsent) { world in
            var browser = Browser(world: world, provider: world.provider)
            browser.address = OpenIDWorld.phone
            let page = try await browser.open(OpenIDLogin.request(world))
            let before = try await kept(world, page.secret)
            #expect(before.kind == .page && before.expiresAt == before.issuedAt + .seconds(300))
            world.clock.advance(by: .seconds(7))
            let step = try await browser.answer(page, "login", remembers: true)
            guard case .remembering(let cookie, let last) = step else { return #expect(Bool(false), "\(step)") }
            let now = world.authority.expiryClock.now
            let code = try #require(last.target?.firstMatch(of: /code=([A-Za-z0-9]+)/)?.1)
            var expected = before
            expected.hash = CredentialHash(of: String(code), .openID)
            expected.kind = .code
            expected.issuedAt = now
            expected.expiresAt = now + .seconds(60)
            let bought = try await kept(world, String(code))
            expected.details = bought.details
            #expect(bought == expected)
            let remembered = try await kept(world, cookie.secret)
            expected.hash = CredentialHash(of: cookie.secret, .openID)
            expected.kind = .remembered
            expected.expiresAt = now + .seconds(30 * 86400)
            expected.details = remembered.details
            #expect(remembered.family != before.family)
            expected.family = remembered.family
            #expect(remembered == expected)
        }
    }

    @Test("an answer that is refused is traced if it comes from a phone, and is not from anywhere else")
    func refusals() async throws {
        try await OpenIDWorld.visit { world async throws in
            func steps(from address: String) async throws -> [String] {
                var browser = Browser(world: world, provider: world.provider)
                browser.address = OpenIDWorld.phone
                let page = try await browser.open(OpenIDLogin.request(world))
                browser.address = address
                #expect(await notice { try await browser.answer(page, "login") } != nil)
                let trace = try await kept(world, page.secret).trace
                return try await world.store.traceEvents(trace).map(\.step).filter { $0 == "openid.answer" }
            }
            #expect(try await steps(from: OpenIDWorld.otherPhone) == ["openid.answer"])
            #expect(try await steps(from: OpenIDSMSWorld.home) == [])
        }
    }

    // MARK: - What changes meanwhile

    @Test("a page is over once its answer would go to an address that the app has no more")
    func addressTakenBack() async throws {
        try await OpenIDWorld.visit { world in
            let page = try await world.open()
            try await world.changeShop(client: { $0.redirectURIs = ["https://shop.example/other"] })
            let answer = try await world.tap(page)
            #expect(answer.words.contains("页面已失效") && !answer.body.contains("https://shop.example/callback"))
        }
    }

    @Test("an app that now wants more than a browser earns hears so in the place of a code")
    func assuranceRaised() async throws {
        try await OpenIDWorld.visit { world in
            let page = try await world.open()
            try await world.changeShop(app: { $0.leastAssurance = .netApp })
            #expect(try await world.tap(page).landing["error"] == "unauthorized_client")
        }
    }

    @Test("a page with the box is over once the app remembers no consents, and one without it stays as it was")
    func remembering() async throws {
        try await OpenIDWorld.visit(\.remembersConsent) { world in
            let page = try await world.open()
            try await world.changeShop(client: { $0.remembersConsent = false })
            let answer = try await world.tap(page, remembers: true)
            #expect(answer.location == nil && answer.words.contains("页面已失效"))
        }
        try await OpenIDWorld.visit { world in
            let page = try await world.open()
            try await world.changeShop(client: { $0.remembersConsent = true })
            let answer = try await world.tap(page, remembers: true)
            #expect(answer.landing["code"] != nil && answer.headers[.setCookie] == nil)
        }
    }

    @Test("a page for a code is over once the app has other terms, or another look")
    func description() async throws {
        let looks = try PageDescription(parsing: Array(OpenIDWorld.page.utf8)).colored(PageColor(0x2f6b3c))
        for page in [OpenIDWorld.page.replacing("/privacy", with: "/privacy-2"), try looks.json().text] {
            try await OpenIDSMSWorld.visit { here in
                let asked = try await here.open()
                try await here.world.changeShop(client: { $0.page = page })
                let answer = try await here.send(asked).page
                #expect(answer.words.contains("页面已失效") && here.sender.messages.isEmpty)
            }
        }
    }

    @Test("a page whose tick is set at first is shown to nobody, and neither is one for a code that was not approved")
    func notShown() async throws {
        try await OpenIDWorld.visit { world in
            var page = try PageDescription(parsing: Array(OpenIDWorld.page.utf8))
            page.terms.tick.isInitiallySet = true
            let text = try page.json().text
            try await world.changeShop(client: { $0.page = text })
            let answer = try await world.open()
            #expect(answer.secret == nil && answer.landing["error"] == "server_error")
        }
        try await OpenIDSMSWorld.visit { here in
            try await here.world.changeShop(app: { $0.requiresPageReview = true })
            let refused = try await here.open().page
            #expect(refused.secret == nil && refused.landing["error"] == "server_error")
            let page = try PageDescription(parsing: Array(OpenIDWorld.page.utf8))
            let digest = ConsentRecord.digest(ofPage: try page.bytesForDigest())
            try await here.world.changeShop(app: { $0.approvedContent = [digest] })
            #expect(try await here.open().page.secret != nil)
        }
    }

    // MARK: - Signed and pushed requests

    @Test("a signed request counts once by a remembered consent and on a page for a code, too")
    func signedOnce() async throws {
        try await OpenIDWorld.visit(\.remembersConsent) { world in
            func object() throws -> String { try world.requestObject { try world.signed($0) } }
            func ask(_ object: String, _ cookie: String?) async throws -> Exchange {
                let query = ["client_id": world.bank.record.id.rawValue, "request": object]
                var headers: HTTPFields = [:]
                headers[.cookie] = cookie
                return try await world.browse(
                    .get, "/openid/authorize?" + OpenIDWorld.encoded(query), headers: headers)
            }
            let cookie = try await world.tap(try await ask(try object(), nil), remembers: true).cookie
            let request = try object()
            #expect(try await ask(request, cookie).landing["code"] != nil)
            #expect(try await ask(request, cookie).landing["error"] == "invalid_request_object")
        }
        try await OpenIDSMSWorld.visit { here in
            let object = try here.world.requestObject { try here.world.signed($0) }
            func ask() async throws -> Exchange {
                let query = ["client_id": here.world.bank.record.id.rawValue, "request": object, "way": "sms"]
                return try await here.world.browse(
                    .get, "/openid/authorize?" + OpenIDWorld.encoded(query), from: OpenIDSMSWorld.home,
                    provider: here.provider)
            }
            #expect(try await ask().secret != nil)
            #expect(try await ask().landing["error"] == "invalid_request_object")
        }
    }

    @Test("what is wrong with a pushed request is answered as that request says, and only to an address of its own")
    func pushedErrors() async throws {
        try await OpenIDWorld.visit { world in
            func ask(_ changes: [String: String?], _ beside: [String: String]) async throws -> Exchange {
                let pushed = try await world.call(
                    .post, .push, headers: world.basic(), form: OpenIDLogin.request(world, changes))
                let uri = try #require(pushed.json["request_uri"]?.stringValue)
                let query = ["client_id": world.shop.record.id.rawValue, "request_uri": uri].merging(beside) { $1 }
                return try await world.browse(.get, "/openid/authorize?" + OpenIDWorld.encoded(query))
            }
            let beside = ["redirect_uri": OpenIDWorld.callback, "state": "beside", "response_mode": "form_post"]
            let told = try await ask(["prompt": "none"], beside)
            #expect(told.landing["error"] == "consent_required" && told.landing["state"] == "af0ifjsldkj")
            let posted = try await ask(["prompt": "none", "response_mode": "form_post"], [:])
            #expect(posted.location == nil && posted.body.contains("value=\"consent_required\""))
            let other = "https://shop.example/other"
            try await world.changeShop(client: { $0.redirectURIs = [OpenIDWorld.callback, other] })
            let pushed = try await world.call(
                .post, .push, headers: world.basic(), form: OpenIDLogin.request(world, ["redirect_uri": other]))
            try await world.changeShop(client: { $0.redirectURIs = [OpenIDWorld.callback] })
            let query = [
                "client_id": world.shop.record.id.rawValue, "redirect_uri": OpenIDWorld.callback,
                "request_uri": try #require(pushed.json["request_uri"]?.stringValue),
            ]
            let lost = try await world.browse(.get, "/openid/authorize?" + OpenIDWorld.encoded(query))
            #expect(lost.status == .badRequest && lost.location == nil)
        }
    }

    @Test("only what was pushed is a pushed request: no page, no code and no token is")
    func namedOtherwise() async throws {
        try await OpenIDWorld.visit { world in
            let page = try #require(try await world.open().secret)
            for secret in [page, try await world.code(), try await world.accessToken()] {
                let answer = try await world.open(["request_uri": "urn:ietf:params:oauth:request_uri:" + secret])
                #expect(answer.landing["error"] == "invalid_request_uri")
            }
        }
    }

    @Test("a page of ours is no frame for an app that allows none")
    func ownFrame() async throws {
        try await OpenIDWorld.visit { world in
            let headers: HTTPFields = [
                .secFetchDest: "iframe", .secFetchSite: "same-origin",
                .referer: OpenIDWorld.pages + "/openid/authorize",
            ]
            let answer = try await world.open(headers: headers)
            #expect(answer.status == .badRequest && answer.secret == nil)
            #expect(answer.body.contains("--frame-ancestor"))
        }
    }

    @Test("a page is answered with its own secret: a code is over there, as what nobody ever had is")
    func otherSecrets() async throws {
        try await OpenIDWorld.visit { world in
            var browser = Browser(world: world, provider: world.provider)
            browser.address = OpenIDWorld.phone
            var page = try await browser.open(OpenIDLogin.request(world))
            for secret in [try await world.code(), String(repeating: "a", count: 43)] {
                page.secret = secret
                let told = await notice { try await browser.answer(page, "login") }
                #expect(told == OpenIDNotice(situation: .scripExpired, language: .english, wayBack: nil))
            }
        }
    }

    // MARK: - A store that does not answer

    @Test(
        "a person is told that the store fails, not that the code is over or the number not served, nor offered a code",
        arguments: ["sms_code", "subscription"])
    func tableGone(table: String) async throws {
        try await OpenIDSMSWorld.visit { here in
            let sent = try await here.send(try await here.open())
            try await here.world.store.pool.write { try $0.execute(sql: "ALTER TABLE \(table) RENAME TO elsewhere") }
            let answer = try await here.show(sent).page
            #expect(answer.status == .serviceUnavailable && answer.secret == nil)
            guard table == "subscription" else { return }
            let asked = try await here.ask(from: OpenIDWorld.phone)
            #expect(asked.status == .serviceUnavailable && !asked.body.contains("way=sms"))
        }
    }

    @Test("while the store does not answer a person is told so, but for what is no page of anybody's")
    func storeDown() async throws {
        try await OpenIDWorld.visit { world in
            var browser = Browser(world: world, provider: world.provider)
            browser.address = OpenIDWorld.phone
            let request = OpenIDLogin.request(world)
            let page = try await browser.open(request)
            var nonsense = page
            nonsense.secret = "nonsense"
            await world.store.close()
            #expect(await notice { try await browser.answer(page, "login") }?.situation == .storeUnavailable)
            #expect(await notice { try await browser.answer(nonsense, "login") }?.situation == .scripExpired)
            let call = OpenIDProvider.BrowserCall(
                cookies: [:], languages: [], sighting: .failure(.unknownAddress), source: nil)
            let stop = await #expect(throws: OpenIDStop.self) {
                try await world.provider.authorize(OpenIDParameters(values: request), call)
            }
            #expect(stop?.situation == .storeUnavailable)
            let media = await #expect(throws: OpenIDFailure.self) {
                try await world.provider.media(digest: Base64URL.encode([UInt8](repeating: 0, count: 32)))
            }
            #expect(media?.error == .temporarilyUnavailable)
            #expect(try await world.provider.media(digest: "nonsense") == nil)
        }
    }
}

extension OpenIDStep {
    fileprivate var page: OpenIDPage? { if case .page(let page) = self { page } else { nil } }
    fileprivate var target: String? { if case .redirect(let target) = self { target } else { nil } }
}
