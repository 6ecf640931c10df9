import Administration
import ArgumentParser
import BenjiPage
import BenjiPageReports
import BenjiProtocol
import Testing

@testable import BenjiCommand

@Suite("What `benji page diff` says")
struct PageComparisonTests {
    private func compared(
        _ change: (inout PageDescription) -> Void, from first: (inout PageDescription) -> Void = { _ in }
    ) throws -> PageComparison {
        var old = try StartPage.fullScreen.page
        first(&old)
        var new = old
        change(&new)
        return try PageComparison(old, new, PageRangeOptions.parse([]).viewings(of: [old, new]), .current)
    }

    private func kinds(_ comparison: PageComparison) -> Set<String> {
        Set(comparison.boxes.map { "\($0.key.change.rawValue) \($0.key.role.rawValue)" })
    }

    @Test("a page is the same as itself with its defaults written out, and has the same digest")
    func same() throws {
        let page = try StartPage.popup.page
        let full = try PageDescription(page.json())
        let comparison = try PageComparison(
            page, full, PageRangeOptions.parse([]).viewings(of: [page, full]), .current)
        #expect(comparison.isSame && comparison.boxes.isEmpty && comparison.gained.isEmpty && comparison.lost.isEmpty)
        #expect(comparison.lines == ["the same page"])
        func digest(_ page: PageDescription) throws -> String {
            ConsentRecord.digest(ofPage: try page.bytesForDigest())
        }
        #expect(try digest(page) == digest(full))
        #expect(try digest(page) != digest(StartPage.fullScreen.page))
    }

    @Test("a colour is a changed box that has not moved, with the path of its field")
    func colour() throws {
        let comparison = try compared { $0.loginButton.fills.normal = AdaptiveColor(0x0a5a3c, dark: 0x0a5a3c) }
        #expect(comparison.fields.map(\.path) == ["$.loginButton.fills.normal"])
        #expect(kinds(comparison) == ["changed login"])
        #expect(comparison.boxes.first?.cases.count == 72)
    }

    @Test("a placement is a moved box in its orientation, and nothing else about it changed")
    func moved() throws {
        let comparison = try compared { $0.number.placement.portrait.top = 60 }
        #expect(comparison.fields.map(\.path) == ["$.number.placement.portrait.top"])
        let box = try #require(comparison.boxes.first { $0.key.role == .number })
        #expect(box.key.change == .moved)
        #expect(box.cases.count == 54 && box.cases.allSatisfy { !$0.viewing.screen.isLandscape })
        #expect(comparison.boxes.allSatisfy { $0.key.change == .moved })
    }

    @Test(
        """
        what is hidden is removed, and the finding that this brings is gained; the other way round it is added and lost
        """
    )
    func hidden() throws {
        let away = try compared { $0.switchButton.isHidden = true }
        #expect(kinds(away).contains("removed switchAccount"))
        #expect(away.gained.map(\.finding) == [PageFinding(.otherLogin, .warning, .switchAccount)])
        #expect(away.lost.isEmpty)
        let back = try compared({ $0.switchButton.isHidden = false }, from: { $0.switchButton.isHidden = true })
        #expect(kinds(back).contains("added switchAccount"))
        #expect(back.lost.map(\.finding) == [PageFinding(.otherLogin, .warning, .switchAccount)])
        #expect(back.gained.isEmpty)
    }

    @Test("a finding that spreads from one language to all is gained in the others only")
    func spreads() throws {
        let comparison = try compared(
            { $0.loginButton.title.text.simplifiedChinese = "免费领取" },
            from: { $0.loginButton.title.text.english = "Get your reward" })
        let entry = try #require(comparison.gained.first)
        #expect(comparison.gained.count == 1 && entry.finding.rule == .loginWording)
        #expect(PageViewing.summary(entry.viewings, of: comparison.viewings) == "language zh-Hans")
    }

    @Test("two spellings of one character are different pages, as their digests are")
    func spellings() throws {
        let comparison = try compared(
            { $0.loginButton.title.text.english = "Log in cafe\u{301}" },
            from: { $0.loginButton.title.text.english = "Log in caf\u{e9}" })
        #expect(!comparison.isSame)
    }
}
