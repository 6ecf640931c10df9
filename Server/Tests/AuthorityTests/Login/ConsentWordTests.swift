import BenjiPolicy
@_spi(Server) import BenjiProtocol
import Store
import Testing

@testable import Authority
@testable import Requests

@Suite("What a page must say, and what a trace says of a consent")
struct ConsentWordTests {
    private let moment = Timestamp(milliseconds: 1_790_000_000_500)
    private let page = CarrierPolicy.standard.carriers[.mobile]?.page

    private func content(_ change: (inout ConsentContent) -> Void = { _ in }) -> ConsentContent {
        var content = ConsentContent(
            drawnBy: .benji, language: "en", policyVersion: "v",
            texts: [.init(.number, "{number}"), .init(.loginButton, "Log in"), .init(.terms, "I agree")],
            links: [.init(title: "《\(page?.termsTitle ?? "")》", url: page?.termsURL ?? "")], initiallyTicked: false)
        change(&content)
        return content
    }

    private func problem(
        _ content: ConsentContent, allowsTick: Bool = false, terms: ConsentRules.CarriersTerms? = nil
    ) -> String? {
        ConsentRules.problem(
            in: content, policyVersion: "v", carriersTerms: terms ?? .shown(page), allowsInitialTick: allowsTick)
    }

    @Test("each rule is broken by itself, in its order, and refused with its reason")
    func rules() {
        #expect(problem(content()) == nil)
        let broken: [(String, (inout ConsentContent) -> Void)] = [
            ("the agreement was ticked", { $0.initiallyTicked = true }),
            ("the page was made from policy w, the present one is v", { $0.policyVersion = "w" }),
            ("the carrier's terms are not linked", { $0.links[0].url += "x" }),
            ("the login button does not say", { $0.texts[1].text = "Go on" }),
            ("neither the masked number nor", { $0.texts[0].text = "your number" }),
        ]
        for (place, (words, change)) in broken.enumerated() {
            #expect(problem(content(change))?.hasPrefix(words) == true, "\(words)")
            // With every later rule broken too, it is still the first that is told.
            let all = content { content in for (_, change) in broken[place...] { change(&content) } }
            #expect(problem(all)?.hasPrefix(words) == true, "\(words) first")
        }
        #expect(problem(content { $0.initiallyTicked = true }, allowsTick: true) == nil)
    }

    @Test("the carrier's terms are linked under title and address, both of one link; a code by SMS needs none")
    func carriersTerms() {
        let words = "the carrier's terms are not linked under their own title and address"
        #expect(problem(content { $0.links[0].title = "Terms" }) == words)
        let apart = content {
            $0.links = [
                .init(title: $0.links[0].title, url: "https://a.example/"), .init(title: "Terms", url: $0.links[0].url),
            ]
        }
        #expect(problem(apart) == words && problem(apart, terms: .notNeeded) == nil)
        #expect(problem(content(), terms: .shown(nil)) == words)
        #expect(problem(content { $0.links.insert(.init(title: "Terms", url: "https://a.example/"), at: 0) }) == nil)
    }

    @Test(
        "the button says that somebody logs in, whatever the case of its letters",
        arguments: [
            ("登录", true), ("立即登錄", true), ("登入", true), ("注册并登", true), ("註冊", true), ("LOG IN", true),
            ("LogIn now", true), ("Sign In", true), ("SIGN UP", true), ("Register", true), ("log", false),
            ("Enter", false),
            ("", false), ("登", false), ("sign", false),
        ])
    func buttons(text: String, isGood: Bool) {
        #expect((problem(content { $0.texts[1].text = text }) == nil) == isGood)
        // Elsewhere on the page the same words do nothing.
        let elsewhere = content {
            $0.texts[1].text = "Go on"
            $0.texts.append(.init(.title, text))
        }
        #expect(problem(elsewhere)?.hasPrefix("the login button") == true)
    }

    @Test("the number stands in any text, by its place or by the words for it")
    func numbers() {
        for text in ["{number}", "本机号码一键登录", "With {number}"] {
            let shown = content {
                $0.texts[0].text = ""
                $0.texts.append(.init(.hint, text))
            }
            #expect(problem(shown) == nil, "\(text)")
        }
    }

    @Test("an app is named in quotation marks, in the terms that the tick is for or in a link's title")
    func names() {
        for quotes in ["“”", "\"\"", "‘’", "「」", "『』", "《》", "【】"] {
            let named = "for \(quotes.first!)Mall\(quotes.last!) too"
            #expect(content { $0.texts[2].text = named }.names("Mall"), "\(quotes)")
            #expect(content { $0.links[0].title = named }.names("Mall"), "\(quotes)")
            #expect(!content { $0.texts[2].text = named }.names("Mal"), "\(quotes)")
            for role in ConsentContent.Role.allCases where role != .terms {
                #expect(!content { $0.texts = [.init(role, named)] }.names("Mall"), "\(role)")
            }
        }
        #expect(!content { $0.texts[2].text = "“Mall'" }.names("Mall"))
    }

    @Test("a word's bytes are found wherever they stand, and nothing else is")
    func bytes() {
        let texts = ["", "a", "b", "ab", "aab", "aba", "aabaab", "xab", "abx", "xabx", "商店", "新商店", "店"]
        for text in texts {
            for word in texts {
                let isThere = word.isEmpty || text.utf8.count >= word.utf8.count && text.contains(word)
                #expect(text.contains(bytesOf: word) == isThere, "\(word) in \(text)")
            }
        }
    }

    @Test("what an app approved counts by page or by content; without a rule about pages all do")
    func approved() {
        func accepts(_ approved: [String], _ needsReview: Bool, _ page: String?, _ content: String) -> Bool {
            let app = AppRecord(
                id: AppID(rawValue: "300000000001")!, name: "Shop", keys: [], capabilities: [], bundleIDs: [],
                serverAddresses: [], requiresPageReview: needsReview, approvedContent: approved, createdAt: moment)
            #expect(app.needsApprovedPages == (needsReview || !approved.isEmpty))
            return app.accepts(pageDigest: page, contentDigest: content)
        }
        #expect(accepts([], false, nil, "c") && accepts([], false, "p", "c"))
        #expect(!accepts([], true, nil, "c") && !accepts([], true, "p", "c"))
        for needsReview in [true, false] {
            #expect(accepts(["p"], needsReview, "p", "c") && accepts(["c"], needsReview, "p", "c"))
            #expect(accepts(["c"], needsReview, nil, "c") && !accepts(["p"], needsReview, nil, "c"))
            #expect(!accepts(["x"], needsReview, "p", "c"))
        }
    }

    @Test("a consent's step is read as it is written, and as it was written before; nothing else is")
    func details() {
        for assurance in Assurance.allCases {
            let detail = ConsentDetail(tappedAt: moment, assurance: assurance)
            #expect(detail.text == "tapped at 2026-09-21T14:13:20.500Z by its clock, \(assurance.rawValue)")
            #expect(ConsentDetail(detail.text) == detail)
            #expect(ConsentDetail("tapped at 1790000000500 by its clock, \(assurance.rawValue)") == detail)
        }
        for text in [
            "", "tapped at  by its clock, net", "tapped at x by its clock, net", "tapped at 1 by its clock, nett",
            "tapped at 1 by its clock, net ", "not tapped at 1 by its clock, net",
        ] { #expect(ConsentDetail(text) == nil, "\(text)") }
    }

    @Test(
        "a moment is written to the millisecond and read back, and one out of the years 1970 to 9999 as the nearer end")
    func moments() {
        for milliseconds in [0, 500, 1000, 1_790_000_000_500, 253_402_300_799_500] as [Int64] {
            let moment = Timestamp(milliseconds: milliseconds)
            #expect(Timestamp(rfc3339: moment.rfc3339) == moment && moment.boundedText == moment.rfc3339)
        }
        #expect(Timestamp(milliseconds: 500).rfc3339 == "1970-01-01T00:00:00.500Z")
        #expect(Timestamp(milliseconds: -1).boundedText == "1970-01-01T00:00:00.000Z")
        #expect(Timestamp(milliseconds: 253_402_300_800_000).boundedText.hasPrefix("9999-12-31T23:59:59."))
        for text in ["", "now"] { #expect(Timestamp(rfc3339: text) == nil, "\(text)") }
    }

    @Test("the origins of an app's pages are those of its web addresses, without path and query")
    func origins() {
        let client = OpenIDClientRecord(
            appID: AppID(rawValue: "300000000001")!,
            redirectURIs: [
                "https://shop.example/back", "https://shop.example:8443?a=b", "http://localhost:3000",
                "com.example.shop://back", "com.example.shop:/back", "https:/none",
            ], authentication: .clientSecretBasic, secrets: [], keySet: nil, idTokenAlgorithm: .es256,
            asksMiddleDigits: false, requiresPushedRequests: false, page: "{}")
        #expect(client.origins == ["https://shop.example", "https://shop.example:8443", "http://localhost:3000"])
    }

    @Test("a trace's name begins with its time in milliseconds, and a family is never negative")
    func drawn() {
        let random = SystemRandomSource()
        for milliseconds in [0, 1, 255, 256, 1_790_000_000_500, 1 << 47] as [Int64] {
            let trace = TraceID(at: Timestamp(milliseconds: milliseconds), random: random)
            let digits = String(milliseconds, radix: 16)
            #expect(trace.rawValue.prefix(12) == String(repeating: "0", count: 12 - digits.count) + digits)
            #expect(trace.rawValue.utf8.count == 32)
        }
        #expect((0..<200).allSatisfy { _ in random.family() >= 0 })
        struct Ones: RandomSource {
            func bytes(_ count: Int) -> [UInt8] { Array(repeating: 0xff, count: count) }
        }
        #expect(Ones().family() == .max)
    }
}
