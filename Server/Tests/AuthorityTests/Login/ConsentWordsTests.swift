import BenjiPolicy
import BenjiProtocol
import Store
import Testing

@testable import Authority

/// The words that a page must have, checked without a login.
struct ConsentWordsTests {
    private static let terms = ("《移动认证服务条款》", "https://terms.example/")

    private func content(_ change: (inout ConsentContent) -> Void = { _ in }) -> ConsentContent {
        var content = ConsentContent(
            drawnBy: .benji, language: "zh-Hans", policyVersion: "v",
            texts: [.init(.number, ConsentContent.numberPlaceholder), .init(.loginButton, "登录")],
            links: [.init(title: "同意\(Self.terms.0)", url: Self.terms.1)], initiallyTicked: false)
        change(&content)
        return content
    }

    private func isRefused(_ content: ConsentContent, allowsInitialTick: Bool = false) -> Bool {
        ConsentRules.problem(
            in: content, policyVersion: "v", carriersTerms: .notNeeded, allowsInitialTick: allowsInitialTick) != nil
    }

    @Test(
        "the button may say login in each of its words, in capitals too",
        arguments: ["登录", "登錄", "登入", "注册", "註冊", "log in", "login", "sign in", "sign up", "register"])
    func loginWords(word: String) {
        for text in [word, "本机号码一键\(word)", word.uppercased()] {
            #expect(!isRefused(content { $0.texts[1].text = text }), "\(text)")
        }
        #expect(isRefused(content { $0.texts[1].text = String(word.dropLast()) }))
        // The words count only on the button, not in another text.
        #expect(isRefused(content { $0.texts = [.init(.number, "本机号码 \(word)"), .init(.loginButton, "好")] }))
    }

    @Test("the number is shown masked, or by its name, by any text")
    func numbers() {
        #expect(!isRefused(content { $0.texts = [.init(.loginButton, "本机号码登录")] }))
        #expect(!isRefused(content { $0.texts = [.init(.loginButton, "登录 \(ConsentContent.numberPlaceholder)")] }))
        #expect(isRefused(content { $0.texts = [.init(.loginButton, "登录")] }))
        #expect(isRefused(content { $0.policyVersion = "w" }))
        #expect(isRefused(content { $0.initiallyTicked = true }))
        #expect(!isRefused(content { $0.initiallyTicked = true }, allowsInitialTick: true))
    }

    @Test("a carrier that the policy does not know has no terms that are good enough")
    func unknownCarrier() {
        #expect(
            ConsentRules.problem(
                in: content(), policyVersion: "v", carriersTerms: .shown(nil), allowsInitialTick: false) != nil)
    }

    @Test("an app is named between quotation marks by the terms or a link, and nowhere else")
    func names() {
        for quotes in ["“”", "\"\"", "‘’", "「」", "『』", "《》", "【】"] {
            let name = "\(quotes.prefix(1))Shop\(quotes.suffix(1))"
            #expect(content { $0.texts.append(.init(.terms, "同意\(name)的条款")) }.names("Shop"), "\(name)")
            #expect(content { $0.links[0].title = name }.names("Shop"), "\(name)")
            #expect(!content { $0.texts[1].text = name }.names("Shop"), "\(name)")
            #expect(!content { $0.links[0].title = name }.names("Sho"), "\(name)")
        }
        for name in ["Shop", "“Shop", "“Shop’", "“ Shop”"] {
            #expect(!content { $0.links[0].title = name }.names("Shop"), "\(name)")
        }
    }

    @Test("where pages are approved, the description's digest or the page's must be, and elsewhere none")
    func approved() {
        func app(_ approved: [String], reviews: Bool) -> AppRecord {
            AppRecord(
                id: AppID(rawValue: "300000000001")!, name: "Shop", keys: [], capabilities: [], bundleIDs: [],
                serverAddresses: [], requiresPageReview: reviews, approvedContent: approved,
                createdAt: Timestamp(milliseconds: 0))
        }
        for (approved, reviews, page, isAccepted) in [
            ([], false, nil, true), ([], true, nil, false), ([], true, "p", false), (["p"], false, "p", true),
            (["p"], false, nil, false), (["p"], true, "q", false), (["c"], false, nil, true),
            (["c"], true, "q", true), (["x"], false, "p", false),
        ] as [([String], Bool, String?, Bool)] {
            let app = app(approved, reviews: reviews)
            #expect(app.accepts(pageDigest: page, contentDigest: "c") == isAccepted, "\(approved) \(reviews)")
            #expect(app.needsApprovedPages == (reviews || !approved.isEmpty))
        }
    }
}
