import BenjiPage
import Catalogue
import Foundation
import ServerTestKit
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider
@testable import ServerHTTP

@Suite("Notices in the place of a login page")
struct OpenIDNoticeTests {
    private static let labels = [NoticeStrings.retry, NoticeStrings.otherWay, NoticeStrings.backToApp]

    /// The labels of buttons that a page speaks of and does not have.
    static func missingButtons(_ body: String, _ language: Language) -> [String] {
        let buttons = body.matches(of: /<a class="button[^>]*>([^<]*)<\/a>/).map { String($0.1) }
        let words = body.replacing(/<a class="button[^>]*>[^<]*<\/a>/, with: "").replacing(/<[^>]*>/, with: "\n")
            .lowercased()
        return labels.map { $0[language] }.filter { words.contains($0.lowercased()) && !buttons.contains($0) }
    }

    @Test("every button that a notice speaks of is there, in every situation, language and surrounding")
    func buttons() {
        for situation in Situation.all {
            for language in Language.allCases {
                for (retry, wayBack) in [
                    (nil, nil), ("?a=b", nil), (nil, "https://shop.example/x"), ("?a=b", "https://shop.example/x"),
                ] as [(String?, String?)] {
                    for isOther in [false, true] {
                        var notice = OpenIDNotice(situation: situation, language: language, wayBack: wayBack)
                        notice.asksForOtherAccount = isOther
                        notice.app = "Shop & Söhne"
                        let body = NoticePage(notice, retry: retry).markup
                        #expect(Self.missingButtons(body, language) == [], "\(situation) \(language)")
                        #expect(body.contains(">Shop &amp; Söhne</p>") && body.contains("<svg class=\"icon\""))
                        #expect(wayBack == nil || body.contains("href=\"https://shop.example/x\""))
                        #expect(
                            body.contains("<li>") || retry != nil || wayBack != nil, "something to do: \(situation)")
                    }
                }
            }
        }
        // The old words of the store's faults named a way that was not there.
        #expect(Self.missingButtons("<ul><li>Log in another way</li></ul>", .english) == ["Log in another way"])
        #expect(
            Self.missingButtons("<li>Try again</li><a class=\"button\" href=\"?\">Try again</a>", .english) == [])
    }

    @Test("the page about a developer's mistake speaks of no button, has an icon and says what is wrong")
    func mistake() {
        for language in Language.allCases {
            let body = NoticePage(OpenIDFailure(.invalidRequest, "redirect_uri: missing"), language).markup
            #expect(Self.missingButtons(body, language) == [] && body.contains("redirect_uri: missing"))
            #expect(body.contains("<svg class=\"icon\""))
        }
    }

    @Test("a notice names the app whose login it was, as soon as that is known")
    func app() async throws {
        try await OpenIDWorld.visit { world in
            for page in [
                try await world.open(from: "198.51.100.9"),
                try await world.tap(try await world.open(), from: OpenIDWorld.otherPhone),
            ] {
                #expect(page.body.contains("<p class=\"app\">Shop</p>"))
            }
            let unknown = try await world.open(["client_id": "300099999999"])
            #expect(!unknown.body.contains("class=\"app\""))
        }
    }
}
