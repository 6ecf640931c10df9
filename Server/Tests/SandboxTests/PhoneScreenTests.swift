import Benji
import BenjiClient
import BenjiPage
@_spi(Server) import BenjiProtocol
import HTTPTypes
import Hummingbird
import ServerTestKit
import Testing

@testable import Sandbox
@testable import SandboxWeb

@Suite("The drawn phone's screen")
struct PhoneScreenTests {
    private let offer = PageOffer(
        maskedNumber: "138****0011", carrier: .mobile,
        page: CarrierPage(
            termsTitle: "中国移动认证服务条款", termsURL: "https://carrier.example/terms",
            slogan: "中国移动提供认证服务"),
        policyVersion: "1", trace: TraceID(random: SystemRandomSource()))

    private func page() -> PageDescription {
        var page = PageDescription(terms: [
            PageTerm(LocalizedText("《用户协议》", "《使用者協議》", "User Agreement"), url: "https://shop.example/agreement"),
            PageTerm(LocalizedText("《隐私政策》", "《隱私政策》", "Privacy Policy"), url: "https://shop.example/privacy"),
        ])
        page.consentDialog = PageDescription.ConsentDialog()
        return page
    }

    /// Shows the page and runs `act` once it is there.
    private func outcome(
        _ screen: PhoneScreen, _ act: @escaping @Sendable (PhoneScreen) -> Void
    ) async throws -> PresentationOutcome {
        let (_, presenter) = screen.begin(page(), .english)
        async let outcome = presenter.present(offer)
        try await until { if case .page = screen.shown { true } else { false } }
        act(screen)
        let decided = await outcome
        if case .failed(let reason) = decided { Issue.record("\(reason)") }
        return decided
    }

    @Test("tick and tap on the page that is shown are the consent, with the words and boxes of that page")
    func consents() async throws {
        let screen = PhoneScreen()
        let outcome = try await outcome(screen) { screen in
            guard case .page(let page) = screen.shown else { return }
            #expect(page.facts.maskedNumber == "138****0011" && !page.state.isTicked)
            #expect(screen.isAtRest)
            screen.tap("login", isTicked: true)
            #expect(!screen.isAtRest, "the page shows that it waits")
        }
        guard case .consented(let consent) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(consent.content.drawnBy == .benji && consent.content.policyVersion == "1")
        #expect(consent.sceneDigest != nil && consent.tickedAt <= consent.tappedAt)
    }

    @Test("a tap without the tick is no consent: the page asks once more, and a no leaves it as it was")
    func asksOnceMore() async throws {
        let screen = PhoneScreen()
        let outcome = try await outcome(screen) { screen in
            func state() -> PageState? {
                guard case .page(let page) = screen.shown else { return nil }
                return page.state
            }
            screen.tap("login", isTicked: false)
            #expect(state()?.isDialogShown == true && state()?.isLoading == false)
            screen.tap("disagree", isTicked: false)
            #expect(state()?.isDialogShown == false && state()?.isTicked == false)
            screen.tap("nonsense", isTicked: true)
            #expect(state()?.isTicked == false)
            screen.tap("login", isTicked: false)
            screen.tap("agree", isTicked: false)
        }
        guard case .consented = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test("closing the page, another way and leaving the app end the login, each in its own way")
    func leaving() async throws {
        #expect(try await outcome(PhoneScreen()) { $0.tap("close", isTicked: false) } == .cancelled)
        #expect(try await outcome(PhoneScreen()) { $0.tap("switch", isTicked: false) } == .switchAccount)
        #expect(try await outcome(PhoneScreen()) { $0.leave() } == .cancelled)
    }

    @Test("a login that is begun anew ends the one before, whose outcome shows nowhere any more")
    func anew() async throws {
        let screen = PhoneScreen()
        let (first, presenter) = screen.begin(page(), .english)
        async let outcome = presenter.present(offer)
        try await until { if case .page = screen.shown { true } else { false } }
        let (second, _) = screen.begin(page(), .english)
        #expect(await outcome == .cancelled)
        screen.end(first, with: AppLogin(situation: .userCancelled))
        guard case .waiting = screen.shown else {
            Issue.record("the first login's end is shown")
            return
        }
        screen.end(second, with: AppLogin(situation: .success, maskedNumber: "138****0011"))
        guard case .app(let last) = screen.shown else {
            Issue.record("the second login's end is not shown")
            return
        }
        #expect(last?.maskedNumber == "138****0011")
    }

    @Test("the sandbox's own page alone may frame the screen, and neither runs a script that is not its own")
    func policies() async throws {
        let phone = SandboxPhone(position: 1)
        let web = try ServerURL("http://127.0.3.1:1000")
        let drawn = ScreenPage(phone: phone, web: web, language: .english, origin: "http://127.0.0.1:8090")
        let app = try drawn.response(SandboxTemplates())
        #expect(app.headers[.contentSecurityPolicy]?.contains("frame-ancestors http://127.0.0.1:8090") == true)
        _ = try await outcome(phone.screen) { screen in
            let page = try? drawn.response(SandboxTemplates())
            let policy = page?.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("frame-ancestors http://127.0.0.1:8090") && !policy.contains("script"))
            #expect(policy.hasPrefix("default-src 'none'"))
            screen.leave()
        }
        #expect(SandboxGuard.policy.contains("frame-ancestors 'none'") && !SandboxGuard.policy.contains("unsafe"))
    }
}
