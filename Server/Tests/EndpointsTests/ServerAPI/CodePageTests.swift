import Catalogue
import Foundation
import HTTPTypes
import OpenIDProvider
import ServerTestKit
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import ServerHTTP

@Suite("The page of a result code")
struct CodePageTests {
    private func page(_ code: String, in language: String = "en") async throws -> Exchange {
        try await Exchange.send(
            PublicServer.router("server", routes: CodeEndpoints().routes), .get, CodeEndpoints.address(of: code),
            headers: [.acceptLanguage: language], from: ("203.0.113.7", 40001))
    }

    @Test("it has meaning, cause and remedy in the caller's language, for each table that has the code")
    func explains() async throws {
        for (language, words) in [
            ("en", "What to do"), ("zh-CN", "处理"), ("zh-TW", "處理"), ("en;q=0", "处理"), ("en;q=nan", "处理"),
            ("zh;q=0.5, en", "What to do"),
        ] {
            let page = try await page("token_spent", in: language)
            #expect(page.status == .ok && page.body.contains("<h1>token_spent</h1>") && page.body.contains(words))
        }
        #expect(try await page("-20102").body.components(separatedBy: "<section>").count > 1)
    }

    @Test("each error of OAuth has a page, and the table has no others")
    func oauth() async throws {
        let listed = Set(Catalogue.entries.filter { $0.table == .openID }.map(\.code))
        #expect(listed == Set(OAuthError.allCases.map(\.rawValue)))
        let page = try await page("invalid_grant")
        #expect(page.status == .ok && page.body.contains("redirect_uri") && page.body.contains("OpenID Connect"))
    }

    @Test("the list leads to the page of every code")
    func list() async throws {
        let list = try await Exchange.send(
            PublicServer.router("server", routes: CodeEndpoints().routes), .get, "/codes", from: ("203.0.113.7", 40001))
        let missing = Catalogue.entries.filter { !list.body.contains(CodeEndpoints.address(of: $0.code)) }
        #expect(list.status == .ok && missing.isEmpty)
    }

    @Test("a code that no table has is not repeated, and those that are near it are named")
    func near() async throws {
        let mistyped = try await page("token_spend")
        #expect(mistyped.status == .notFound && mistyped.body.contains(#"<a href="/codes/token_spent">"#))
        let unknown = try await page("%3Cscript%3E")
        #expect(unknown.status == .notFound && !unknown.body.contains("script"))
        #expect(unknown.body.contains(#"<a href="/codes">"#))
        // The search for similar codes takes time that grows with the length.
        let long = try await page("token_spent" + String(repeating: "x", count: 54))
        #expect(long.status == .notFound && !long.body.contains("<ul>"))
    }
}
