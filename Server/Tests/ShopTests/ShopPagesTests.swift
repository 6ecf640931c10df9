import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import Shop

@Suite("The example shop's pages")
struct ShopPagesTests {
    @Test("every text that a template asks for exists, in both languages")
    func words() throws {
        var asked: Set<String> = []
        for source in PageWriter.sources.values {
            for match in String(decoding: source, as: UTF8.self).matches(of: /\{\{[#^]?words\.([A-Za-z]+)\}\}/) {
                asked.insert(String(match.1))
            }
        }
        #expect(asked.count > 30)
        #expect(asked.subtracting(Words.table.keys) == [])
        #expect(Words.table.values.allSatisfy { !$0.chinese.isEmpty && !$0.english.isEmpty })
        #expect(Set(PageWriter.Page.allCases.compactMap(\.title)).subtracting(Words.table.keys) == [])
    }

    @Test("every page has a title of its own in the browser's tab")
    func titles() async throws {
        let world = try ShopWorld()
        try await world.visit { browser in
            for (path, title) in [("/", "今日好茶"), ("/basket", "购物袋"), ("/login", "登录茶铺"), ("/nothing", "没有这个页面")] {
                let page = try await browser.send(.get, path).text
                #expect(page.contains("<title>\(title) · 本机茶铺</title>"), "\(path)")
            }
        }
    }

    @Test("a full shop forgets the session that was used longest ago, and nobody's for a change of another's basket")
    func fullShop() async {
        let sessions = Sessions(maximumCount: 2)
        let first = await sessions.change(nil) { $0.basket = ["keemun": 1] }
        let second = await sessions.change(nil) { $0.basket = ["keemun": 2] }
        #expect(await sessions.change(first) { $0.basket = ["keemun": 3] } == first)
        #expect(await sessions.find(second) != nil)
        #expect(await sessions.find(first)?.basket == ["keemun": 3])
        let third = await sessions.change(nil) { $0.basket = ["keemun": 4] }
        #expect(await sessions.find(second) == nil)
        #expect(await sessions.find(first) != nil)
        #expect(await sessions.find(third) != nil)
    }

    @Test("every answer keeps other hosts, frames and referrers out")
    func headers() async throws {
        let world = try ShopWorld()
        try await world.visit { browser in
            for path in ["/", "/basket", "/login", "/account", "/nothing", "/login/callback", "/assets/benji.js"] {
                let answer = try await browser.send(.get, path)
                let policy = answer.headers[.contentSecurityPolicy] ?? ""
                #expect(policy.hasPrefix("default-src 'none'; ") && !policy.contains("unsafe"), "\(path)")
                #expect(policy.contains("frame-ancestors 'none'") && policy.contains("base-uri 'none'"))
                #expect(answer.headers[HTTPField.Name("Referrer-Policy")!] == "no-referrer")
                #expect(answer.headers[.xContentTypeOptions] == "nosniff")
                #expect(!answer.text.contains(" style=\"") && !answer.text.contains("<script>"))
                #expect(!answer.text.contains("src=\"http") && !answer.text.contains("href=\"http"))
            }
        }
    }

    @Test("a form of another site changes nothing, whichever header tells")
    func otherSites() async throws {
        let world = try ShopWorld()
        try await world.visit { browser in
            for headers in [
                [HTTPField.Name("Sec-Fetch-Site")!: "cross-site"], [HTTPField.Name("Sec-Fetch-Site")!: "same-site"],
                [.origin: "https://evil.example"],
            ] as [HTTPFields] {
                let answer = try await browser.send(.post, "/basket/add", form: "tea=keemun", headers: headers)
                #expect(answer.status == .forbidden && answer.text.contains("不是从茶铺的页面发出的"))
            }
            #expect(try await browser.send(.get, "/basket").text.contains("还是空的"))
            let own: HTTPFields = [.origin: "https://shop.example", HTTPField.Name("Sec-Fetch-Site")!: "same-origin"]
            #expect(try await browser.send(.post, "/basket/add", form: "tea=keemun", headers: own).status == .seeOther)
        }
    }

    @Test("the session's cookie is strict, the login's comes along from the provider, none is readable by scripts")
    func cookies() async throws {
        let world = try ShopWorld()
        try await world.visit { browser in
            let session = try await browser.send(.post, "/basket/add", form: "tea=keemun").headers[.setCookie] ?? ""
            #expect(session.hasPrefix("__Host-shop=") && session.contains("SameSite=Strict; Secure"))
            let login = try await browser.send(.get, "/login/start").headers[.setCookie] ?? ""
            #expect(login.hasPrefix("__Host-shop-login=") && login.contains("SameSite=Lax; Secure; Max-Age=600"))
            for cookie in [session, login] { #expect(cookie.contains("; Path=/; HttpOnly; ")) }
        }
    }

    @Test("the copy of Benji's helper is the present one")
    func helper() throws {
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let own = try Data(
            contentsOf: root.appendingPathComponent("Server/Sources/Endpoints/OpenID/Script/benji.js"))
        #expect(Data(PackageResources.benji_js) == own, "copy benji.js into Examples/Shop/Sources/Shop/Resources")
    }
}
