import Foundation
import HTTPTypes
import HummingbirdTesting
import Synchronization
import Testing

@testable import Shop

@Suite("The example shop logs people in")
struct ShopLoginTests {
    /// Goes there and back as an honest browser does.
    private func comeBack(
        _ world: ShopWorld, _ browser: ShopWorld.Browser, query: String = "next=/account", _ answer: String? = nil
    ) async throws -> (status: HTTPResponse.Status, text: String) {
        let address = try await browser.depart(query)
        world.provider.sees(address)
        let state = parameter("state", of: address)
        let back = answer ?? "code=c&state=\(state)&iss=https://id.example"
        let landed = try await browser.send(
            .get, "/login/callback?\(back.replacing("STATE", with: state))", isForeign: true)
        return (landed.status, landed.text)
    }

    @Test("the request has everything that an OpenID client sends, and its secrets stay at home")
    func request() async throws {
        let world = try ShopWorld()
        try await world.visit { browser in
            let address = try await browser.depart()
            #expect(address.hasPrefix("https://gw.example/authorize?"))
            #expect(parameter("redirect_uri", of: address) == "https://shop.example/login/callback")
            #expect(parameter("scope", of: address) == "openid phone")
            #expect(parameter("code_challenge_method", of: address) == "S256")
            #expect(parameter("nonce", of: address).count == 43 && parameter("state", of: address).count == 43)
            #expect(!address.contains("secret") && parameter("code_verifier", of: address).isEmpty)
            _ = try await browser.send(
                .get, "/login/callback?code=c&state=\(parameter("state", of: address))&iss=https://id.example")
            let asked = world.provider.asked.withLock { $0 }
            let sent = try #require(asked.first { $0.url.hasSuffix("/token") })
            let form = String(decoding: sent.body, as: UTF8.self)
            let verifier = parameter("code_verifier", of: "x:?" + form)
            #expect(LoginAttempt.challenge(of: verifier) == parameter("code_challenge", of: address))
            #expect(sent.authorization == "Basic " + Data("client-1:a%20secret".utf8).base64EncodedString())
        }
    }

    @Test("whoever comes back is logged in, with their basket, and only their mask is shown")
    func login() async throws {
        let world = try ShopWorld()
        try await world.visit { browser in
            _ = try await browser.send(.post, "/basket/add", form: "tea=keemun")
            let landed = try await comeBack(world, browser)
            #expect(landed.status == .ok && landed.text.contains("url=/account"))
            let account = try await browser.send(.get, "/account").text
            #expect(account.contains("138****0001") && !account.contains(ScriptedProvider.number))
            #expect(try await browser.send(.get, "/basket").text.contains("祁门红茶"))
            _ = try await browser.send(.post, "/logout")
            #expect(try await browser.send(.get, "/account").headers[.location] == "/login?next=/account")
        }
    }

    @Test("a login has another session than the browser had before, so that a planted one is worth nothing")
    func sessionFixation() async throws {
        let world = try ShopWorld()
        try await world.visit { browser in
            let added = try await browser.send(.post, "/basket/add", form: "tea=keemun")
            let before = try #require(added.headers[.setCookie]?.prefix { $0 != ";" })
            _ = try await comeBack(world, browser)
            let thief = browser.other
            let answer = try await thief.send(.get, "/account", headers: [.cookie: String(before)])
            #expect(answer.status == .seeOther, "the old session is nobody's")
        }
    }

    @Test("an answer that another browser began, or that comes twice, logs nobody in")
    func foreignAnswers() async throws {
        let world = try ShopWorld()
        try await world.visit { browser in
            let address = try await browser.depart()
            world.provider.sees(address)
            let back = "/login/callback?code=c&state=\(parameter("state", of: address))&iss=https://id.example"
            for thief in [browser.other, browser.other] {
                _ = try await thief.depart()
                #expect(try await thief.send(.get, back, isForeign: true).status == .badRequest)
            }
            #expect(try await browser.send(.get, back, isForeign: true).status == .ok)
            #expect(try await browser.send(.get, back, isForeign: true).status == .badRequest, "the second time")
            for wrong in ["", "code=c", "code=c&state=", "state=x&code=c", "error=access_denied"] {
                #expect(try await browser.send(.get, "/login/callback?\(wrong)").status == .badRequest)
            }
        }
    }

    @Test(
        "an answer of another issuer, or of none, is not believed, although its code would be good (RFC 9207)",
        arguments: [
            "code=c&state=STATE&iss=https://evil.example", "code=c&state=STATE", "state=STATE&iss=https://id.example",
        ])
    func mixUp(answer: String) async throws {
        let world = try ShopWorld()
        // Said, because the compiler does not look for what may throw inside a macro.
        try await world.visit { browser async throws in
            #expect(try await comeBack(world, browser, answer).status == .badGateway)
            #expect(try await browser.send(.get, "/account").status == .seeOther)
        }
        let asked = world.provider.asked.withLock { $0.map(\.url) }
        #expect(asked.allSatisfy { !$0.hasSuffix("/token") })
    }

    @Test("a provider that lies is not believed", arguments: 0..<11)
    func liars(number: Int) async throws {
        let world = try ShopWorld { lies in
            switch number {
            case 0: lies.discoveryIssuer = "https://evil.example"
            case 1: lies.claims["iss"] = "https://evil.example"
            case 2: lies.claims["aud"] = "client-2"
            case 3: lies.claims["nonce"] = "of another login"
            case 4: lies.claims["at_hash"] = "of another token"
            case 5: lies.claims["azp"] = "client-2"
            case 6: lies.expiresIn = -1
            case 7: lies.signsWithOtherKey = true
            case 8: lies.userSubject = "somebody else"
            case 9: lies.idToken = Self.unsigned(["alg": "none", "kid": "key-1"])
            default: lies.idToken = Self.unsigned(["alg": "HS256", "kid": "key-1"]) + "AAAA"
            }
        }
        try await world.visit { browser in
            if number == 0 {
                #expect(try await browser.send(.get, "/login/start").status == .badGateway)
                return
            }
            let landed = try await comeBack(world, browser)
            #expect(landed.status == .badGateway && landed.text.contains("没有通过检查"))
            #expect(try await browser.send(.get, "/account").status == .seeOther)
        }
    }

    private static func unsigned(_ header: [String: String]) -> String {
        let claims: [String: Any] = [
            "iss": ScriptedProvider.issuer, "sub": "thief", "aud": "client-1", "exp": 4_000_000_000, "iat": 1,
        ]
        let parts = [header as [String: Any], claims].map { part in
            Secret.base64URL((try? JSONSerialization.data(withJSONObject: part)) ?? Data())
        }
        return parts.joined(separator: ".") + "."
    }

    @Test(
        """
        other keys of the provider, also of unknown types or without a name, and unknown members keep nobody from \
        logging in
        """
    )
    func moreKeys() async throws {
        let world = try ShopWorld { $0.hasMoreKeys = true }
        try await world.visit { browser in
            let landed = try await comeBack(world, browser)
            #expect(landed.status == .ok)
            #expect(try await browser.send(.get, "/account").text.contains("138****0001"))
        }
    }

    @Test("a number that is not verified is not taken")
    func unverified() async throws {
        let world = try ShopWorld { $0.isVerified = false }
        try await world.visit { browser in
            _ = try await comeBack(world, browser)
            #expect(try await !browser.send(.get, "/account").text.contains("138****0001"))
        }
    }

    @Test("turning back and a provider that is down are said in words, and in a window to the page that opened it")
    func words() async throws {
        let world = try ShopWorld()
        try await world.visit { browser in
            let denied = "error=access_denied&state=STATE&iss=https://id.example"
            let cancelled = try await comeBack(world, browser, denied)
            #expect(cancelled.text.contains("您没有登录") && !cancelled.text.contains("data-popup"))
            let inWindow = try await comeBack(world, browser, query: "popup=window-1", denied)
            #expect(inWindow.text.contains("data-popup=\"window-1\" data-error=\"cancelled\""))
            for name in ["\"><script>", "a b", String(repeating: "a", count: 65)] {
                let query = "popup=" + FormText.encode(name)
                #expect(try await !comeBack(world, browser, query: query, denied).text.contains("data-popup"))
            }
            world.provider.lies.withLock { $0.isDown = true }
            #expect(try await comeBack(world, browser).text.contains("没有回应"))
        }
    }

    @Test("nobody is sent on to another host")
    func openRedirect() async throws {
        let world = try ShopWorld()
        try await world.visit { browser in
            for next in ["//evil.example", "https://evil.example", "/\\evil.example", "/%5Cevil", "/a?b", "evil"] {
                let landed = try await comeBack(world, browser, query: "next=" + FormText.encode(next))
                #expect(landed.text.contains("url=/\""), "\(next)")
                _ = try await browser.send(.post, "/logout")
            }
        }
    }
}
