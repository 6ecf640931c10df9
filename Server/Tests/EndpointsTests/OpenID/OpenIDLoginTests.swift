import BenjiPage
import Crypto
import Foundation
import GRDB
import HTTPTypes
import ServerTestKit
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider
@testable import StoreSQLite

@Suite("A login over OpenID Connect")
struct OpenIDLoginTests {
    @Test("one tap on a phone's page gives the app's server an ID token that it can check, and the number")
    func login() async throws {
        try await OpenIDWorld.visit { world in
            let page = try await world.open()
            #expect(page.status == .ok)
            #expect(page.words.contains("138****0001"))
            #expect(page.words.contains("《中国移动认证服务条款》") && page.words.contains("《隐私政策》"))
            let tapped = try await world.tap(page)
            #expect(tapped.status == .seeOther)
            #expect(tapped.location?.hasPrefix(OpenIDWorld.callback + "?code=") == true)
            #expect(tapped.landing["state"] == "af0ifjsldkj")
            #expect(tapped.landing["iss"] == OpenIDWorld.issuer)

            let tokens = try await world.exchange(try #require(tapped.landing["code"]))
            #expect(tokens.status == .ok)
            #expect(tokens.headers[.cacheControl] == "no-store")
            #expect(tokens.json["token_type"] == "Bearer")
            #expect(tokens.json["scope"] == "openid phone")
            let access = try #require(tokens.json["access_token"]?.stringValue)
            let claims = tokens.claims("id_token")
            #expect(claims["iss"]?.stringValue == OpenIDWorld.issuer)
            #expect(claims["aud"]?.stringValue == world.shop.record.id.rawValue)
            #expect(claims["nonce"] == "n-0S6_WzA2Mj")
            #expect(claims["acr"] == "urn:benji:net")
            #expect(claims["amr"] == .array(["nba"]))
            #expect(claims["auth_time"]?.integerValue == world.clock.now.seconds)
            #expect(claims["exp"]?.integerValue == world.clock.now.seconds + 300)
            let half = Base64URL.encode(Array(SHA256.hash(data: Array(access.utf8))).prefix(16))
            #expect(claims["at_hash"]?.stringValue == half)

            let keys = try await world.call(.get, .jwks)
            let idToken = try #require(tokens.json["id_token"]?.stringValue)
            #expect(try Self.isSigned(idToken, by: keys.json))
            let person = try await world.userInfo(access)
            #expect(person.json["phone_number"] == "+8613800000001")
            #expect(person.json["phone_number_verified"] == true)
            #expect(person.json["sub"] == claims["sub"])
            let billed = try await world.store.ledgerEntries(app: world.shop.record.id, limit: 9)
            #expect(billed.map(\.interface) == ["openid.userinfo"])
        }
    }

    /// Whether a key of the set made the token's signature, found by `kid` as clients do.
    static func isSigned(_ token: String, by keys: JSON) throws -> Bool {
        let parts = token.split(separator: ".")
        let header = try JSON(parsing: try #require(Base64URL.decode(parts[0])))
        let key = keys["keys"]?.arrayValue?.first { $0["kid"] == header["kid"] }
        guard let x = key?["x"]?.stringValue, let y = key?["y"]?.stringValue, key?["d"] == nil else { return false }
        let point = try #require(Base64URL.decode(x)) + (try #require(Base64URL.decode(y)))
        return try P256.Signing.PublicKey(rawRepresentation: point).isValidSignature(
            P256.Signing.ECDSASignature(rawRepresentation: try #require(Base64URL.decode(parts[2]))),
            for: Array("\(parts[0]).\(parts[1])".utf8))
    }

    @Test("without the scope phone there is a person and no number, and nothing is billed")
    func noPhoneScope() async throws {
        try await OpenIDWorld.visit { world in
            let person = try await world.userInfo(try await world.accessToken(["scope": "openid email"]))
            #expect(person.json["sub"]?.stringValue?.isEmpty == false)
            #expect(person.json["phone_number"] == nil)
            #expect(try await world.store.ledgerEntries(app: world.shop.record.id, limit: 9).isEmpty)
        }
    }

    @Test("the same person has the same sub at every login, another one at another app, and a new owner another one")
    func pairwise() async throws {
        try await OpenIDWorld.visit { world in
            func sub(_ address: String) async throws -> String? {
                try await world.userInfo(try await world.accessToken(from: address)).json["sub"]?.stringValue
            }
            let first = try await sub(OpenIDWorld.phone)
            #expect(try await sub(OpenIDWorld.phone) == first)
            #expect(try await sub(OpenIDWorld.otherPhone) != first)
            let subscription = try #require(try await world.store.subscription(1))
            #expect(world.authority.vault.openID(subscription, app: world.bank.record.id) != first)
            try await world.attach(OpenIDWorld.number, at: OpenIDWorld.phone, imsi: "460000000000009", binding: 9)
            #expect(try await sub(OpenIDWorld.phone) == first, "a replaced SIM is the same person")
        }
    }

    @Test("what the person was shown and did is kept, signed by the authority and bound to the browser")
    func evidence() async throws {
        try await OpenIDWorld.visit { world in
            _ = try await world.code()
            let record = try #require(try await Self.consents(world).first)
            let jws = try CompactJWS(parsing: record)
            #expect(jws.isSigned(by: world.authority.vault.receiptKey))
            #expect(jws.header["typ"] == "benji-page-consent+jwt")
            let content = try ConsentContent(try #require(jws.payload["content"]))
            #expect(jws.payload["contentDigest"]?.stringValue == content.digest)
            #expect(try jws.payload["pageDigest"]?.stringValue == Self.pageDigest())
            #expect(content.initiallyTicked == false)
            #expect(!record.contains("13800000001"))
        }
    }

    /// The records of all consents, in the order in which they were received.
    private static func consents(_ world: OpenIDWorld) async throws -> [String] {
        let traces = try await world.store.pool.read { db in
            try String.fetchAll(db, sql: "SELECT trace FROM consent GROUP BY trace ORDER BY min(id)")
        }
        var records: [String] = []
        for trace in traces {
            records += try await world.store.consents(of: try #require(TraceID(rawValue: trace))).map(\.record)
        }
        return records
    }

    /// Returns the digest that `benji page digest` prints for the shop's page.
    private static func pageDigest() throws -> String {
        ConsentRecord.digest(ofPage: try PageDescription(parsing: Array(OpenIDWorld.page.utf8)).bytesForDigest())
    }

    @Test(
        """
        where pages are reviewed a hosted page is shown and counts while its description is approved, and not otherwise
        """
    )
    func reviewed() async throws {
        try await OpenIDWorld.visit { world in
            try await world.changeShop(app: { $0.requiresPageReview = true })
            let refused = try await world.open()
            #expect(refused.secret == nil && refused.landing["code"] == nil)
            let digest = try Self.pageDigest()
            try await world.changeShop(app: { $0.approvedContent = [digest] })
            #expect(try await !world.code().isEmpty)
            let page = try await world.open()
            #expect(page.secret != nil)
            try await world.changeShop(app: { $0.approvedContent = [] })
            #expect(try await world.tap(page).landing["code"] == nil, "the page was open when the approval ended")
        }
    }

    @Test("a tap counts for the page that was shown, and not for one with the same words that took its place")
    func replacedPage() async throws {
        try await OpenIDWorld.visit { world in
            let page = try await world.open()
            var other = try PageDescription(parsing: Array(OpenIDWorld.page.utf8))
            other.loginButton.cornerRadius = 3
            let text = try other.json().text
            try await world.changeShop(client: { $0.page = text })
            let tapped = try await world.tap(page)
            #expect(tapped.landing["code"] == nil && tapped.location == nil)
            let kept = try await world.store.pool.read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM consent")
            }
            #expect(kept == 0, "no evidence says that somebody agreed")
            #expect(try await !world.code().isEmpty, "the page that is shown now counts")
        }
    }

    @Test(
        """
        a tap without the tick asks once more on a sheet of the page's own: its yes logs in, its no leads back to the \
        page
        """
    )
    func unticked() async throws {
        try await OpenIDWorld.visit { world in
            for (language, words) in [
                ("zh-CN", "同意并登录"), ("zh-TW", "同意並登入"), ("en", "Agree and log in"),
            ] {
                let page = try await world.open(headers: [.acceptLanguage: language])
                #expect(!page.body.contains(" required") && !page.body.contains("value=\"agree\""))
                let sheet = try await world.tap(page, agreed: false)
                #expect(sheet.status == .ok && sheet.secret == page.secret && sheet.location == nil)
                #expect(sheet.body.contains("role=\"dialog\"") && sheet.words.contains(words))
                #expect(sheet.body.contains("<div inert>"), "what lies under it cannot be reached")
                #expect(sheet.words.components(separatedBy: "《中国移动认证服务条款》").count > 13, "the terms are on it, too")
                // A no counts, also with the tick set.
                for isTicked in [false, true] {
                    let back = try await world.tap(sheet, action: "disagree", agreed: isTicked, cookie: page.cookie)
                    #expect(
                        back.secret == page.secret && !back.body.contains("role=\"dialog\"") && back.location == nil)
                }
                let done = try await world.tap(sheet, action: "agree", agreed: false, cookie: page.cookie)
                #expect(done.landing["code"] != nil)
            }
            let records = try await Self.consents(world)
            #expect(try records.map { try CompactJWS(parsing: $0).payload["agreedBy"] } == ["sheet", "sheet", "sheet"])
            _ = try await world.code()
            let last = try await Self.consents(world).last
            #expect(try CompactJWS(parsing: try #require(last)).payload["agreedBy"] == "tick")
        }
    }

    @Test("the page is headed by the app's name, and has the name's letter where the app has no logo")
    func appName() async throws {
        try await OpenIDWorld.visit { world in
            let page = try await world.open()
            #expect(page.body.contains("<title>Shop</title>") && page.body.contains(">S</span></div>"))
            for (name, title) in [
                ("山间茶社", "山间茶社"), ("一家名字长得放不进手机窄屏标题栏的商店", "一家名字长得放不进手机…"),
                ("An emporium with a very long name", "An emporium with a ver…"), ("<b>&\"", "&lt;b&gt;&amp;&quot;"),
            ] {
                try await world.changeShop(app: { $0.name = name })
                #expect(try await world.open().body.contains("<title>\(title)</title>"))
            }
            // An earlier version took a name that reads backwards: it is shown without what turns it.
            try await world.changeShop(app: { $0.name = "Sh\u{202e}op" })
            let plain = try await world.open()
            #expect(plain.secret != nil && plain.body.contains("<title>Shop</title>"))
            #expect(!plain.body.unicodeScalars.contains("\u{202e}"))
            try await world.changeShop(app: { $0.name = "\u{202e}" })
            #expect(try await world.open().body.contains("<title>\(world.shop.record.id.rawValue)</title>"))
        }
    }

    @Test(
        "another way to log in is told to the app, and the page is used up",
        arguments: ["switch", "close", "", "nonsense"])
    func otherWay(_ action: String) async throws {
        try await OpenIDWorld.visit { world in
            let page = try await world.open()
            let away = try await world.tap(page, action: action)
            #expect(away.landing["error"] == "access_denied" && away.landing["iss"] == OpenIDWorld.issuer)
            #expect(try await world.tap(page).status == .forbidden)
        }
    }

    @Test("off the carrier's network the page says why and what to do, in three languages, with a way on and a way out")
    func offNetwork() async throws {
        try await OpenIDWorld.visit { world in
            for (language, words) in [
                ("zh-CN", "关闭 Wi-Fi"), ("zh-TW", "關閉 Wi-Fi"), ("en-GB,en;q=0.8", "Switch Wi-Fi off"),
            ] {
                let page = try await world.open(headers: [.acceptLanguage: language], from: "198.51.100.9")
                #expect(page.status == .forbidden)
                #expect(page.body.contains(words))
                #expect(page.body.contains("href=\"?client_id="))
                #expect(page.body.contains("\(OpenIDWorld.callback)?error=access_denied"))
                #expect(page.headers[.setCookie] == nil)
            }
            let asked = try await world.open(["ui_locales": "fr en"], from: "198.51.100.9")
            #expect(asked.body.contains("lang=\"en\""))
        }
    }

    @Test("prompt=none never shows a page: off the network login_required, on it consent_required")
    func silent() async throws {
        try await OpenIDWorld.visit { world in
            let here = try await world.open(["prompt": "none"])
            #expect(here.landing["error"] == "consent_required")
            let elsewhere = try await world.open(["prompt": "none"], from: "198.51.100.9")
            #expect(elsewhere.landing["error"] == "login_required")
        }
    }

    @Test("what an app is told has no quotation mark and no backslash, and comes back in ASCII alone")
    func errorDescription() async throws {
        try await OpenIDWorld.visit { world in
            let uri = AuthorizationResponse(issuer: world.provider.configuration.issuer).error(
                .invalidRequest, #"a "b" c\d 号 e"#, to: OpenIDWorld.callback, state: nil)
            #expect(
                uri.contains("error_description=a+b+cd++e&") || uri.contains("error_description=a%20b%20cd%20%20e&"))
        }
    }

    @Test(
        "a state or nonce that is not printable ASCII, or is endless, is refused",
        arguments: ["a\u{7f}", "号", "a\nb", String(repeating: "a", count: 2049)])
    func unprintable(_ text: String) async throws {
        try await OpenIDWorld.visit { world in
            for name in ["state", "nonce"] {
                let refused = try await world.open([name: text])
                #expect(refused.landing["error"] == "invalid_request", "\(name)")
            }
            let longest = try await world.open(["state": String(repeating: "~", count: 2048)])
            #expect(longest.status == .ok)
        }
    }

    @Test("a sub that is asked for and not named is anybody's")
    func unnamedSubject() async throws {
        try await OpenIDWorld.visit { world in
            let page = try await world.open(["claims": #"{"id_token": {"sub": {"essential": true}}}"#])
            #expect(page.status == .ok)
        }
    }

    @Test("discovery names what is there and nothing else")
    func discovery() async throws {
        try await OpenIDWorld.visit { world in
            let metadata = try await world.call(.get, .discovery).json
            #expect(metadata["issuer"]?.stringValue == OpenIDWorld.issuer)
            #expect(metadata["authorization_endpoint"]?.stringValue == OpenIDWorld.pages + "/openid/authorize")
            #expect(metadata["token_endpoint"]?.stringValue == OpenIDWorld.issuer + "/openid/token")
            #expect(metadata["code_challenge_methods_supported"] == .array(["S256"]))
            #expect(metadata["authorization_response_iss_parameter_supported"] == true)
            #expect(metadata["request_parameter_supported"] == true)
            #expect(metadata["request_uri_parameter_supported"] == false)
            #expect(metadata["claims_parameter_supported"] == false)
            #expect(metadata["backchannel_token_delivery_modes_supported"] == .array(["poll", "ping"]))
            #expect(metadata["backchannel_user_code_parameter_supported"] == false)
            #expect(metadata["subject_types_supported"] == .array(["pairwise"]))
            for endpoint in [
                "authorization", "token", "userinfo", "revocation", "introspection", "backchannel_authentication",
            ] {
                let url = try #require(metadata["\(endpoint)_endpoint"]?.stringValue)
                let path = String(url.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })
                #expect(OpenIDProvider.Path(rawValue: path) != nil, "\(endpoint)")
            }
        }
    }

    @Test("after a rotation a token of the old key can be checked for an hour, and new ones are signed by the new key")
    func rotation() async throws {
        try await OpenIDWorld.visit { world in
            func token() async throws -> String {
                try #require(try await world.exchange(try await world.code()).json["id_token"]?.stringValue)
            }
            func keys() async throws -> JSON { try await world.call(.get, .jwks).json }
            let before = try await token()
            try await world.clients.rotateKeys()
            let after = try await token()
            let both = try await keys()
            #expect(both["keys"]?.arrayValue?.count == 2)
            for token in [before, after] { #expect(try Self.isSigned(token, by: both)) }
            world.clock.advance(by: .seconds(3601))
            let later = try await keys()
            #expect(later["keys"]?.arrayValue?.count == 1)
            #expect(try !Self.isSigned(before, by: later))
        }
    }

    @Test("typed digits: right ones log in and are said in acr and amr, wrong ones three times and the app hears a no")
    func digits() async throws {
        try await OpenIDWorld.visit(\.asksMiddleDigits) { world in
            let first = try await world.open()
            let typing = try await world.tap(first)
            #expect(typing.body.contains("name=\"digits\"") && !typing.body.contains("138****"))
            let done = try await world.tap(typing, action: "digits", digits: "0000", cookie: first.cookie)
            let claims = try await world.exchange(try #require(done.landing["code"])).claims("id_token")
            #expect(claims["acr"] == "urn:benji:net:digits" && claims["amr"] == .array(["nba", "kba"]))

            let second = try await world.open()
            var answer = try await world.tap(second)
            for _ in 0..<2 {
                let spent = answer
                answer = try await world.tap(answer, action: "digits", digits: "9999", cookie: second.cookie)
                #expect(answer.body.contains("role=\"alert\"") && answer.secret != spent.secret)
                let back = try await world.tap(spent, action: "digits", digits: "0000", cookie: second.cookie)
                #expect(back.status == .forbidden, "going back wins no further try")
            }
            answer = try await world.tap(answer, action: "digits", digits: "9999", cookie: second.cookie)
            #expect(answer.landing["error"] == "access_denied")
        }
    }

    @Test("digits can be typed wrongly ten times a day for one number and app, however many pages are opened")
    func digitLimit() async throws {
        try await OpenIDWorld.visit(\.asksMiddleDigits) { world in
            var refused = 0
            for round in 0..<12 {
                if round < 10 {
                    let first = try await world.open()
                    let right = try await world.tap(
                        try await world.tap(first), action: "digits", digits: "0000", cookie: first.cookie)
                    #expect(right.landing["code"] != nil, "right digits do not count, and count for nothing")
                }
                let first = try await world.open()
                let typing = try await world.tap(first)
                let answer = try await world.tap(typing, action: "digits", digits: "1111", cookie: first.cookie)
                if answer.status == .tooManyRequests { refused += 1 }
            }
            #expect(refused == 2)
            // The count is in the store: another process allows no more tries, not even with the right digits.
            let again = OpenIDProvider(
                configuration: world.provider.configuration,
                authority: Authority(
                    configuration: world.authority.configuration, store: world.store, vault: world.authority.vault,
                    clock: world.clock, logger: world.authority.logger),
                store: world.store)
            let page = try await world.open()
            let typing = try await world.tap(page)
            let restarted = try await world.tap(
                typing, action: "digits", digits: "0000", cookie: page.cookie, provider: again)
            #expect(restarted.status == .tooManyRequests)
            world.clock.advance(by: .seconds(86401))
            let first = try await world.open()
            let right = try await world.tap(
                try await world.tap(first), action: "digits", digits: "0000", cookie: first.cookie)
            #expect(right.landing["code"] != nil)
        }
    }

    @Test("the whole number is in no page and in no address")
    func noNumberInAddresses() async throws {
        try await OpenIDWorld.visit(\.asksMiddleDigits) { world in
            let first = try await world.open()
            let typing = try await world.tap(first)
            let done = try await world.tap(typing, action: "digits", digits: "0000", cookie: first.cookie)
            for text in [
                first.body, typing.body, done.location ?? "", try await world.exchange(done.landing["code"] ?? "").body,
            ] {
                #expect(!text.contains("13800000001"))
            }
        }
    }
}
