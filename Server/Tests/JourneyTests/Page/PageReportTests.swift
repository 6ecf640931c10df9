import Administration
import ArgumentParser
import BenjiPage
import BenjiPageReports
import Testing

@testable import BenjiCommand

@Suite("What `benji page lint` says")
struct PageReportTests {
    private func page(_ change: (inout PageDescription) -> Void = { _ in }) throws -> PageDescription {
        var page = try StartPage.fullScreen.page
        change(&page)
        return page
    }

    private func viewings(_ pages: PageDescription..., arguments: [String] = []) throws -> [PageViewing] {
        try PageRangeOptions.parse(arguments).viewings(of: pages)
    }

    @Test("each page to start from keeps every rule in every way of looking", arguments: StartPage.allCases)
    func start(_ kind: StartPage) throws {
        let page = try kind.page
        let all = try viewings(page)
        #expect(all.count == 72)
        #expect(try PageFindings(page, all, .current).entries.isEmpty)
    }

    @Test("a page to start from says with all its defaults what it says without", arguments: StartPage.allCases)
    func full(_ kind: StartPage) throws {
        let page = try kind.page
        #expect(try PageDescription(PageJSON(parsing: try page.json().indented)) == page)
        #expect(try PageDescription(PageJSON(parsing: try PageJSON(parsing: kind.text).indented)) == page)
    }

    @Test("a rule that is broken everywhere is told once, errors before warnings")
    func once() throws {
        let page = try page {
            $0.switchButton.isHidden = true
            $0.number.font.size = 10
        }
        let report = try PageFindings(page, viewings(page), .current)
        #expect(report.entries.map(\.finding.rule) == [.numberSize, .otherLogin])
        #expect(report.entries.map(\.finding.severity) == [.error, .warning])
        #expect(report.entries.allSatisfy { $0.viewings == report.viewings })
        #expect((report.count(.error), report.count(.warning)) == (1, 1))
    }

    @Test("a rule that is broken in one language alone is told with that language")
    func language() throws {
        let page = try page { $0.loginButton.title.text.english = "Get your reward" }
        let report = try PageFindings(page, viewings(page), .current)
        let entry = try #require(report.entries.first)
        #expect(report.entries.count == 1)
        #expect(entry.finding.rule == .loginWording)
        #expect(PageViewing.summary(entry.viewings, of: report.viewings) == "language en")
    }

    @Test("a page that never turns is not looked at from the side")
    func orientation() throws {
        let upright = try page { $0.presentation.orientations = [.portrait] }
        #expect(try viewings(upright).allSatisfy { !$0.screen.isLandscape })
        #expect(try viewings(upright).count == 54)
        // Somebody who asks for the screen gets it.
        #expect(try viewings(upright, arguments: ["--screen", "side"]).count == 18)
        // A comparison looks wherever one of the two is shown.
        #expect(try viewings(upright, page()).count == 72)
    }

    @Test("the options narrow the ways of looking, and none is looked at twice")
    func narrowed() throws {
        let arguments = [
            "--screen", "phone", "--screen", "430x932", "--screen", "phone", "--carrier", "unicom", "--language", "en",
            "--appearance", "dark", "--safe-area", "59,1,34,2",
        ]
        let all = try viewings(page(), arguments: arguments)
        #expect(all.map(\.screenName) == ["phone", "430x932"])
        #expect(
            all.allSatisfy { $0.carrier == .unicom && $0.screen.language == .english && $0.screen.appearance == .dark })
        #expect(all.allSatisfy { $0.screen.safeArea == PageInsets(top: 59, left: 1, bottom: 34, right: 2) })
    }

    @Test(
        "a screen that is none is refused",
        arguments: ["fone", "", "x", "393", "393x", "20x852", "393x852x1", "-393x852", "nanx852", "infx852"])
    func screen(_ text: String) {
        #expect(throws: (any Error).self) { try NamedScreen.read(text) }
    }
}
