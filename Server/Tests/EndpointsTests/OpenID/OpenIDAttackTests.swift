import Crypto
import Foundation
import HTTPTypes
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import OpenIDProvider
@testable import Requests
@testable import ServerHTTP

/// The attacks of the OAuth security best current practice (RFC 9700) on browser and code.
@Suite("Attacks on a login over OpenID Connect")
struct OpenIDAttackTests {
    // MARK: - Redirects (RFC 9700 §4.1, §4.11)

    private static let variants = [
        "https://shop.example/callback/", "https://shop.example/Callback", "https://shop.example/callback?x=1",
        "https://shop.example/callback#x", "https://shop.example/callback/../evil", "http://shop.example/callback",
        "https://shop.example:443/callback", "https://www.shop.example/callback",
        "https://shop.example.evil.example/callback",
        "https://shop.example@evil.example/callback", "https://shop.example%2Fcallback",
        "https://shop.example/callback%20",
        "https://shop.example/callback/%2e%2e/evil", "https://SHOP.example/callback", "//shop.example/callback",
        "/callback", "javascript:alert(1)", "data:text/html,x",
        "https://evil.example/?https://shop.example/callback",
        "https://shop.example\\@evil.example/callback", "https://shop.example/callback\u{301}", "*",
    ]

    @Test("a redirect URI that differs in anything is refused on a page, and nobody is sent to it", arguments: variants)
    func redirectVariants(_ uri: String) async throws {
        try await OpenIDWorld.visit { world in
            for changes in [
                ["redirect_uri": uri], ["redirect_uri": uri, "prompt": "none"], ["redirect_uri": uri, "scope": "x"],
            ] {
                let answer = try await world.open(changes)
                #expect(answer.status == .badRequest && answer.location == nil)
                #expect(answer.body.contains("redirect_uri"), "the page names the mistake")
                #expect(!answer.body.contains("evil.example"), "and does not repeat it")
            }
        }
    }

    @Test("a provider that compares beginnings or hosts sends people to most of these redirect URIs")
    func redirectVariantsElsewhere() {
        #expect(Self.variants.count { NaiveProvider().sends(to: $0) } > Self.variants.count * 3 / 4)
        #expect(NaiveProvider().sends(to: "https://shop.example@evil.example/callback"))
    }

    @Test("without a redirect URI, with two, or with another app's, nobody is sent anywhere")
    func redirectMissing() async throws {
        try await OpenIDWorld.visit { world in
            #expect(try await world.open(["redirect_uri": nil]).location == nil)
            #expect(try await world.open(["redirect_uri": "https://bank.example/callback"]).location == nil)
            let form = OpenIDWorld.encoded(OpenIDLogin.request(world))
            for twice in ["&redirect_uri=https%3A%2F%2Fevil.example", "&client_id=1", "&state=2"] {
                let answer = try await world.browse(.get, "/openid/authorize?\(form)\(twice)")
                #expect(answer.status == .badRequest && answer.location == nil)
            }
        }
    }

    @Test("an app that does not exist, may not be answered or is no client gets a page, never a redirect")
    func unknownClients() async throws {
        try await OpenIDWorld.visit { world in
            let other = try await world.authority.apps.register(.init(name: "Other"))
            for id in ["300099999999", "nonsense", "", other.record.id.rawValue] {
                let answer = try await world.open(["client_id": id])
                #expect(answer.status == .badRequest && answer.location == nil)
            }
            var record = try await world.authority.apps.find(world.shop.record.id).record
            record.suspended = true
            try await world.store.updateApp(record)
            #expect(try await world.open().location == nil)
        }
    }

    @Test(
        "a redirect URI that could be anything is not registered",
        arguments: [
            "http://shop.example/", "https://*.shop.example/", "https://shop.example/#x", "https://u:p@shop.example/",
            "/callback", "", "shop:/callback", "javascript:alert(1)", "https:///callback", "https://shop.example/ x",
            "HTTPS://shop.example/",
        ])
    func registration(_ uri: String) { #expect(OpenIDClients.problem(ofRedirectURI: uri) != nil) }

    @Test(
        "ordinary redirect URIs are registered",
        arguments: [
            "https://shop.example/callback", "https://shop.example:8443/a/b?c=d", "http://127.0.0.1:5000/callback",
            "http://[::1]:5000/callback", "http://localhost/callback", "com.example.shop:/callback",
        ])
    func ordinaryRegistration(_ uri: String) { #expect(OpenIDClients.problem(ofRedirectURI: uri) == nil) }

    // MARK: - Codes (RFC 9700 §2.1, §4.5)

    @Test("a code that is shown twice is refused, and what it had bought is revoked")
    func codeReuse() async throws {
        try await OpenIDWorld.visit { world in
            let code = try await world.code()
            let access = try #require(try await world.exchange(code).json["access_token"]?.stringValue)
            let again = try await world.exchange(code)
            #expect(again.status == .badRequest && again.error == "invalid_grant")
            let person = try await world.userInfo(access)
            #expect(person.status == .unauthorized && person.json["phone_number"] == nil)
            #expect(try await world.store.ledgerEntries(app: world.shop.record.id, limit: 9).isEmpty)
        }
        var naive = NaiveProvider()
        let code = naive.code(client: "shop", challenge: OpenIDLogin.challenge)
        let tokens = (1...2).compactMap { _ in
            naive.exchange(code, client: "shop", verifier: OpenIDLogin.verifier)
        }
        #expect(tokens.count == 2 && tokens.allSatisfy { naive.userInfo(header: $0) != nil })
    }

    @Test("of many that show one code at once, at most one gets tokens")
    func codeRace() async throws {
        try await OpenIDWorld.visit { world in
            let code = try await world.code()
            let answers = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<16 { group.addTask { try await world.exchange(code).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0 == .ok } <= 1)
        }
    }

    @Test("a code of another client is refused and stays good for its own")
    func codeOfAnother() async throws {
        try await OpenIDWorld.visit { world in
            let code = try await world.code()
            let stolen = try await world.call(
                .post, .token,
                form: [
                    "grant_type": "authorization_code", "code": code, "redirect_uri": OpenIDWorld.callback,
                    "code_verifier": OpenIDLogin.verifier,
                    "client_assertion_type": ProviderContext.assertionType,
                    "client_assertion": try world.assertion(),
                ])
            #expect(stolen.error == "invalid_grant")
            #expect(try await world.exchange(code).status == .ok)
        }
        var naive = NaiveProvider()
        let code = naive.code(client: "shop", challenge: OpenIDLogin.challenge)
        let token = naive.exchange(code, client: "bank", verifier: OpenIDLogin.verifier)
        #expect(token != nil)
    }

    @Test("a code lives a minute")
    func codeLife() async throws {
        try await OpenIDWorld.visit { world in
            let (late, early) = (try await world.code(), try await world.code())
            world.clock.advance(by: .milliseconds(59_999))
            #expect(try await world.exchange(early).status == .ok)
            world.clock.advance(by: .milliseconds(1))
            #expect(try await world.exchange(late).error == "invalid_grant")
        }
    }

    @Test("a code is bound to the redirect URI that it was sent to")
    func codeRedirect() async throws {
        try await OpenIDWorld.visit { world in
            let code = try await world.code()
            for uri in [nil, "https://shop.example/other"] as [String?] {
                #expect(try await world.exchange(code, ["redirect_uri": uri]).error == "invalid_grant")
            }
            #expect(try await world.exchange(code).status == .ok)
        }
    }

    @Test("a code of a replaced SIM, a new owner or a revoked address buys nothing", arguments: ["sim", "address"])
    func codeOfAnotherSIM(_ change: String) async throws {
        try await OpenIDWorld.visit { world in
            let code = try await world.code()
            let access = try await world.accessToken()
            if change == "sim" {
                try await world.attach(OpenIDWorld.number, at: OpenIDWorld.phone, imsi: "460000000000009", binding: 9)
            } else {
                try await world.register.revoke([BindingID(rawValue: 7)])
            }
            #expect(try await world.exchange(code).error == "invalid_grant")
            #expect(try await world.userInfo(access).status == .unauthorized)
        }
    }

    // MARK: - PKCE (RFC 9700 §2.1.1, §4.8.2)

    @Test("there is no login without PKCE, and none with plain")
    func pkceDowngrade() async throws {
        try await OpenIDWorld.visit { world in
            let wrong: [[String: String?]] = [
                ["code_challenge": nil], ["code_challenge_method": nil], ["code_challenge_method": "plain"],
                ["code_challenge": nil, "code_challenge_method": nil], ["code_challenge": "short"],
                ["code_challenge": String(repeating: "!", count: 43)],
            ]
            for changes in wrong {
                let answer = try await world.open(changes)
                #expect(answer.landing["error"] == "invalid_request" && answer.landing["iss"] == OpenIDWorld.issuer)
            }
        }
        // An attacker who takes the challenge out of the request can show the code without a verifier, or with any.
        var naive = NaiveProvider()
        let code = naive.code(client: "shop", challenge: nil)
        let token = naive.exchange(code, client: "shop", verifier: nil)
        #expect(token != nil)
    }

    @Test("a code without its verifier, or with another, buys nothing, and the right one still does")
    func pkceVerifier() async throws {
        try await OpenIDWorld.visit { world in
            let code = try await world.code()
            for verifier in [nil, "", OpenIDLogin.challenge, String(OpenIDLogin.verifier.dropLast()), "short"]
                as [String?]
            {
                #expect(try await world.exchange(code, ["code_verifier": verifier]).status == .badRequest)
            }
            #expect(try await world.exchange(code).status == .ok)
        }
        var naive = NaiveProvider()
        let code = naive.code(client: "shop", challenge: OpenIDLogin.challenge)
        let token = naive.exchange(code, client: "shop", verifier: nil)
        #expect(token != nil)
    }

    // MARK: - Mix-up (RFC 9700 §4.4, RFC 9207)

    @Test("every answer names its issuer, so that a client that looks is not mixed up; one that does not falls for it")
    func mixUp() async throws {
        try await OpenIDWorld.visit { world in
            let page = try await world.open()
            let answers = [
                try await world.tap(page).landing, try await world.open(["scope": "x"]).landing,
                try await world.open(["prompt": "none"]).landing,
                try await world.tap(try await world.open(), action: "switch").landing,
            ]
            /// A client that began its login at `expected`; the naive one never looks.
            func accepts(_ answer: [String: String], from expected: String, looks: Bool) -> Bool {
                !looks || answer["iss"] == expected
            }
            for answer in answers {
                #expect(accepts(answer, from: OpenIDWorld.issuer, looks: true))
                #expect(!accepts(answer, from: "https://attacker.example", looks: true))
                #expect(accepts(answer, from: "https://attacker.example", looks: false))
            }
        }
    }

    // MARK: - The browser (RFC 9700 §4.7, §4.16)

    @Test("a form that another site sends has no cookie of ours, and buys nothing")
    func crossSiteForm() async throws {
        try await OpenIDWorld.visit { world in
            let page = try await world.open()
            let secret = try #require(page.secret)
            let form = OpenIDWorld.encoded(["page": secret, "action": "login", "agreed": "yes"])
            let none = try await world.browse(.post, "/openid/login", body: form)
            #expect(none.location == nil && none.status == .badRequest)
            for headers: HTTPFields in [
                [.secFetchSite: "cross-site"], [.secFetchSite: "same-site"], [.origin: "https://evil.example"],
            ] {
                let answer = try await world.tap(page, headers: headers)
                #expect(answer.location == nil && answer.status == .badRequest)
            }
            #expect(
                try await world.tap(page, headers: [.secFetchSite: "same-origin", .origin: "null"]).landing["code"]
                    != nil)
        }
        var naive = NaiveProvider()
        let page = naive.page(number: "13800000001")
        #expect(naive.tap(page) != nil, "the form alone is believed")
    }

    @Test("a page that was shown in one browser cannot be answered by another, on the same phone either")
    func anotherBrowser() async throws {
        try await OpenIDWorld.visit { world in
            let page = try await world.open()
            let other = try await world.open()
            #expect(page.cookie != other.cookie)
            #expect(try await world.tap(page, cookie: other.cookie).location == nil)
            let name = try #require(page.cookie?.split(separator: "=").first)
            #expect(try await world.tap(page, cookie: "\(name)=x").location == nil)
            let stolen = try #require(other.cookie?.split(separator: "=").last)
            #expect(try await world.tap(page, cookie: "\(name)=\(stolen)").location == nil)
        }
    }

    @Test("the cookie stays with this host, unseen by scripts and other sites, and each page has its own")
    func cookie() async throws {
        try await OpenIDWorld.visit { world in
            let cookie = try #require(try await world.open().headers[.setCookie])
            #expect(cookie.contains(/^__Host-benji-[0-9a-f]{16}=[A-Za-z0-9_-]{43};/))
            for attribute in ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"] {
                #expect(cookie.contains("; \(attribute)"))
            }
            #expect(!cookie.contains("Domain"))
            let name = try #require(cookie.split(separator: "=").first)
            let next = try #require(try await world.open(headers: [.cookie: "a=b; \(name)=x"]).headers[.setCookie])
            #expect(!next.hasPrefix(name))
        }
    }

    @Test("a page is answered once, and within five minutes")
    func pageLife() async throws {
        try await OpenIDWorld.visit { world in
            let page = try await world.open()
            #expect(try await world.tap(page).landing["code"] != nil)
            #expect(try await world.tap(page).location == nil)
            let old = try await world.open()
            world.clock.advance(by: .seconds(300))
            #expect(try await world.tap(old).location == nil)
        }
    }

    @Test("a page that is over leads back to the app with a no, in the browser that it was shown in and in no other")
    func wayBackFromOldPage() async throws {
        try await OpenIDWorld.visit { world in
            let used = try await world.open()
            let old = try await world.open()
            _ = try await world.tap(used)
            for (page, other) in [(used, old), (old, used)] {
                let notice = try await world.tap(page)
                #expect(notice.status == .forbidden && notice.body.contains("error=access_denied"))
                #expect(notice.body.contains(">返回应用</a>"))
                let elsewhere = try await world.tap(page, cookie: other.cookie)
                #expect(elsewhere.status == .forbidden && !elsewhere.body.contains("access_denied"))
                world.clock.advance(by: .seconds(300))
            }
        }
    }

    @Test("a page whose phone has left the network, or whose address is somebody else's now, gives nothing")
    func addressChanges() async throws {
        try await OpenIDWorld.visit { world in
            let page = try await world.open()
            for address in ["198.51.100.9", OpenIDWorld.otherPhone] {
                let answer = try await world.tap(page, from: address)
                #expect(answer.status == .forbidden && answer.location == nil)
            }
            world.place(.failure(.staleAddress), at: OpenIDWorld.phone)
            #expect(try await world.tap(page).location == nil)
            let lines = try await world.store.ledgerEntries(app: world.shop.record.id, limit: 9)
            #expect(lines.isEmpty)
        }
        var naive = NaiveProvider()
        let page = naive.page(number: "13800000001")
        #expect(naive.tap(page) == "13800000001", "tapped at another phone")
    }

    @Test("no page can be framed, kept, or made to load or run anything, and no browser comes back without TLS")
    func pageHeaders() async throws {
        try await OpenIDWorld.visit(\.asksMiddleDigits) { world in
            let page = try await world.open()
            let pages = [
                page, try await world.tap(page), try await world.open(from: "198.51.100.9"),
                try await world.open(["redirect_uri": "x"]),
            ]
            for page in pages {
                let policy = try #require(page.headers[.contentSecurityPolicy])
                #expect(policy.hasPrefix("default-src 'none'; ") && policy.contains("frame-ancestors 'none'"))
                #expect(policy.contains("form-action 'self'") && policy.contains("base-uri 'none'"))
                #expect(!policy.contains("unsafe") && !policy.contains("script-src") && !policy.contains("*"))
                #expect(page.headers[.frameOptions] == "DENY")
                #expect(page.headers[.referrerPolicy] == "no-referrer")
                #expect(page.headers[.cacheControl] == "no-store")
                #expect(page.headers[.xContentTypeOptions] == "nosniff")
                #expect(page.headers[.strictTransportSecurity] == "max-age=31536000")
                #expect(
                    !page.body.contains("<script") && !page.body.contains(" style=\"")
                        && !page.body.contains("src=\"http"))
            }
        }
    }

    @Test("what the request says is written on no page as markup")
    func markup() async throws {
        try await OpenIDWorld.visit { world in
            let attack = "\"><script>alert(1)</script>"
            for changes in [
                ["redirect_uri": attack], ["state": attack], ["client_id": attack], ["scope": attack], [attack: "1"],
            ] {
                for address in [OpenIDWorld.phone, "198.51.100.9"] {
                    let page = try await world.open(changes, from: address)
                    #expect(!page.body.contains("<script"))
                }
            }
        }
    }

    // MARK: - Access tokens (RFC 9700 §4.3, §4.9)

    @Test(
        "an access token buys the number once, and gets the same answer while it lives and the number is the person's")
    func tokenTwice() async throws {
        try await OpenIDWorld.visit { world in
            let access = try await world.accessToken()
            let answers = try await [1, 2, 3].asyncMap { _ in try await world.userInfo(access) }
            #expect(answers.allSatisfy { $0.status == .ok && $0.json == answers[0].json })
            #expect(try await world.store.ledgerEntries(app: world.shop.record.id, limit: 9).count == 1, "billed once")
            let other = try await world.accessToken()
            #expect(try await world.userInfo(other).status == .ok)
            _ = try await world.call(.post, .revoke, headers: world.basic(), form: ["token": other])
            #expect(try await world.userInfo(other).status == .unauthorized, "revoked after it was answered")
            let third = try await world.accessToken()
            #expect(try await world.userInfo(third).status == .ok)
            try await world.attach(OpenIDWorld.number, at: OpenIDWorld.phone, imsi: "460000000000009", binding: 9)
            for token in [access, third] {
                let dead = try await world.userInfo(token)
                #expect(dead.status == .unauthorized && dead.json["phone_number"] == nil, "the SIM was replaced")
                #expect(dead.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
            }
            let young = try await world.accessToken()
            #expect(try await world.userInfo(young).status == .ok)
            world.clock.advance(by: .seconds(300))
            #expect(try await world.userInfo(young).status == .unauthorized, "it is over")
        }
        var naive = NaiveProvider()
        let code = naive.code(client: "shop", challenge: nil)
        let token = naive.exchange(code, client: "shop", verifier: nil) ?? ""
        let answers = [naive.userInfo(header: token), naive.userInfo(header: token), naive.userInfo(query: token)]
        #expect(answers.allSatisfy { $0 != nil }, "twice, and from an address, too")
    }

    @Test("whoever sends a form is sent on by 303, so that no browser sends the form on to the app")
    func seeOther() async throws {
        try await OpenIDWorld.visit { world in
            let page = try await world.open()
            let tapped = try await world.tap(page)
            #expect(tapped.status == .seeOther && tapped.landing["code"] != nil)
            let refused = try await world.browse(
                .post, "/openid/authorize", body: OpenIDWorld.encoded(OpenIDLogin.request(world, ["prompt": "none"])))
            #expect(refused.status == .seeOther && refused.landing["error"] == "consent_required")
        }
    }

    @Test("an access token counts in the Authorization header or a form, for five minutes, and a code is none")
    func tokenPlaces() async throws {
        try await OpenIDWorld.visit { world in
            let access = try await world.accessToken()
            #expect(try await world.call(.get, .userInfo, query: "?access_token=\(access)").status == .unauthorized)
            let both = try await world.call(
                .post, .userInfo, headers: [.authorization: "Bearer \(access)"], form: ["access_token": access])
            #expect(both.status == .unauthorized, "in one place")
            #expect(try await world.call(.post, .userInfo, form: ["access_token": access]).status == .ok)
            #expect(try await world.userInfo(try await world.code()).status == .unauthorized)
            world.clock.advance(by: .seconds(300))
            #expect(try await world.userInfo(access).status == .unauthorized)
        }
    }

    @Test("over the app's quota no number is released, and the token stays good for tomorrow's none")
    func quota() async throws {
        try await OpenIDWorld.visit { world in
            var record = try await world.authority.apps.find(world.shop.record.id).record
            record.dailyQuota = 1
            try await world.store.updateApp(record)
            #expect(try await world.userInfo(try await world.accessToken()).status == .ok)
            let over = try await world.userInfo(try await world.accessToken())
            #expect(over.status == .serviceUnavailable && over.headers[.retryAfter] == nil, "not before tomorrow")
        }
    }

    @Test(
        "what a page asks for that the browser looks at uses up nothing: images, scripts, frames",
        arguments: [
            "image", "script", "empty", "iframe", "embed",
        ])
    func subresources(_ place: String) async throws {
        try await OpenIDWorld.visit { world in
            let destination = try #require(HTTPField.Name("Sec-Fetch-Dest"))
            for _ in 0..<3 {
                let answer = try await world.open(headers: [destination: place])
                #expect(answer.status == .badRequest && answer.secret == nil)
            }
            #expect(try await world.open(headers: [destination: "document"]).secret != nil)
        }
    }

    @Test("however often a browser is sent to the page, the app's SDK on the phone may still ask")
    func otherChannel() async throws {
        try await OpenIDWorld.visit { world in
            let row = try #require(try await world.register.subscription(of: OpenIDWorld.number))
            let name = "\(world.shop.record.id.rawValue)/\(row.id)"
            for _ in 0..<world.authority.configuration.prefetchesPerNumber {
                _ = world.provider.authorizationEndpoint.limiter.admits(name, now: world.clock.now)
            }
            #expect(try await world.open().status == .tooManyRequests)
            let phone = try await world.authority.prefetchBudget.take(
                "\(name)/net", key: "key", now: world.clock.now
            ) { false }
            #expect(phone == .full)
        }
    }

    @Test("taps without the tick are counted for their page alone: pages and taps of somebody else's stop none")
    func untickedTaps() async throws {
        try await OpenIDWorld.visit(limit: 10) { world in
            let page = try await world.open()
            let guest = try await world.open()
            for _ in 0..<100 { _ = try await world.open() }
            #expect(try await world.open().status == .tooManyRequests)
            for _ in 0..<10 { #expect(try await world.tap(guest, agreed: false).secret != nil) }
            #expect(try await world.tap(guest, agreed: false).status == .tooManyRequests)
            #expect(try await world.tap(page, agreed: false).secret != nil)
            #expect(try await world.tap(page).landing["code"] != nil)
        }
    }

    @Test("a redirect URI or a right that the operator took away after the page was shown gets no code")
    func changedBeforeTheTap() async throws {
        try await OpenIDWorld.visit { world in
            let page = try await world.open()
            try await world.changeShop(client: { $0.redirectURIs = ["https://shop.example/other"] })
            let gone = try await world.tap(page)
            #expect(gone.status == .forbidden && gone.location == nil)
            #expect(!gone.body.contains(OpenIDWorld.callback))
            try await world.changeShop(client: { $0.redirectURIs = [OpenIDWorld.callback] })
            try await world.changeShop(app: { $0.capabilities = [.verification] })
            #expect(try await world.tap(page).landing["error"] == "unauthorized_client")
        }
    }

    @Test("a right that the operator took away after the code was issued buys nothing")
    func changedBeforeTheExchange() async throws {
        try await OpenIDWorld.visit { world in
            let code = try await world.code()
            try await world.changeShop(app: { $0.capabilities = [.verification] })
            #expect(try await world.exchange(code).error == "unauthorized_client")
        }
    }

    @Test("a fault while the ID token is made costs nobody the login")
    func faultBeforeTheToken() async throws {
        try await OpenIDWorld.visit { world in
            let code = try await world.code()
            // Nothing was ever signed by RS256 here: there is no key.
            try await world.changeShop(client: { $0.idTokenAlgorithm = .rs256 })
            #expect(try await world.exchange(code).json["access_token"] == nil)
            try await world.changeShop(client: { $0.idTokenAlgorithm = .es256 })
            #expect(try await world.exchange(code).json["id_token"] != nil)
        }
    }

    @Test("while the store does not answer nobody is told that the app is wrong, and nothing is released")
    func storeDown() async throws {
        try await OpenIDWorld.visit { world in
            let access = try await world.accessToken()
            let page = try await world.open()
            await world.store.close()
            for answer in [try await world.open(), try await world.tap(page)] {
                #expect(answer.status == .serviceUnavailable && answer.location == nil)
                #expect(answer.words.contains("登录服务暂时不可用"))
            }
            #expect(try await world.userInfo(access).error == "temporarily_unavailable")
        }
    }

    @Test("an app that accepts net+app or more cannot log in by a browser, and hears why")
    func tooWeak() async throws {
        try await OpenIDWorld.visit { world in
            var record = try await world.authority.apps.find(world.shop.record.id).record
            record.leastAssurance = .netApp
            try await world.store.updateApp(record)
            #expect(try await world.open().landing["error"] == "unauthorized_client")
        }
    }
}
