import BenjiPage
import Catalogue
import HTTPTypes
import ServerTestKit
import ShortMessages
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider

@Suite("Login over OpenID Connect by a code that is sent by SMS")
struct OpenIDSMSTests {
    private typealias World = OpenIDSMSWorld

    @Test("a browser on Wi-Fi logs in by a code; the app is told sms by ID token, ledger, consent and trace")
    func walk() async throws {
        try await World.visit { here in
            let world = here.world
            let notice = try await here.ask()
            #expect(notice.status == .forbidden && notice.secret == nil && notice.headers[.setCookie] == nil)
            #expect(notice.words.contains("用短信验证码登录") && notice.body.contains("&amp;way=sms\""))
            #expect(here.sender.messages.isEmpty)
            let asked = try await here.open()
            #expect(asked.page.status == .ok && asked.page.words.contains("手机号码") && asked.page.words.contains("Shop"))
            #expect(asked.page.body.contains("autocomplete=\"tel\"") && !asked.page.body.contains("checked"))
            #expect(asked.page.body.contains("href=\"https://shop.example/agreement\" target=\"_blank\""))
            #expect(!asked.page.words.contains("中国移动认证服务条款"), "the carrier tells nothing")
            let sent = try await here.send(asked, to: "138 0000-0001")
            let message = try #require(here.sender.messages.first)
            #expect(message.to == World.number && message.text.contains("Shop"))
            #expect(
                sent.page.words.contains("138****0001") && sent.page.body.contains("autocomplete=\"one-time-code\""))
            let wrong = try await here.show(sent, here.wrong)
            #expect(wrong.page.alert == "验证码不对，还可以试 4 次。" && wrong.transaction == sent.transaction)
            // Pasted as messages group digits.
            let code = here.sender.code
            let done = try await here.show(wrong, "\(code.prefix(3)) \(code.suffix(3))")
            #expect(done.page.status == .seeOther && done.page.landing["state"] == "af0ifjsldkj")
            let answer = try await world.exchange(try #require(done.page.landing["code"]))
            let claims = answer.claims("id_token")
            #expect(claims["acr"] == "urn:benji:sms" && claims["amr"] == .array(["sms"]))
            let oneTap = try await world.exchange(try await world.code()).claims("id_token")
            #expect(claims["sub"] == oneTap["sub"] && oneTap["acr"] == "urn:benji:net", "the same person")
            let token = try #require(answer.json["access_token"]?.stringValue)
            let introspected = try await world.call(.post, .introspect, headers: world.basic(), form: ["token": token])
            #expect(introspected.json["acr"] == "urn:benji:sms")
            #expect(try await world.userInfo(token).json["phone_number"] == "+8613800000001")

            let line = try #require(try await world.store.ledgerEntries(app: world.shop.record.id, limit: 9).first)
            #expect(line.assurance == .sms && line.interface == "openid.userinfo")
            let consents = try await world.store.consents(of: line.trace)
            #expect(consents.map(\.assurance) == [.sms])
            let record = try #require(consents.first?.record.split(separator: ".")[1])
            let kept = try #require(Base64URL.decode(record).flatMap { String(validating: $0, as: UTF8.self) })
            #expect(kept.contains("获取验证码") && kept.contains("{number}") && !kept.contains("13800000001"))
            let steps = try await world.store.traceEvents(line.trace)
            #expect(
                steps.map(\.step) == [
                    "sms.send", "sms.compare", "sms.compare", "consent", "openid.code", "openid.token",
                    "openid.userinfo",
                ])
            // One login, one code; the page is over with it.
            #expect(try await here.show(wrong).page.words.contains("页面已失效"))
        }
    }

    @Test("a phone that the network knows is shown one tap, whatever it asks for")
    func oneTapComesFirst() async throws {
        try await World.visit { here in
            let page = try await here.ask(["way": "sms"], from: OpenIDWorld.phone)
            #expect(page.words.contains("138****0001") && page.body.contains("data-role=\"login\""))
            #expect(here.sender.messages.isEmpty)
        }
    }

    @Test("a code is offered to no app and for no request that wants more, nor where nobody sends messages")
    func offers() async throws {
        func isOffered(_ here: World, _ changes: [String: String?] = [:]) async throws -> Bool {
            let notice = try await here.ask(changes)
            let page = try await here.ask(changes.merging(["way": "sms"]) { $1 })
            let isOffered = notice.body.contains("way=sms")
            #expect(isOffered == (page.secret != nil), "\(changes)")
            return isOffered
        }
        try await World.visit { here in
            #expect(try await isOffered(here))
            #expect(try await isOffered(here, ["acr_values": "urn:benji:net urn:benji:sms"]))
            #expect(try await isOffered(here, ["acr_values": "urn:other"]), "what we do not know asks for nothing")
            for acr in ["urn:benji:net", "urn:benji:net:digits", "urn:benji:net:digits urn:benji:net"] {
                #expect(try await !isOffered(here, ["acr_values": acr]), "\(acr)")
            }
            let silent = try await here.ask(["prompt": "none", "way": "sms"])
            #expect(silent.landing["error"] == "login_required")
            try await here.setWorkflow(.oneTap, .net)
            #expect(try await !isOffered(here))
            try await here.setWorkflow(.oneTap, .sms)
            #expect(try await !isOffered(here), "accepting weak tokens is not asking for them")
            try await here.setWorkflow(.oneTapThenSMS, .netApp)
            #expect(try await here.ask().landing["error"] == "unauthorized_client", "no browser earns that")
        }
        try await World.visit(RecordingSender(), \.asksMiddleDigits) { here in
            let asksForDigits = try await isOffered(here)
            #expect(!asksForDigits)
        }
        try await World.visit { here in
            // The world's own provider has no sender.
            let withoutSender = [
                try await here.world.open(from: World.home),
                try await here.world.open(["way": "sms"], from: World.home),
            ]
            #expect(withoutSender.allSatisfy { !$0.words.contains("用短信验证码登录") && $0.secret == nil })
            here.world.place(.failure(.unconfirmedAddress), at: World.home)
            #expect(try await here.ask().body.contains("way=sms"), "the network is in doubt")
        }
    }

    @Test("an app that the operator set back to one tap gets nothing for a page, a code or a token of before")
    func takenBack() async throws {
        try await World.visit { here in
            let world = here.world
            let asked = try await here.open()
            let sent = try await here.send(try await here.open())
            let code = try await here.code()
            let token = try #require(
                try await world.exchange(try await here.code()).json["access_token"]?.stringValue)
            let messages = here.sender.messages.count
            try await here.setWorkflow(.oneTap, .net)
            for page in [try await here.send(asked), try await here.show(sent)] {
                #expect(page.page.landing["error"] == "unauthorized_client")
            }
            #expect(here.sender.messages.count == messages)
            #expect(try await world.exchange(code).error == "unauthorized_client")
            let answer = try await world.userInfo(token)
            #expect(answer.status == .unauthorized && answer.json["phone_number"] == nil)
        }
    }

    @Test("without the tick no message goes out, and what is no number is said so; the person types nothing twice")
    func mistakes() async throws {
        try await World.visit { here in
            let asked = try await here.open(["ui_locales": "en"])
            let unticked = try await here.send(asked, ["agreed": nil])
            #expect(unticked.page.alert == "Please read the terms and tick first.")
            #expect(unticked.page.body.contains("value=\"13800000001\"") && !unticked.page.body.contains(" checked"))
            for number in ["", "one three eight", "1380000"] {
                let page = try await here.send(unticked, to: number).page
                #expect(page.status == .ok && page.alert != nil && page.body.contains(" checked"), "\(number)")
            }
            #expect(
                try await here.send(asked, to: "+12025550123").page.alert
                    == "No code can be sent to this number. Please check it.")
            #expect(here.sender.messages.isEmpty)
            let sent = try await here.send(asked, to: "+86 138 0000 0001")
            #expect(here.sender.messages.map(\.to) == [World.number])
            for typed in ["", "12345", "1234567", "١٢٣٤٥٦", "abcdef"] {
                #expect(try await here.show(sent, typed).page.alert == "Please type the 6 digits of the message.")
            }
            #expect(try await here.show(sent, here.wrong).page.alert == "This is not the code. 4 tries are left.")
            let other = try await here.post(sent, "number")
            #expect(
                other.page.body.contains("id=\"number\"") && other.page.body.contains("value=\"+86 138 0000 0001\""))
            #expect(other.page.secret == sent.page.secret)
            let left = try await here.post(sent, "switch")
            #expect(left.page.landing["error"] == "access_denied")
        }
    }

    @Test("a page whose number is of a range that no phone has says that it gets no code, and nothing is sent")
    func unassignedRanges() async throws {
        try await World.visit { here in
            let asked = try await here.open(["ui_locales": "en"])
            for number in ["154 0000 0001", "+86 160 0000 0001"] {
                let refused = try await here.send(asked, to: number)
                #expect(refused.page.alert == "No code can be sent to this number. Please check it.", "\(number)")
                #expect(refused.transaction == nil, "\(number)")
            }
            #expect(here.sender.messages.isEmpty)
            _ = try await here.send(asked, to: "153 0000 0001")
            #expect(here.sender.messages.map(\.to.e164) == ["8615300000001"], "the range beside it has phones")
        }
    }

    @Test("tries, life and the limits of a number, an address and a sender are said in words, and hold for browsers")
    func limits() async throws {
        try await World.visit(settings: .with { $0.perMinute = 2 }) { here in
            var sent = try await here.send(try await here.open())
            for left in [4, 3, 2, 1] {
                #expect(try await here.show(sent, here.wrong).page.alert == "验证码不对，还可以试 \(left) 次。")
            }
            #expect(try await here.show(sent, here.wrong).page.alert == "验证码不对，已不能再试。请重新获取。")
            #expect(try await here.show(sent).page.alert == "输错次数过多，该验证码已失效。请重新获取。")
            sent = try await here.send(try await here.open())
            #expect(try await here.send(try await here.open()).page.alert == "这个号码获取验证码的次数过多，请稍后再试。")
            here.world.clock.advance(by: .seconds(301))
            let late = try await here.show(sent)
            #expect(late.page.alert == "验证码已失效，请重新获取。")
            // The page is good for another code.
            let again = try await here.send(late)
            #expect(again.page.alert == nil && again.transaction != sent.transaction)
            #expect(try await here.show(again).page.landing["code"] != nil)
        }
        try await World.visit { here in
            var said: [String?] = []
            for count in 0..<62 {
                here.world.clock.advance(by: .seconds(1))
                said.append(
                    try await here.send(try await here.open(), to: "1360\(100 + count)0001").page.alert)
            }
            #expect(said.count { $0 == nil } == 60 && said.last == "获取验证码过于频繁，请稍后再试。")
            #expect(try await here.send(try await here.open(from: World.cafe), from: World.cafe).page.alert == nil)
        }
        try await World.visit(RecordingSender { _ in .notTaken(reason: .unavailable) }) { here in
            let page = try await here.send(try await here.open())
            #expect(page.page.alert == "短信没有发出，请稍后再试。" && page.transaction == nil)
        }
    }

    @Test("the budget of an address is one for browsers and phones")
    func sharedBudget() async throws {
        try await World.visit(settings: .with { $0.perPhoneAddressAndHour = 1 }) { here in
            let source = try #require(InternetAddress(World.home))
            let login = try #require(here.provider.loginEndpoint.smsLogin)
            _ = try await login.sendCode(
                to: World.number, of: try await here.world.authority.apps.find(here.world.shop.record.id).record,
                TraceID(random: SystemRandomSource()), source: source, key: "a phone's key")
            #expect(try await here.send(try await here.open()).page.alert == "获取验证码过于频繁，请稍后再试。")
        }
    }

    @Test("one address opens sixty number pages at once and then one a second; what is refused is kept nowhere")
    func pages() async throws {
        try await World.visit(limit: 60) { here in
            var refused = 0
            for _ in 0..<70 where try await here.open().page.status == .tooManyRequests { refused += 1 }
            #expect(refused == 10)
            #expect(try await here.open(from: World.cafe).page.secret != nil)
            here.world.clock.advance(by: .seconds(1))
            #expect(try await here.open().page.secret != nil)
            #expect(try await here.open().page.status == .tooManyRequests)
        }
    }

    @Test("a button that is pressed twice sends one message, and another code is sent after a minute")
    func pressedTwice() async throws {
        try await World.visit { here in
            let asked = try await here.open()
            let first = try await here.send(asked)
            let second = try await here.send(asked)
            #expect(first.transaction == second.transaction && here.sender.messages.count == 1)
            #expect(second.page.body.contains(">60<"), "how long to wait")
            // A number that was mistyped is no reason to wait.
            let other = try await here.send(asked, to: "13900000002")
            #expect(here.sender.messages.count == 2 && other.transaction != first.transaction)
            here.world.clock.advance(by: .seconds(60))
            let late = try await here.send(first)
            #expect(here.sender.messages.count == 3 && late.transaction != first.transaction)
            #expect(try await here.show(first).page.alert != nil, "a newer code ends the one before")
            #expect(try await here.show(late).page.landing["code"] != nil)
        }
    }

    @Test("until the right code is shown, the answers are the same whatever the register knows of the number")
    func enumeration() async throws {
        try await World.visit { here in
            func blank(_ browser: OpenIDSMSWorld.Browser, _ number: String) -> String {
                browser.page.body.replacing(browser.page.secret ?? "-", with: "").replacing(
                    browser.transaction ?? "-", with: ""
                ).replacing(number, with: "").replacing("\(number.prefix(3))****\(number.suffix(4))", with: "")
                    .replacing(/nonce="[^"]*"/, with: "")
            }
            var answers: Set<[String]> = []
            var last: OpenIDSMSWorld.Browser?
            for number in ["13800000001", "13700000123"] {
                let sent = try await here.send(try await here.open(), to: number)
                let wrong = try await here.show(sent, here.wrong)
                answers.insert([blank(sent, number), blank(wrong, number)])
                last = sent
            }
            #expect(answers.count == 1)
            let told = try await here.show(try #require(last)).page
            #expect(told.words.contains("这个号码暂不能用验证码登录") && told.location == nil)
            #expect(told.body.contains("error=access_denied"), "and leads back")
        }
    }

    @Test(
        """
        the right code logs nobody in to a number that changed hands since, or that was silent for longer than the \
        quarantine
        """
    )
    func holders() async throws {
        try await World.visit { here in
            let sent = try await here.send(try await here.open())
            _ = try await here.world.register.reassign(World.number, at: here.world.clock.now)
            #expect(try await here.show(sent).page.words.contains("这个号码暂不能用验证码登录"))
            here.world.clock.advance(by: .seconds(91 * 86400))
            let late = try await here.send(try await here.open(), to: "13900000002")
            #expect(try await here.show(late).page.words.contains("这个号码暂不能用验证码登录"))
        }
        try await World.visit { here in
            let code = try await here.code()
            _ = try await here.world.register.reassign(World.number, at: here.world.clock.now)
            #expect(try await here.world.exchange(code).error == "invalid_grant")
        }
    }

    @Test("a login that asks for one account logs nobody else in by a code either")
    func accounts() async throws {
        try await World.visit { here in
            let hint = try #require(
                try await here.world.exchange(try await here.world.code(from: OpenIDWorld.otherPhone)).json["id_token"]?
                    .stringValue)
            let page = try await here.show(try await here.send(try await here.open(["id_token_hint": hint]))).page
            #expect(page.location == nil && page.words.contains("需要另一个账号"))
            #expect(page.body.contains("error=login_required"))
            let own = try await here.send(try await here.open(["id_token_hint": hint]), to: "13900000002")
            #expect(try await here.show(own).page.landing["code"] != nil)
        }
    }

    @Test("a pushed request is not used up by the notice, and once by the page for a number")
    func pushed() async throws {
        try await World.visit { here in
            let world = here.world
            let answer = try await world.call(
                .post, .push, headers: world.basic(), form: OpenIDLogin.request(world))
            let link = [
                "client_id": world.shop.record.id.rawValue,
                "request_uri": try #require(answer.json["request_uri"]?.stringValue),
            ]
            func ask(_ more: [String: String] = [:]) async throws -> Exchange {
                try await world.browse(
                    .get, "/openid/authorize?" + OpenIDWorld.encoded(link.merging(more) { $1 }), from: World.home,
                    provider: here.provider)
            }
            for _ in 0..<2 { #expect(try await ask().body.contains("way=sms")) }
            let page = try await ask(["way": "sms"])
            let done = try await here.show(
                try await here.send(OpenIDSMSWorld.Browser(page: page, cookie: page.cookie ?? "")))
            #expect(done.page.landing["code"] != nil)
            #expect(try await ask(["way": "sms"]).words.contains("页面已失效"))
            // `way` is no part of what an app may push.
            let pushed = try await world.call(
                .post, .push, headers: world.basic(), form: OpenIDLogin.request(world, ["way": "sms"]))
            let uri = try #require(pushed.json["request_uri"]?.stringValue)
            let notice = try await world.browse(
                .get,
                "/openid/authorize?"
                    + OpenIDWorld.encoded(["client_id": world.shop.record.id.rawValue, "request_uri": uri]),
                from: World.home, provider: here.provider)
            #expect(notice.secret == nil)
        }
    }

    @Test("a request that was posted is offered a code by a form, which holds what was posted")
    func posted() async throws {
        try await World.visit { here in
            let form = OpenIDLogin.request(here.world)
            let notice = try await here.world.browse(
                .post, "/openid/authorize", body: OpenIDWorld.encoded(form), from: World.home, provider: here.provider)
            let fields = notice.body.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/)
            let sent = Dictionary(fields.map { (String($0.1), String($0.2)) }) { $1 }
            #expect(sent == form && notice.body.contains("name=\"way\" value=\"sms\""))
            let page = try await here.world.browse(
                .post, "/openid/authorize", body: OpenIDWorld.encoded(sent.merging(["way": "sms"]) { $1 }),
                from: World.home, provider: here.provider)
            #expect(page.body.contains("id=\"number\""))
        }
    }

    @Test("a phone that leaves the network between page and tap is offered a code, in the same browser alone")
    func leftTheNetwork() async throws {
        try await World.visit { here in
            let page = try await here.ask(from: OpenIDWorld.phone)
            let browser = OpenIDSMSWorld.Browser(page: page, cookie: page.cookie ?? "")
            let notice = try await here.post(browser, "login", from: World.home)
            #expect(notice.page.body.contains("name=\"action\" value=\"sms\"") && notice.page.secret == page.secret)
            var thief = notice
            thief.cookie = "benji-0000000000000000=\(String(repeating: "a", count: 43))"
            #expect(try await here.post(thief, "sms").page.body.contains("id=\"number\"") == false)
            let asked = try await here.post(notice, "sms")
            #expect(asked.page.body.contains("id=\"number\"") && asked.page.secret != page.secret)
            #expect(try await here.show(try await here.send(asked)).page.landing["code"] != nil)
            #expect(try await here.post(browser, "login", from: OpenIDWorld.phone).page.words.contains("页面已失效"))
            try await here.setWorkflow(.oneTap, .net)
            let plain = try await here.ask(from: OpenIDWorld.phone)
            let other = OpenIDSMSWorld.Browser(page: plain, cookie: plain.cookie ?? "")
            #expect(try await !here.post(other, "login", from: World.home).page.body.contains("value=\"sms\""))
            #expect(try await here.post(other, "sms", from: World.home).page.body.contains("id=\"number\"") == false)
        }
    }

    @Test("every page for a code has its words in three languages, one heading, labels for its fields and no script")
    func words() async throws {
        try await World.visit { here in
            for (language, title) in [("zh-CN", "短信验证码登录"), ("zh-TW", "簡訊驗證碼登入"), ("en", "Log in with a code by SMS")] {
                let asked = try await here.open(["ui_locales": language])
                let sent = try await here.send(asked)
                let wrong = try await here.show(sent, here.wrong)
                #expect(asked.page.words.contains(title))
                for page in [asked.page, sent.page, wrong.page] {
                    #expect(page.body.matches(of: /<h1>/).count == 1 && !page.body.contains("<script"))
                    #expect(page.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
                    let fields = page.body.matches(of: /<input[^>]* id="([^"]*)"/).map { String($0.1) }
                    #expect(fields.count == 1 && fields.allSatisfy { page.body.contains("<label for=\"\($0)\">") })
                    #expect(page.body.contains(" autofocus"))
                }
                here.world.clock.advance(by: .seconds(61))
            }
            for situation in Situation.all {
                for language in Language.allCases {
                    let words = SMSProblem.words(of: situation, SMSForm())[language]
                    #expect(!words.isEmpty && !words.contains("Optional"))
                }
            }
        }
    }
}
