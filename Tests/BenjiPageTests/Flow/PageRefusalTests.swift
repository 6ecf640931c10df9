import Testing

@testable import BenjiPage

@Suite struct PageRefusalTests {
    private func flow(
        _ page: PageDescription, _ strictness: PageStrictness, screen: PageScreen = .phone
    ) throws -> PageFlow<AdvanceTable> {
        try PageFlow(
            page, facts: .sample(.mobile), screen: screen, strictness: strictness, measuredBy: AdvanceTable())
    }

    /// Breaks an error rule, but deceives no person.
    private let withoutOwnTerms = PageDescription()
    /// Hides that a login is asked for.
    private let luring = PageDescription.usual.with { $0.loginButton.title.text = LocalizedText("领取红包") }

    @Test("While an app is developed every error keeps the page away; later only what makes a consent void")
    func strictness() throws {
        #expect(try flow(withoutOwnTerms, .everyError).refusal != nil)
        #expect(try flow(withoutOwnTerms, .voidConsent).refusal == nil)
        #expect(try flow(luring, .everyError).refusal != nil)
        #expect(try flow(luring, .voidConsent).refusal != nil)
        #expect(try flow(.usual, .everyError).refusal == nil)
    }

    @Test("The reason names rule and place, and who explains them")
    func reason() throws {
        let text = try #require(flow(luring, .voidConsent).refusal).description
        for part in ["login-wording at login", "benji page lint"] { #expect(text.contains(part)) }
    }

    @Test("A refused page that somebody shows nevertheless closes, says why, and takes no tap")
    func shown() throws {
        var flow = try flow(luring, .voidConsent)
        let refusal = try #require(flow.refusal)
        let actions = flow.handle(.appeared, at: 1)
        #expect(actions == [.report(.findings(flow.findings)), .decide(.refused(refusal)), .close])
        #expect(flow.handle(.tickTapped, at: 2) == [])
    }

    @Test("What is broken but lets people log in is told to the app")
    func reported() throws {
        var flow = try flow(withoutOwnTerms, .voidConsent)
        #expect(flow.handle(.appeared, at: 1).contains(.report(.findings(flow.findings))))
        #expect(flow.findings.contains { $0.rule == .ownTerms && $0.severity == .error })
    }

    @Test("A page that fits one screen and not the other is refused on the other only, at the login tap too")
    func turned() throws {
        let page = PageDescription.usual.with { $0.terms.placement.landscape.top = 2000 }
        var flow = try flow(page, .voidConsent)
        _ = flow.handle(.appeared, at: 1)
        _ = flow.handle(.tickTapped, at: 2)
        let actions = flow.handle(.screenChanged(.phoneOnItsSide), at: 3)
        #expect(actions.contains(.report(.findings(flow.findings))))
        let refusal = try #require(flow.refusal)
        _ = flow.handle(.loginTapped, at: 4)
        #expect(flow.handle(.loginAnswered(true), at: 5).last == .decide(.refused(refusal)))
        _ = flow.handle(.screenChanged(.phone), at: 6)
        _ = flow.handle(.loginTapped, at: 7)
        guard case .decide(.consented)? = flow.handle(.loginAnswered(true), at: 8).last else {
            Issue.record("upright the page may be used")
            return
        }
    }

    @Test("What the app did to the page after it was shown is judged at the login tap: moved, hidden, faded, covered")
    func tampered() throws {
        let terms = try #require(try PageDescription.usual.scene(.phone)[.terms]?.frame)
        let tampering: [(String, (inout PageFlow<AdvanceTable>) -> Void)] = [
            (
                "moved off",
                { $0.placements = [PagePlaced(.terms, PageRect(0, 2000, 300, 40), opacity: 1, isTappable: true)] }
            ),
            ("hidden", { $0.placements = [PagePlaced(.terms, terms, opacity: 0, isTappable: true)] }),
            (
                "cut off",
                {
                    $0.placements = [
                        PagePlaced(.terms, PageRect(terms.x, terms.y, 20, 5), opacity: 1, isTappable: true)
                    ]
                }
            ),
            ("covered", { $0.appBoxes = [PageBox(.custom, terms)] }),
            (
                "out of reach",
                {
                    $0.placements = [
                        PagePlaced(.login, $0.scene[.login]?.frame ?? terms, opacity: 1, isTappable: false)
                    ]
                }
            ),
        ]
        for (name, tamper) in tampering {
            var flow = try flow(.usual, .voidConsent)
            _ = flow.handle(.appeared, at: 1)
            _ = flow.handle(.tickTapped, at: 2)
            _ = flow.handle(.loginTapped, at: 3)
            tamper(&flow)
            guard case .decide(.refused)? = flow.handle(.loginAnswered(true), at: 4).last else {
                Issue.record("\(name): the page was used")
                continue
            }
        }
    }

    @Test("What stands where it was laid out keeps its larger touch area")
    func unmoved() throws {
        var flow = try flow(.usual, .everyError)
        flow.placements = flow.scene.boxes.filter { $0.hitArea != nil }.map {
            PagePlaced($0.role, $0.frame, opacity: 1, isTappable: true)
        }
        for event in [PageEvent.appeared, .tickTapped, .loginTapped] { _ = flow.handle(event, at: 1) }
        guard case .decide(.consented)? = flow.handle(.loginAnswered(true), at: 4).last else {
            Issue.record("an untouched page was refused")
            return
        }
        #expect(!flow.findings.contains { $0.rule == .touchArea })
    }
}
