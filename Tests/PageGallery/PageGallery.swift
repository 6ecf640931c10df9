import BenjiPage
import BenjiPageHTML
import BenjiPageReports
import Foundation

/// `PageGallery PAGES OUT` lays every description in the folder PAGES out for three carriers and four screens. For each
/// it writes an HTML document, the scene that it was made of, the request for it and the answer into the folder OUT.
@main struct PageGallery {
    /// An old telephone, one of today upright and on its side, and a tablet. Between them they have both appearances,
    /// two languages and a larger text size.
    static let screens: [(name: String, screen: PageScreen)] = [
        ("small", PageScreen(320, 568, safeArea: PageInsets(top: 20))),
        ("phone", PageScreen(393, 852, safeArea: PageInsets(top: 59, bottom: 34))),
        (
            "side",
            PageScreen(
                852, 393, safeArea: PageInsets(left: 59, bottom: 21, right: 59), language: .english)
        ),
        (
            "tablet",
            PageScreen(768, 1024, safeArea: PageInsets(top: 24, bottom: 20), appearance: .dark, textScale: 1.5)
        ),
    ]

    /// The examples' pictures by name, so small that they fit into their address.
    static func media(_ folder: URL) throws -> [(name: String, address: String)] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().filter { $0.hasSuffix(".svg") }.map {
            file in
            let content = try Data(contentsOf: folder.appending(path: file))
            return (String(file.dropLast(4)), "data:image/svg+xml;base64," + content.base64EncodedString())
        }
    }

    /// Requests that are refused.
    static let malformed = [
        "", "{", "[]", #"{"pages":{}}"#, #"{"page":{"logo":{"cornerRadius":-1}}}"#, #"{"screen":{"width":NaN}}"#,
        #"{"page":{"loginButton":{"text":"登\u202e录"}}}"#, #"{"facts":{"duties":{"termsURL":"javascript:alert(1)"}}}"#,
        #"{"page":{"terms":{"items":[{"title":"A","url":"http://a.example"}]}}}"#,
        #"{"page":{"loginButton":{"text":""# + String(repeating: "登", count: 100_000) + #""}}}"#,
    ]

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            print("usage: PageGallery PAGES OUT")
            exit(2)
        }
        let pages = URL(filePath: arguments[1])
        let out = URL(filePath: arguments[2])
        try write(lineBreaks().bytes, "line-breaks.json", to: out)
        let media = try media(pages.appending(path: "Pictures"))
        let names = try FileManager.default.contentsOfDirectory(atPath: pages.path).filter { $0.hasSuffix(".json") }
        for (number, text) in malformed.enumerated() {
            try write(Array(text.utf8), "malformed-\(number).request.json", to: out)
            try write(PageRequest.answer(Array(text.utf8)), "malformed-\(number).answer.json", to: out)
        }
        for name in names.sorted() {
            let text = try Data(contentsOf: pages.appending(path: name))
            let page: PageDescription
            do throws(PageError) { page = try PageDescription(parsing: Array(text)) } catch {
                print("\(name): \(error)")
                exit(1)
            }
            for carrier in PageCarrier.documented {
                for (screenName, screen) in screens {
                    var request = PageRequest()
                    request.page = page
                    request.facts = .sample(carrier)
                    request.screen = screen
                    var ticked = PageState(of: page)
                    ticked.isTicked = true
                    let scenes = try [PageState(of: page), ticked].map { state in
                        try PageScene(
                            page, facts: request.facts, state: state, screen: screen, measuredBy: AdvanceTable())
                    }
                    let scene = scenes[0]
                    var options = PageHTML.Options(nonce: "Z2FsbGVyeQ")
                    options.media = media
                    let stem = "\(name.dropLast(5))-\(carrier.rawValue)-\(screenName)"
                    let asked = try request.json().bytes
                    let document = PageHTML([scene], ticked: [scenes[1]], options).document
                    try write(Array(document.utf8), stem + ".html", to: out)
                    try write(scene.json.bytes, stem + ".scene.json", to: out)
                    try write(asked, stem + ".request.json", to: out)
                    try write(PageRequest.answer(asked), stem + ".answer.json", to: out)
                }
            }
        }
    }

    /// The sentence about the terms in every language, for every carrier, in three sizes and many widths. Each case has
    /// text, size, width and the lines that it was broken into.
    private static func lineBreaks() throws -> PageJSON {
        var cases: [PageJSON] = []
        for language in Language.allCases {
            for carrier in PageCarrier.documented {
                for size in [12.0, 14, 17] {
                    for width in stride(from: 90.0, through: 400, by: 7.5) {
                        var page = PageDescription(terms: [
                            PageTerm(
                                LocalizedText("《用户协议》", "《使用者協議》", "User Agreement"), url: "https://app.example/a"),
                            PageTerm(
                                LocalizedText("《隐私政策（2026年版）》", "《隱私政策（2026年版）》", "Privacy Policy (2026)"),
                                url: "https://app.example/b"),
                        ])
                        page.terms.font.size = size
                        page.terms.placement = PagePlacement(width: width, height: 400)
                        let scene = try PageScene(
                            page, facts: .sample(carrier), state: PageState(of: page),
                            screen: PageScreen(1000, 1000, language: language), measuredBy: AdvanceTable())
                        guard let text = scene[.terms]?.text, let width = PageJSON.number(width) else { continue }
                        let lines = text.lines.map { line in PageJSON.string(line.runs.map(\.text).joined()) }
                        cases.append(
                            .array([.string(text.text), .number(thousandths: Int64(size * 1000)), width, .array(lines)])
                        )
                    }
                }
            }
        }
        // A JSON array holds 256 values at most.
        return .array(
            stride(from: 0, to: cases.count, by: 200).map { .array(Array(cases[$0..<min($0 + 200, cases.count)])) })
    }

    private static func write(_ bytes: [UInt8], _ name: String, to folder: URL) throws {
        try Data(bytes).write(to: folder.appending(path: name))
    }
}
