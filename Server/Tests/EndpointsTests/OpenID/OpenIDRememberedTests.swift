import HTTPTypes
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider
@testable import ServerHTTP

/// Logins by a consent that a person had remembered in a browser.
@Suite("Remembered consents of OpenID Connect")
struct OpenIDRememberedTests {
    private typealias World = OpenIDWorld

    /// The cookie of a consent that the person has remembered.
    private func remember(
        _ world: World, _ changes: [String: String?] = [:], from address: String = World.phone
    ) async throws -> String {
        let page = try await world.open(changes, from: address)
        let done = try await world.tap(page, remembers: true, from: address)
        #expect(done.landing["code"] != nil)
        let cookie = try #require(done.cookie)
        #expect(cookie.hasPrefix("__Host-remembered-"))
        return cookie
    }

    /// The app asks without a page.
    private func ask(
        _ world: World, _ cookie: String?, _ changes: [String: String?] = [:], headers: HTTPFields = [:],
        from address: String = World.phone
    ) async throws -> Exchange {
        var headers = headers
        headers[.cookie] = cookie
        var changes = changes
        if changes["prompt"] == nil { changes["prompt"] = "none" }
        return try await world.open(changes, headers: headers, from: address)
    }

    private func error(
        _ world: World, _ cookie: String?, _ changes: [String: String?] = [:], headers: HTTPFields = [:],
        from address: String = World.phone
    ) async throws -> String? {
        let answer = try await ask(world, cookie, changes, headers: headers, from: address)
        #expect(answer.landing["code"] == nil)
        return answer.landing["error"]
    }

    private func subject(_ world: World, of number: PhoneNumber = World.number) async throws -> String {
        let row = try #require(try await world.register.subscription(of: number))
        return world.authority.vault.openID(row, app: world.shop.record.id)
    }

    @Test(
        """
        a remembered consent logs in without a page: the last tap's time, its own acr, the number, billed and recorded \
        once
        """
    )
    func silent() async throws {
        try await World.visit(\.remembersConsent) { world in
            let tapped = world.clock.now.seconds
            let cookie = try await remember(world)
            world.clock.advance(by: .seconds(3600))
            for prompt in ["none", nil] {
                let answer = try await ask(world, cookie, ["prompt": prompt])
                #expect(answer.status == .seeOther && answer.landing["state"] == "af0ifjsldkj")
                #expect(answer.headers[.setCookie] == nil)
                let token = try await world.exchange(try #require(answer.landing["code"]))
                let claims = token.claims("id_token")
                #expect(claims["auth_time"]?.integerValue == tapped)
                #expect(claims["acr"] == "urn:benji:net:remembered" && claims["amr"]?.arrayValue == ["nba"])
                let person = try await subject(world)
                #expect(claims["sub"]?.stringValue == person)
                let access = try #require(token.json["access_token"]?.stringValue)
                #expect(try await world.userInfo(access).json["phone_number"] == "+8613800000001")
            }
            #expect(try await world.store.ledgerEntries(app: world.shop.record.id, limit: 9).count == 2)
            let row = try #require(try await world.register.subscription(of: World.number))
            let kept = try await world.store.subscriberRecords(row.id, epoch: row.epoch)
            let records = try kept.consents.map { try CompactJWS(parsing: $0.record) }
            let types = records.map { $0.header["typ"]?.stringValue ?? "" }
            #expect(types == ["page", "remembered", "remembered"].map { "benji-\($0)-consent+jwt" })
            #expect(records.allSatisfy { $0.isSigned(by: world.authority.vault.receiptKey) })
            #expect(records[0].payload["remembered"] == true)
            for use in records.dropFirst() {
                #expect(use.payload["agreedIn"] == records[0].payload["trace"])
                #expect(use.payload["contentDigest"] == records[0].payload["contentDigest"])
                #expect(use.payload["agreedAt"] == records[0].payload["tappedAt"])
            }
            #expect(kept.credentials.contains { $0.kind == "openid remembered" })
        }
    }

    @Test(
        """
        the box is the page's own, never set at first, part of what is agreed to, and kept over the sheet; without it \
        nothing is
        """
    )
    func box() async throws {
        try await World.visit(\.remembersConsent) { world in
            let page = try await world.open(["ui_locales": "en"])
            #expect(page.words.contains("Remember this app in this browser for 30 days"))
            #expect(page.words.contains("is given my number without asking") && !page.body.contains(" checked"))
            let digest = try CompactJWS(parsing: try await lastRecord(world, page)).payload
            #expect(try ConsentContent(try #require(digest["content"])).texts.last?.text.contains("30 days") == true)
            #expect(digest["remembered"] == false)
            // Nothing was remembered: the next login shows a page again.
            #expect(try await world.open().secret != nil)
            let without = try await world.open(["scope": "openid", "ui_locales": "zh-Hant"])
            #expect(without.words.contains("在此瀏覽器記住該應用程式 30 天") && !without.words.contains("號碼會提供給該應用程式"))

            let first = try await world.open()
            let sheet = try await world.tap(first, agreed: false, remembers: true)
            #expect(sheet.body.contains("type=\"hidden\" name=\"remember\" value=\"yes\""))
            let back = try await world.tap(
                sheet, action: "disagree", agreed: false, remembers: true, cookie: first.cookie)
            #expect(back.body.contains("name=\"remember\" value=\"yes\" checked"))
            let done = try await world.tap(sheet, action: "agree", agreed: false, remembers: true, cookie: first.cookie)
            let set = try #require(done.headers[.setCookie])
            #expect(set.contains("; Max-Age=2592000; Path=/; Secure; HttpOnly; SameSite=Lax"))
            #expect(try await ask(world, done.cookie).landing["code"] != nil)
        }
        try await World.visit { world in
            let page = try await world.open()
            #expect(!page.body.contains("name=\"remember\""))
            // A field that no page had buys nothing.
            let done = try await world.tap(page, remembers: true)
            #expect(done.landing["code"] != nil && done.headers[.setCookie] == nil)
            #expect(try world.storedDetails(kind: "remembered").isEmpty)
        }
    }

    private func lastRecord(_ world: World, _ page: Exchange) async throws -> String {
        _ = try await world.tap(page)
        let row = try #require(try await world.register.subscription(of: World.number))
        return try #require(try await world.store.subscriberRecords(row.id, epoch: row.epoch).consents.last).record
    }

    @Test("what the store keeps of it names no cookie and no number")
    func kept() async throws {
        try await World.visit(\.remembersConsent) { world in
            let cookie = try await remember(world)
            let details = try world.storedDetails(kind: "remembered")
            #expect(details.count == 1)
            let secret = try #require(cookie.split(separator: "=").last)
            #expect(details.allSatisfy { !$0.contains(secret) && !$0.contains("13800000001") })
        }
    }

    // MARK: - Attacks

    @Test(
        """
        a cookie that was stolen is worth nothing on another phone, off the network, with another SIM or at another \
        owner's
        """
    )
    func stolen() async throws {
        try await World.visit(\.remembersConsent) { world in
            let cookie = try await remember(world)
            #expect(try await error(world, cookie, from: World.otherPhone) == "consent_required")
            #expect(
                try await ask(world, cookie, ["prompt": nil], from: World.otherPhone).secret != nil, "a page")
            #expect(try await error(world, cookie, from: "10.0.0.99") == "login_required")
            #expect(try await ask(world, cookie).landing["code"] != nil, "none of that ended it")
            try await world.attach(World.number, at: World.phone, imsi: "460000000000009", binding: 7)
            #expect(try await error(world, cookie) == "consent_required", "the SIM was replaced")
            let renewed = try await remember(world)
            world.clock.advance(by: .seconds(1))
            _ = try await world.register.reassign(World.number, at: world.clock.now)
            try await world.attach(World.number, at: World.phone, imsi: "460000000000010", binding: 7)
            #expect(try await error(world, renewed) == "consent_required", "another owner")
        }
        var naive = NaiveProvider()
        let cookie = naive.remember("first")
        #expect(naive.silentLogin(cookie, at: World.otherPhone) == "first", "the double knows its session anywhere")
    }

    @Test("a cookie of one app says nothing at another, under whatever name it comes")
    func otherApp() async throws {
        try await World.visit(\.remembersConsent) { world in
            let cookie = try await remember(world)
            let bank = world.bank.record.id.rawValue
            let moved = cookie.replacing(world.shop.record.id.rawValue, with: bank)
            let changes = ["client_id": bank, "redirect_uri": "https://bank.example/callback"]
            for cookie in [cookie, moved] { #expect(try await error(world, cookie, changes) == "consent_required") }
            let plain: [String: String?] = [
                "client_id": bank, "redirect_uri": "https://bank.example/callback", "prompt": nil,
            ]
            let page = try await ask(world, moved, plain)
            #expect(page.secret != nil, "a page, as for anybody")
        }
        var naive = NaiveProvider()
        let cookie = naive.remember("first")
        #expect(naive.silentLogin(cookie, app: "bank") == "first")
    }

    @Test("a page that changed since, or a wider scope, needs a new yes; the same page again does not")
    func changed() async throws {
        try await World.visit(\.remembersConsent) { world in
            let narrow = try await remember(world, ["scope": "openid"])
            #expect(try await ask(world, narrow, ["scope": "openid"]).landing["code"] != nil)
            #expect(try await error(world, narrow) == "consent_required", "the number was not agreed to")
            #expect(try await ask(world, narrow, ["prompt": nil]).secret != nil)
            let cookie = try await remember(world)
            #expect(try await ask(world, cookie, ["scope": "openid"]).landing["code"] != nil, "less")
            #expect(try await ask(world, cookie, ["ui_locales": "en"]).landing["code"] != nil, "as it was shown")
            let before = try await world.clients.find(world.shop.record.id).page
            try await world.changeShop(client: { $0.page = before.replacing("/privacy", with: "/privacy-2") })
            #expect(try await error(world, cookie) == "consent_required")
            try await world.changeShop(client: { $0.page = before })
            #expect(try await ask(world, cookie).landing["code"] != nil)
        }
    }

    @Test("a frame, an image or a script of another site logs nobody in without a page")
    func frames() async throws {
        try await World.visit(\.remembersConsent) { world in
            let cookie = try await remember(world)
            let site = "https://shop.example"
            func frame(_ destination: String = "iframe") -> HTTPFields {
                [.secFetchDest: destination, .secFetchSite: "same-site", .referer: site + "/"]
            }
            #expect(try await ask(world, cookie, headers: frame()).status == .badRequest)
            try await world.changeShop(client: { $0.frameAncestors = [site] })
            #expect(try await error(world, cookie, headers: frame()) == "interaction_required")
            let page = try await ask(world, cookie, ["prompt": nil], headers: frame())
            #expect(page.secret != nil && !page.body.contains("name=\"remember\""))
            for destination in ["image", "script", "empty"] {
                #expect(try await ask(world, cookie, headers: frame(destination)).status == .badRequest)
            }
        }
        var naive = NaiveProvider()
        let cookie = naive.remember("first")
        #expect(naive.silentLogin(cookie, in: "frame") == "first")
    }

    @Test("prompt, acr_values, max_age and id_token_hint mean with a remembered consent what OpenID says")
    func parameters() async throws {
        try await World.visit(\.remembersConsent) { world in
            let page = try await world.open()
            let done = try await world.tap(page, remembers: true)
            let cookie = try #require(done.cookie)
            let code = try #require(done.landing["code"])
            let own = try #require(try await world.exchange(code).json["id_token"]?.stringValue)
            let otherCode = try await world.code(from: World.otherPhone)
            let other = try #require(try await world.exchange(otherCode).json["id_token"]?.stringValue)
            for prompt in ["login", "consent", "select_account"] {
                #expect(try await ask(world, cookie, ["prompt": prompt]).secret != nil, "\(prompt) shows the page")
            }
            #expect(try await error(world, cookie, ["acr_values": "urn:benji:net"]) == "interaction_required")
            #expect(try await ask(world, cookie, ["acr_values": "urn:benji:net", "prompt": nil]).secret != nil)
            let acr = ["acr_values": "urn:benji:net urn:benji:net:remembered"]
            #expect(try await ask(world, cookie, acr).landing["code"] != nil)
            // With `id_token_hint` the error is the same for each `acr_values`.
            let both = ["acr_values": "urn:benji:net", "id_token_hint": own]
            #expect(try await error(world, cookie, both) == "login_required")

            world.clock.advance(by: .seconds(600))
            #expect(try await ask(world, cookie, ["max_age": "600"]).landing["code"] != nil)
            #expect(try await ask(world, cookie, ["max_age": "\(Int64.max)"]).landing["code"] != nil)
            for age in ["599", "0"] {
                #expect(try await error(world, cookie, ["max_age": age]) == "login_required")
                #expect(try await ask(world, cookie, ["max_age": age, "prompt": nil]).secret != nil)
            }
            // The hint has expired by now.
            #expect(try await ask(world, cookie, ["id_token_hint": own]).landing["code"] != nil)
            #expect(try await error(world, cookie, ["id_token_hint": other]) == "login_required")
            // Without a consent the answer is the same, whichever phone the hint names.
            for hint in [own, other] {
                #expect(try await error(world, nil, ["id_token_hint": hint]) == "login_required")
            }
            world.clock.advance(by: .milliseconds(1))
            #expect(try await error(world, cookie, ["max_age": "600"]) == "login_required")
            #expect(try await ask(world, cookie, ["max_age": "601"]).landing["code"] != nil)
        }
    }

    @Test("it ends after thirty days, and is no younger after the clock was put back")
    func clock() async throws {
        try await World.visit(\.remembersConsent) { world in
            world.clock.advance(by: .seconds(3600))
            let cookie = try await remember(world)
            world.clock.set(by: .seconds(-1800))
            #expect(try await error(world, cookie) == "login_required", "tapped in the future")
            #expect(try await error(world, cookie, ["max_age": "86400"]) == "login_required")
            world.clock.set(by: .seconds(1800))
            world.clock.advance(by: .seconds(30 * 86400 - 1))
            #expect(try await ask(world, cookie).landing["code"] != nil)
            world.clock.advance(by: .seconds(1))
            #expect(try await error(world, cookie) == "consent_required")
            #expect(try await ask(world, cookie, ["prompt": nil]).secret != nil)
        }
    }

    @Test(
        "an app that has no consents remembered, and one whose cookie is no consent, hear that a person must agree"
    )
    func none() async throws {
        try await World.visit { world async throws in
            #expect(try await error(world, nil, ["acr_values": "urn:benji:net"]) == "consent_required")
        }
        try await World.visit(\.remembersConsent) { world in
            let name = "__Host-" + OpenIDProvider.rememberedCookie + world.shop.record.id.rawValue
            let token = try await world.accessToken()
            let secrets = [try #require(try await world.open().secret), try await world.code(), token, "nonsense"]
            for secret in secrets {
                #expect(try await error(world, "\(name)=\(secret)") == "consent_required")
                let page = try await world.open()
                let cookies = "\(page.cookie ?? ""); \(name)=\(secret)"
                #expect(try await world.tap(page, remembers: true, cookie: cookies).landing["code"] != nil)
            }
            #expect(try await world.userInfo(token).status == .ok, "a tap ends nothing that is no consent")
        }
    }

    @Test("above the burst an app hears that it asked too often, and a person is shown a page")
    func tooOften() async throws {
        try await World.visit(\.remembersConsent, limit: 3) { world in
            let cookie = try await remember(world)
            for _ in 0..<3 { #expect(try await ask(world, cookie).landing["code"] != nil) }
            #expect(try await error(world, cookie) == "temporarily_unavailable")
            #expect(try await ask(world, cookie, ["prompt": nil]).secret != nil)
        }
    }

    @Test("withdrawal, erasure, the option taken back, and the client's end each end it; suspension while it lasts")
    func ended() async throws {
        try await World.visit(\.remembersConsent) { world in
            let app = world.shop.record.id
            var cookie = try await remember(world)
            try await world.changeShop(app: { $0.suspended = true })
            #expect(try await ask(world, cookie).landing["code"] == nil)
            try await world.changeShop(app: { $0.suspended = false })
            #expect(try await ask(world, cookie).landing["code"] != nil)
            try await world.changeShop(client: { $0.remembersConsent = false })
            #expect(try await error(world, cookie) == "consent_required")
            try await world.changeShop(client: { $0.remembersConsent = true })
            #expect(try await error(world, cookie) == "consent_required", "given again, it brings nothing back")

            cookie = try await remember(world)
            var row = try #require(try await world.register.subscription(of: World.number))
            let withdrawal = ConsentWithdrawal(of: row, to: app, at: world.clock.now, event: nil) { _ in
                Self.line(world)
            }
            let counts = try await world.store.withdrawConsents(withdrawal)
            #expect((counts[.openIDCredentials] ?? 0) > 0)
            #expect(try await error(world, cookie) == "consent_required")

            cookie = try await remember(world)
            row = try #require(try await world.register.subscription(of: World.number))
            _ = try await world.store.eraseSubscriber(
                SubscriberErasure(of: row, openIDs: [], mark: [UInt8](repeating: 1, count: 32), at: world.clock.now) {
                    _ in Self.line(world)
                })
            #expect(try world.storedDetails(kind: "remembered").isEmpty)
            try await world.attach(World.number, at: World.phone, imsi: "460000000000001", binding: 9)
            #expect(try await error(world, cookie) == "consent_required")
        }
    }

    private static func line(_ world: World) -> AuditEntry {
        AuditEntry(
            at: world.clock.now, actor: "ops", role: "operator", origin: "command line", order: "consent.withdraw")
    }

    @Test("a pushed request logs in once without a page, and a person who ends the consent meanwhile is asked again")
    func pushed() async throws {
        try await World.visit(\.remembersConsent) { world in
            let cookie = try await remember(world)
            let form = OpenIDLogin.request(world, ["prompt": "none"])
            let answer = try await world.call(.post, .push, headers: world.basic(), form: form)
            let query = World.encoded([
                "client_id": world.shop.record.id.rawValue,
                "request_uri": try #require(answer.json["request_uri"]?.stringValue),
            ])
            func open() async throws -> Exchange {
                try await world.browse(.get, "/openid/authorize?\(query)", headers: [.cookie: cookie])
            }
            #expect(try await open().landing["code"] != nil)
            #expect(try await open().landing["code"] == nil)
            let row = try #require(try await world.register.subscription(of: World.number))
            #expect(try await world.store.endRememberedConsents(of: row.reference, family: nil) == 1)
            #expect(try await error(world, cookie) == "consent_required")
        }
    }

    // MARK: - The person's own page

    private func list(_ world: World, _ headers: HTTPFields = [:], from address: String = World.phone) async throws
        -> Exchange
    {
        try await world.browse(.get, "/openid/consents", headers: headers, from: address)
    }

    @Test("a person sees on the phone what is remembered for its number, in all browsers, and ends one or all")
    func page() async throws {
        try await World.visit(\.remembersConsent) { world in
            let empty = try await list(world)
            #expect(empty.status == .ok && empty.words.contains("没有为本机号码记住任何应用"))
            let first = try await remember(world)
            world.clock.advance(by: .seconds(1))
            let second = try await remember(world, ["scope": "openid"])
            _ = try await ask(world, first)
            let shown = try await list(world, [.acceptLanguage: "en"])
            #expect(shown.headers[.frameOptions] == "DENY" && shown.headers[.cacheControl] == "no-store")
            #expect(shown.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
            #expect(shown.words.contains("Remembered apps") && shown.words.contains("your phone number"))
            #expect(shown.words.contains("not yet") && shown.words.contains("your account at this app"))
            #expect(!shown.body.contains("13800000001"))
            let families = shown.body.matches(of: /name="end" value="(-?[0-9]+)"/).map { String($0.1) }
            #expect(families.count == 2)
            #expect(try await end(world, shown, families[0]).location == "/openid/consents")
            #expect(try await error(world, second, ["scope": "openid"]) == "consent_required", "the newest comes first")
            #expect(try await ask(world, first).landing["code"] != nil)
            _ = try await end(world, shown, "all")
            #expect(try await error(world, first) == "consent_required")
            #expect(try await list(world, from: "10.0.0.99").status != .ok, "nobody is known there")
        }
    }

    private func end(
        _ world: World, _ page: Exchange, _ which: String, headers: HTTPFields = [:], cookie: String?? = nil,
        token: String? = nil, from address: String = World.phone
    ) async throws -> Exchange {
        var headers = headers
        headers[.cookie] = cookie ?? page.cookie
        let own = page.body.firstMatch(of: /name="token" value="([^"]+)"/).map { String($0.1) }
        return try await world.browse(
            .post, "/openid/consents", headers: headers,
            body: World.encoded(["end": which, "token": token ?? own ?? ""]), from: address)
    }

    @Test("another site ends nobody's consent, another phone none of this one's, and no frame shows the page")
    func forged() async throws {
        try await World.visit(\.remembersConsent) { world in
            let cookie = try await remember(world)
            let page = try await list(world)
            let family = try #require(page.body.firstMatch(of: /name="end" value="(-?[0-9]+)"/)).1
            let evil: HTTPFields = [.origin: "https://evil.example"]
            let crossSite: HTTPFields = [.secFetchSite: "cross-site"]
            let guess = ConsentsPage.token(of: "guess")
            for answer in [
                try await end(world, page, "all", headers: evil), try await end(world, page, "all", headers: crossSite),
                try await end(world, page, "all", cookie: .some(nil)), try await end(world, page, "all", token: guess),
                try await end(world, page, "everything"),
            ] { #expect(answer.location == nil && answer.status != .ok) }
            // A page of the other phone's own is a page like any other, and names no consent of this one.
            let others = try await list(world, from: World.otherPhone)
            #expect(!others.body.contains("name=\"end\""))
            for which in [String(family), "all"] {
                _ = try await end(world, page, which, from: World.otherPhone)
            }
            #expect(try await ask(world, cookie).landing["code"] != nil)
            let framed = try await list(world, [.secFetchDest: "iframe", .secFetchSite: "same-origin"])
            #expect(framed.status == .badRequest)
        }
        var naive = NaiveProvider()
        let cookie = naive.remember("first")
        let isEnded = naive.endConsent(cookie: cookie)
        #expect(isEnded, "the double takes the browser's cookie for the person's wish")
    }
}
