import Testing

@testable import ServerHTTP

@Suite("Pages from templates")
struct PageTemplatesTests {
    private let templates = PageTemplates([
        "page": Array("<a title=\"{{text}}\">{{>part}}</a>".utf8), "part": Array("{{text}}".utf8),
    ])

    @Test(
        "no text ends an attribute or begins an element, not even with an accent behind the mark, and not in a part",
        arguments: ["\"", "\"\u{301}", "'\u{301}", "<\u{338}b", ">\u{200d}", "&\u{301}"])
    func escaping(text: String) {
        let page = templates.render("page", ["text": "a\(text)b"])
        let marks = page.unicodeScalars.filter { "\"'<>".unicodeScalars.contains($0) }
        #expect(String(String.UnicodeScalarView(marks)) == "<\"\"><>")
        #expect(!page.contains("a&b") && page.unicodeScalars.count(where: { $0 == "&" }) == 2)
    }
}
