import BenjiPage
import BenjiPageReports
import PageProperties
import Testing

private func answer(_ text: String) throws -> PageJSON { try PageJSON(parsing: PageRequest.answer(Array(text.utf8))) }

@Suite struct PageRequestTests {
    @Test("The answer is the scene that the layout makes and what the judge finds")
    func scene() throws {
        var request = PageRequest()
        request.page = PageSamples.usual
        request.facts = .sample(.telecom)
        request.screen = PageScreen(393, 852, safeArea: PageInsets(top: 59, bottom: 34))
        let text = try request.json().text
        let answer = try answer(text)
        let scene = try PageScene(
            request.page, facts: request.facts, state: PageState(of: request.page), screen: request.screen,
            measuredBy: AdvanceTable())
        #expect(answer["scene"] == scene.json)
        #expect(answer["findings"] == .array([]))
    }

    @Test("Findings come with their explanation, and a tick that is set later is none")
    func findings() throws {
        guard case .array(let findings)? = try answer("{}")["findings"] else {
            Issue.record("no findings")
            return
        }
        #expect(findings.map { $0["rule"] } == [.string("own-terms")])
        #expect(findings[0]["explanation"]?["en"] == .string(PageRule.ownTerms.explanation.english))
        let ticked = try answer(#"{"ticked":true}"#)
        #expect(ticked["findings"] == .array(findings))
        #expect(ticked["scene"] != (try answer("{}"))["scene"])
        let initially = try answer(#"{"page":{"terms":{"tick":{"initiallySet":true}}},"ticked":false}"#)
        guard case .array(let more)? = initially["findings"] else {
            Issue.record("no findings")
            return
        }
        #expect(more.contains { $0["rule"] == .string("unticked-at-first") })
    }

    @Test(
        "A request that is no request is answered with the path of its fault",
        arguments: [
            ("", "$"), (#"{"page":{"lgoo":1}}"#, "$.page.lgoo"), (#"{"screen":{"width":5}}"#, "$.screen.width"),
            (#"{"profile":"lax"}"#, "$.profile"), (#"{"facts":{"carrier":"acme"}}"#, "$.facts.carrier"),
        ])
    func refused(text: String, place: String) throws {
        #expect(try answer(text)["error"]?["place"] == .string(place))
    }
}
