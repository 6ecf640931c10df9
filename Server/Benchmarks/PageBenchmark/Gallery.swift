import BenchmarkSupport
import BenjiPage
import BenjiPageHTML
import Foundation

/// Pages, the ways in which each is looked at, and what must come out.
struct Gallery {
    private struct Case {
        var text: [UInt8]
        var canonical: Data
        var page: PageDescription
        var facts: PageFacts
        var screen: PageScreen
        /// As it was laid out first.
        var scene: PageScene
    }

    private static let terms = """
        "logo": { "image": { "name": "logo", "width": 72, "height": 72 } }, "loginButton": { "cornerRadius": 8 },
        "terms": { "items": [
          { "title": { "zh-Hans": "《用户协议》", "zh-Hant": "《使用者協議》", "en": "User Agreement" },
            "url": "https://app.example/agreement" },
          { "title": { "zh-Hans": "《隐私政策》", "zh-Hant": "《隱私政策》", "en": "Privacy Policy" },
            "url": "https://app.example/privacy" } ] }
        """
    private static let forms = [
        "", #", "popup": { "cornerRadius": 14, "closesOnOutsideTap": true }"#,
        #", "popup": { "position": "bottom", "corners": ["topLeft", "topRight"], "closesOnOutsideTap": true }"#,
    ]
    private static let screens = [
        PageScreen(320, 568, safeArea: PageInsets(top: 20)),
        PageScreen(393, 852, safeArea: PageInsets(top: 59, bottom: 34)),
        PageScreen(852, 393, safeArea: PageInsets(left: 59, bottom: 21, right: 59)),
        PageScreen(768, 1024, safeArea: PageInsets(top: 24, bottom: 20)),
    ]

    private let cases: [Case]
    private let repeats: Int
    private let table = AdvanceTable()
    private let judgement = PageJudge()

    init(repeats: Int) throws {
        self.repeats = repeats
        var cases: [Case] = []
        for form in Self.forms {
            let text = Array("{ \(Self.terms)\(form) }".utf8)
            let page = try PageDescription(parsing: text)
            let canonical = Data(try page.json().bytes)
            for carrier in PageCarrier.documented {
                for var screen in Self.screens {
                    for language in Language.allCases {
                        for appearance in PageAppearance.allCases {
                            screen.language = language
                            screen.appearance = appearance
                            let scene = try Self.scene(page, .sample(carrier), screen, table)
                            cases.append(
                                Case(
                                    text: text, canonical: canonical, page: page, facts: .sample(carrier),
                                    screen: screen, scene: scene))
                        }
                    }
                }
            }
        }
        self.cases = cases
        guard Set(cases.map(\.scene)).count == cases.count else {
            throw BenchmarkFailure("pages that are different were laid out alike")
        }
        try checkThatTheJudgeLooks()
    }

    private static func scene(
        _ page: PageDescription, _ facts: PageFacts, _ screen: PageScreen, _ table: AdvanceTable
    ) throws(PageError) -> PageScene {
        try PageScene(page, facts: facts, state: PageState(of: page), screen: screen, measuredBy: table)
    }

    private func checkThatTheJudgeLooks() throws {
        for one in cases {
            var small = one.page
            small.number.font.size = 10
            let scene = try Self.scene(small, one.facts, one.screen, table)
            let rules = judgement.findings(scene, facts: one.facts, missingTick: .init(of: small)).map(\.rule)
            guard rules == [.numberSize] else { throw BenchmarkFailure("the judge overlooks a number too small") }
        }
    }

    /// Microseconds that `body` takes for a page; afterwards every result of the last time must pass `isRight`.
    private func microseconds<Result>(
        _ body: (Case) throws -> Result, isRight: (Case, Result) -> Bool
    ) throws -> Double {
        var results: [Result] = []
        results.reserveCapacity(cases.count)
        let time = try seconds {
            for _ in 0..<repeats {
                results.removeAll(keepingCapacity: true)
                for one in cases { results.append(try body(one)) }
            }
        }
        guard zip(cases, results).allSatisfy(isRight), results.count == cases.count else {
            throw BenchmarkFailure("a result is not what it was at first")
        }
        return time / Double(repeats * cases.count) * 1e6
    }

    private func findings(_ scene: PageScene, _ one: Case) -> [PageFinding] {
        judgement.findings(scene, facts: one.facts, missingTick: .init(of: one.page))
    }

    func layOutAndJudge() throws -> Double {
        try microseconds {
            let scene = try Self.scene($0.page, $0.facts, $0.screen, table)
            return (scene, findings(scene, $0))
        } isRight: {
            $1.0 == $0.scene && $1.1.isEmpty
        }
    }

    func layOut() throws -> Double {
        try microseconds {
            try Self.scene($0.page, $0.facts, $0.screen, table)
        } isRight: {
            $1 == $0.scene
        }
    }

    func judge() throws -> Double {
        try microseconds {
            findings($0.scene, $0)
        } isRight: {
            $1.isEmpty
        }
    }

    func read() throws -> Double {
        try microseconds {
            try PageDescription(parsing: $0.text)
        } isRight: {
            $1 == $0.page
        }
    }

    func writeScenes() throws -> Double {
        try microseconds {
            $0.scene.json.bytes
        } isRight: {
            $1.count > 1000 && $1 == $0.scene.json.bytes
        }
    }

    func draw() throws -> Double {
        try microseconds {
            PageHTML([$0.scene], PageHTML.Options(nonce: "YmVuY2htYXJr")).document
        } isRight: {
            $1.contains($0.facts.maskedNumber) && $1.hasSuffix("</html>\n")
        }
    }

    func readWithFoundation() throws -> Double {
        try microseconds {
            try JSONSerialization.jsonObject(with: $0.canonical) as? [String: Any]
        } isRight: {
            $1?["loginButton"] != nil
        }
    }
}
