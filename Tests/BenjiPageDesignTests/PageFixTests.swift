import BenjiPage
import BenjiPageDesign
import BenjiPageReports
import PageProperties
import Testing

@Suite("Fixes of findings")
struct PageFixTests {
    /// A page that breaks a rule, and the box that the finding names.
    struct Case: Sendable, CustomTestStringConvertible {
        var rule: PageRule
        var role: PageRole
        var spoil: @Sendable (inout PageDescription) -> Void

        init(_ rule: PageRule, _ role: PageRole, _ spoil: @escaping @Sendable (inout PageDescription) -> Void) {
            (self.rule, self.role, self.spoil) = (rule, role, spoil)
        }

        var testDescription: String { "\(rule.rawValue) \(role.rawValue)" }
    }

    static let cases = [
        Case(.contrast, .number) { $0.number.color = AdaptiveColor(0xaaaaaa, dark: 0x444444) },
        Case(.contrast, .slogan) { $0.slogan.color = AdaptiveColor(PageColor(0x808080, alpha: 120)) },
        Case(.contrast, .terms) { $0.terms.linkColor = AdaptiveColor(0x88bbff, dark: 0x224466) },
        Case(.contrast, .login) { $0.loginButton.fills.normal = AdaptiveColor(0xffcc00, dark: 0xffcc00) },
        Case(.contrast, .login) {
            $0.loginButton.needsTick = true
            $0.loginButton.fills.disabled = AdaptiveColor(0xcccccc, dark: 0xcccccc)
        },
        Case(.numberVisible, .number) { $0.number.placement.portrait.top = 5000 },
        Case(.numberVisible, .number) { $0.number.color = AdaptiveColor(0xffffff, dark: 0x1c1c1e) },
        Case(.slogan, .slogan) { $0.slogan.placement.portrait.left = 900 },
        Case(.termsVisible, .terms) { $0.terms.placement.portrait.top = 3000 },
        Case(.loginUsable, .login) { $0.loginButton.placement.portrait.top = 3000 },
        Case(.loginWording, .login) { $0.loginButton.title.text = LocalizedText("下一步", "下一步", "Next step") },
        Case(.loginSize, .login) { ($0.loginButton.placement.width, $0.loginButton.placement.height) = (120, 30) },
        Case(.untickedAtFirst, .tick) { $0.terms.tick.isInitiallySet = true },
        Case(.missingTick, .login) { $0.terms.hint.isShown = false },
        Case(.ownTerms, .terms) { $0.terms.items = [] },
        Case(.ownTerms, .terms) { $0.terms.items.removeLast() },
        Case(.quotationMarks, .terms) { $0.terms.quotesCarrierTerms = false },
        Case(.quotationMarks, .terms) { $0.terms.items[0].title = LocalizedText("用户协议", "使用者協議", "User Agreement") },
        Case(.numberSize, .number) { $0.number.font.size = 11 },
        Case(.termsSize, .terms) { $0.terms.font.size = 9 },
        Case(.termsSize, .tick) { $0.terms.tick.size = 8 },
        Case(.touchArea, .tick) { $0.terms.placement.portrait.left = 10 },
        Case(.otherLogin, .switchAccount) { $0.switchButton.isHidden = true },
        Case(.closable, .back) { $0.navigationBar.isHidden = true },
        Case(.opaquePage, .background) {
            $0.background.color = AdaptiveColor(
                light: PageColor(0xffffff, alpha: 120), dark: PageColor(0x1c1c1e, alpha: 120))
        },
        Case(.oneConsent, .terms) { $0.terms.words[3] = LocalizedText("并接收营销短信", "並接收營銷短信", " and to newsletters") },
    ]

    private func findings(_ page: PageDescription) throws -> Set<PageFinding> {
        let viewings = PageViewing.all(of: page, by: PageCarrier.documented.map { ($0, CarrierDuties.standard($0)) })
        return Set(try PageFindings(page, viewings, .current).entries.map(\.finding))
    }

    @Test("A fix makes its finding vanish and brings no other", arguments: cases)
    func vanishes(_ one: Case) throws {
        var page = PageSamples.usual
        one.spoil(&page)
        let before = try findings(page)
        try #require(before.contains { $0.rule == one.rule && $0.role == one.role })
        let fixed = try #require(page.fixed(one.rule, one.role))
        let after = try findings(fixed)
        #expect(!after.contains { $0.rule == one.rule && $0.role == one.role })
        #expect(after.isSubset(of: before))
    }

    @Test(
        "Where a person has to decide there is no fix",
        arguments: [PageRule.customOverlap, .languages, .otherCarrier, .numberMasked])
    func leavesDecisions(_ rule: PageRule) { #expect(PageSamples.usual.fixed(rule, .custom) == nil) }

    @Test(
        "A page that begins with any colour keeps every rule",
        arguments: [0x000000, 0xffffff, 0xffcc00, 0x0a7a3c, 0xff2d55, 0x1666d9, 0x808080, 0x00ffff, 0x4b0082, 0xfefefe]
            as [UInt32])
    func beginsReadable(_ color: UInt32) throws {
        #expect(try findings(PageDescription(brand: PageColor(color))) == [])
        // A button that waits for the tick has its other colour.
        var waiting = PageDescription(brand: PageColor(color))
        waiting.loginButton.needsTick = true
        #expect(try findings(waiting) == [])
    }

    @Test("A page that begins with a colour has it, where it can be read")
    func keepsTheColor() {
        let page = PageDescription(brand: PageColor(0x0a7a3c))
        #expect(page.loginButton.fills.normal.light == PageColor(0x0a7a3c))
        #expect(page.terms.linkColor.light == PageColor(0x0a7a3c))
    }
}
