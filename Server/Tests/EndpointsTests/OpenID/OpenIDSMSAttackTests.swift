import HTTPTypes
import ServerTestKit
import ShortMessages
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import OpenIDProvider
@testable import ServerHTTP

@Suite("Attacks on a login over OpenID Connect by a code")
struct OpenIDSMSAttackTests {
    private typealias World = OpenIDSMSWorld

    @Test("a code that was asked for in one browser is worth nothing in another, whatever else that one has read")
    func anotherBrowser() async throws {
        try await World.visit { here in
            let owner = try await here.send(try await here.open())
            let code = here.sender.code
            let thief = try await here.open(from: World.cafe)
            // With the owner's transaction on a page of the thief's own.
            let tried = try await here.show(thief, code, ["transaction": owner.transaction], from: World.cafe)
            #expect(tried.page.location == nil && tried.page.alert == "验证码不对，还可以试 4 次。")
            // With the owner's page, and a cookie of another page or none.
            var stolen = owner
            for cookie in [thief.cookie, "", owner.cookie.replacing("=", with: "=x")] {
                stolen.cookie = cookie
                let answer = try await here.show(stolen, code, from: World.cafe).page
                #expect(answer.landing["code"] == nil && answer.words.contains("不是在此浏览器中打开的"), "\(cookie)")
            }
            #expect(try await here.show(owner, code).page.landing["code"] != nil, "its own browser logs in")
            var naive = NaiveProvider()
            naive.sendCode("123456", to: "13800000001", browser: "owner")
            #expect(naive.logIn(number: "13800000001", code: "123456", browser: "thief") != nil, "the double must fall")
        }
    }

    @Test("a code of one app is worth nothing at another, in the same browser")
    func anotherApp() async throws {
        try await World.visit { here in
            let bank = [
                "client_id": here.world.bank.record.id.rawValue, "redirect_uri": "https://bank.example/callback",
            ]
            let shop = try await here.send(try await here.open())
            let code = here.sender.code
            let other = try await here.open(bank)
            let tried = try await here.show(other, code, ["transaction": shop.transaction])
            #expect(tried.page.location == nil && tried.page.alert == "验证码已失效，请重新获取。")
            let own = try await here.send(other)
            if code != here.sender.code {
                #expect(try await here.show(own, code).page.location == nil)
            }
            #expect(try await here.show(shop, code).page.landing["code"] != nil)
        }
    }

    @Test("another number's code, and the number that the form names, log nobody in to it")
    func anotherNumber() async throws {
        try await World.visit { here in
            let own = try await here.send(try await here.open(), to: "13900000002")
            let code = here.sender.code
            // The form says another number than the code was sent to.
            var forged = own
            forged.number = "13800000001"
            let done = try await here.show(forged, code)
            let answer = try await here.world.exchange(try #require(done.page.landing["code"]))
            let token = try #require(answer.json["access_token"]?.stringValue)
            #expect(try await here.world.userInfo(token).json["phone_number"] == "+8613900000002")
            let victim = try await here.send(try await here.open(), to: "13800000001")
            if code != here.sender.code {
                #expect(try await here.show(victim, code).page.location == nil, "the code of the number before")
            }
        }
    }

    @Test("a form, a code and an authorization code that are shown again buy nothing")
    func replay() async throws {
        try await World.visit { here in
            let sent = try await here.send(try await here.open())
            let code = try #require(try await here.show(sent).page.landing["code"])
            for _ in 0..<2 { #expect(try await here.show(sent).page.words.contains("页面已失效")) }
            // The used code on a new page of the same browser.
            let fresh = try await here.open()
            #expect(try await here.show(fresh, nil, ["transaction": sent.transaction]).page.location == nil)
            #expect(try await here.world.exchange(code).status == .ok)
            #expect(try await here.world.exchange(code).error == "invalid_grant")
        }
    }

    @Test("of many that show the right code at once, at most one gets an authorization code")
    func race() async throws {
        try await World.visit { here in
            let sent = try await here.send(try await here.open())
            let landed = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<16 { group.addTask { try await here.show(sent).page.landing["code"] != nil } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(landed.count { $0 } <= 1)
        }
    }

    @Test("many guesses at once, over connections of their own, are told five times what they are")
    func guesses() async throws {
        try await World.visit { here in
            let sent = try await here.send(try await here.open())
            let code = here.sender.code
            let alerts = try await withThrowingTaskGroup(of: String?.self) { group in
                for count in 1...40 {
                    let digits = String((Int(code)! + count) % 1_000_000)
                    let guess = String(repeating: "0", count: 6 - digits.count) + digits
                    group.addTask { try await here.show(sent, guess).page.alert }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(alerts.count { $0?.hasPrefix("验证码不对") == true } == 5)
            #expect(try await here.show(sent, code).page.landing["code"] == nil)
        }
    }

    @Test("a form that another site sends has no message sent and shows no code")
    func crossSite() async throws {
        try await World.visit { here in
            let asked = try await here.open()
            let headers: [HTTPFields] = [
                [.secFetchSite: "cross-site"], [.secFetchSite: "same-site"], [.origin: "https://evil.example"],
            ]
            for header in headers {
                let page = try await here.post(asked, "send", ["number": "13800000001"], headers: header).page
                #expect(page.words.contains("不是在此浏览器中打开的"))
            }
            // As a site sends it whose browser has no cookie of ours for it.
            var bare = asked
            bare.cookie = ""
            #expect(try await here.send(bare).page.words.contains("不是在此浏览器中打开的"))
            #expect(here.sender.messages.isEmpty)
            let sent = try await here.send(asked)
            for header in headers {
                #expect(try await here.show(sent, headers: header).page.location == nil)
            }
            #expect(try await here.show(sent).page.landing["code"] != nil)
        }
    }

    @Test(
        "what is typed or sent in a field is never markup on the page, nor in a header",
        arguments: [
            "\"><script>alert(1)</script>", "' onfocus='alert(1)", "</style><img src=x onerror=alert(1)>",
            "\"\u{301} autofocus onfocus=x",
            "javascript:alert(1)", "{{secret}}", "\r\nSet-Cookie: a=b",
        ])
    func markup(_ text: String) async throws {
        try await World.visit { here in
            let asked = try await here.open()
            let sent = try await here.send(asked)
            var pages = [
                try await here.send(asked, to: text).page, try await here.post(asked, "number", ["number": text]).page,
                try await here.show(sent, text).page, try await here.show(sent, nil, ["transaction": text]).page,
                try await here.show(sent, here.wrong, ["number": text]).page,
                try await here.ask(["state": text, "login_hint": text]), try await here.ask(["way": text]),
            ]
            pages.append(
                try await here.world.browse(
                    .post, "/openid/authorize", body: OpenIDWorld.encoded(OpenIDLogin.request(here.world, ["x": text])),
                    from: World.home, provider: here.provider))
            for page in pages {
                #expect(!page.body.contains("<script") && !page.body.contains("<img src=x"), "\(page.body)")
                for tag in page.body.matches(of: /<[^>]*>/) {
                    let names = tag.0.replacing(/"[^"]*"/, with: "")
                    #expect(names.firstMatch(of: /\ on[a-z]+/) == nil && !names.contains("'"), "\(tag.0)")
                }
                #expect(page.headers[values: .setCookie].allSatisfy { !$0.hasPrefix("a=b") })
                #expect(page.headers[.contentSecurityPolicy]?.contains("script-src") != true)
            }
            #expect(here.sender.messages.count <= 2)
        }
    }
}
