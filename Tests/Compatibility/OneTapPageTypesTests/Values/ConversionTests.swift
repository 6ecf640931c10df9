import BenjiPage
import OneTapCTypes
import Testing

@testable import OneTapPageTypes

@Suite struct ConversionTests {
    @Test("A rectangle of zeros is the default in every direction")
    func zero() { #expect(PagePlacement(OLRect()) == PagePlacement()) }

    @Test("A rectangle's fields keep their orientation and their direction")
    func fields() {
        let rect = OLRect(
            portraitTopYOffset: 1, portraitCenterXOffset: 2, portraitLeftXOffset: 3, landscapeTopYOffset: 4,
            landscapeCenterXOffset: 5, landscapeLeftXOffset: 6, size: OLSize(width: 7, height: 8))
        let placement = PagePlacement(rect)
        #expect(placement.portrait == .init(top: 1, center: 2, left: 3))
        #expect(placement.landscape == .init(top: 4, center: 5, left: 6))
        #expect(placement.size == PageSize(7, 8))
        #expect(placement.withoutSize.size == nil && placement.withoutSize.portrait == placement.portrait)
    }

    @Test("Offsets from an edge and sizes count above zero only; an offset from the middle may be negative")
    func negative() {
        let placement = PagePlacement(
            OLRect(
                portraitTopYOffset: -1, portraitCenterXOffset: -2, portraitLeftXOffset: -3, landscapeTopYOffset: -4,
                landscapeCenterXOffset: -5, landscapeLeftXOffset: -6, size: OLSize(width: -7, height: 8)))
        #expect(placement.portrait == .init(top: nil, center: -2, left: nil))
        #expect(placement.landscape == .init(top: nil, center: -5, left: nil))
        #expect(placement.size == nil)
    }

    @Test(
        "No number that an app can write is refused by the page",
        arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 0.000_01, 33.333_333, .leastNonzeroMagnitude])
    func strangeNumbers(_ number: Double) throws {
        let length = OLLength(number)
        var page = PageDescription(terms: [PageTerm(title: "条款", address: "https://app.example", index: .max)])
        page.logo.placement = PagePlacement(
            OLRect(
                portraitTopYOffset: length, portraitCenterXOffset: length, portraitLeftXOffset: length,
                landscapeTopYOffset: length, landscapeCenterXOffset: length, landscapeLeftXOffset: length,
                size: OLSize(width: length, height: length)))
        page.logo.cornerRadius = Measure.zeroOrMore(number) ?? 0
        page.terms.hint.offset = Measure.any(number) ?? 0
        #expect(throws: Never.self) { try page.json() }
    }

    @Test(
        "No text that an app can write is refused by the page, and what is left is what can be read",
        arguments: [
            ("一行\n两行", "一行 两行"), ("a\u{202e}b\u{200b}c\u{fe0f}\u{3164}d", "abcd"), ("\u{e000}甲\u{fffe}", "甲"),
            (String(repeating: "长", count: 500), String(repeating: "长", count: 200)),
            ("👩‍🚀 出发", "👩‍🚀 出发"),
            // Cut behind a joiner.
            (String(repeating: "长", count: 198) + "👩‍🚀", String(repeating: "长", count: 198) + "👩"),
        ])
    func strangeTexts(_ text: String, _ shown: String) throws {
        #expect(PageText.shown(text) == shown)
        var page = PageDescription.init()
        page.switchButton.title.text = try #require(PageText.localized(text))
        page.terms.words = try #require(PageText.glue([text, "", " ", text]))
        #expect(throws: Never.self) { try page.json() }
    }

    @Test("A text with nothing to read in it is none", arguments: ["", "  ", "\n", "\u{200b}"])
    func emptyTexts(_ text: String) { #expect(PageText.shown(text) == nil) }

    @Test("Words around the terms are taken from four on; fewer are the default")
    func glue() {
        #expect(PageText.glue(nil) == nil)
        #expect(PageText.glue(["登录即同意", "和", "、"]) == nil)
        #expect(PageText.glue(["阅读", " ", "", "。"])?.map { $0[.english] } == ["阅读", " ", "", "。"])
        #expect(PageText.glue(["一", "二", "三", "四", "五"])?.count == 5)
    }

    @Test("Terms at a plain address are opened by https; any other address stays as it is")
    func addresses() {
        #expect(PageTerm(title: "条款", address: "HTTP://app.example/a", index: 0).url == "https://app.example/a")
        #expect(PageTerm(title: "条款", address: "https://app.example/a", index: 0).url == "https://app.example/a")
        #expect(PageTerm(title: "条款", address: "file:///terms.html", index: 0).url == "file:///terms.html")
    }

    @Test("Terms that cannot be opened, or have no title, are named by the page, not dropped")
    func refusedTerms() {
        for term in [("条款", "file:///terms.html"), ("条款", ""), ("\u{200b}", "https://app.example")] {
            let page = PageDescription(terms: [PageTerm(title: term.0, address: term.1, index: 0)])
            #expect(throws: PageError.self) { try page.json() }
        }
    }
}
