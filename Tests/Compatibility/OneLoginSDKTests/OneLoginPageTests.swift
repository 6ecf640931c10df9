#if canImport(UIKit)
import BenjiPage
import BenjiPageUIKit
import BenjiTesting
import FacadeScenarios
import OneLoginSDK
import OneTapTesting
import Testing
import UIKit
import Waiting

@testable import OneTapPage

@MainActor @Suite(.serialized) struct OneLoginPageTests {
    private final class Watcher: OneLoginDelegate {
        var heard: [String] = []
        func userDidDismissAuthViewController() { heard.append("dismissed") }
        func userDidSwitchAccount() { heard.append("switched") }
    }

    private let lab = OneLoginLab()
    private let host = UIViewController()
    private let screen: StandInScreen
    private let log = CallLog()
    private let model = OLAuthViewModel.usual

    init() { screen = StandInScreen(host) }

    @Test("A login on the real page: after the tick a tap gives the token, and the page stays until it is dismissed")
    func login() async throws {
        model.viewLifeCycleBlock = { [log] name, _ in log.note(name) }
        model.clickAuthButtonBlock = { [log] in log.note("tapped") }
        model.loadingViewBlock = { [log] _ in log.note("loading") }
        model.stopLoadingViewBlock = { [log] _ in log.note("stopped") }
        let page = try await lab.open(model, over: host, log)
        await lab.run {
            #expect(!OneLogin.isProtocolCheckboxChecked())
            #expect(OneLogin.currentAuthViewModel() === model)
        }
        screen.tap(try #require(page.views.tick))
        await lab.run { #expect(OneLogin.isProtocolCheckboxChecked()) }
        screen.tap(try #require(page.views.login))
        await log.wait(for: "result")
        #expect(log.results.first?["status"] == 200)
        #expect(page.view.window != nil, "the page stays")
        await lab.run {
            OneLogin.stopLoading()
            OneLogin.requestToken(with: host, viewModel: nil) { [log] in log.note($0) }
        }
        await log.wait(for: "result", count: 2)
        #expect(log.results.last?["errorCode"] == "-20103")
        await lab.run { OneLogin.dismissAuthViewController(false) { [log] in log.note("dismissed") } }
        await log.wait(for: "dismissed")
        #expect(page.view.window == nil)
        #expect(
            log.calls == [
                "viewDidLoad", "viewWillAppear", "viewDidAppear", "tapped", "loading", "result", "stopped", "result",
                "viewWillDisappear", "viewDidDisappear", "dismissed",
            ])
    }

    @Test("A page that begins ticked, as documented, logs in the app to which the operator has granted that")
    func tickedAtFirst() async throws {
        let lab = OneLoginLab(mayBeginTicked: true)
        model.defaultCheckBoxState = true
        let page = try await lab.open(model, over: host, log)
        await lab.run { #expect(OneLogin.isProtocolCheckboxChecked()) }
        screen.tap(try #require(page.views.login))
        await log.wait(for: "result")
        #expect(await lab.carrier.tokens.count == 1)
        #expect(log.results.first?["status"] == 200)
    }

    @Test("Without that grant it is not shown: the call ends at once and names property and capability")
    func tickedWithoutGrant() async throws {
        model.defaultCheckBoxState = true
        _ = await lab.prefetch()
        let answer = await lab.heard { OneLogin.requestToken(with: host, viewModel: model, completion: $0) }
        #expect(answer?["status"] == 500 && answer?["errorCode"] == "-40199")
        guard case .fields(let metadata)? = answer?["metaData"], case .text(let reason)? = metadata["description"]
        else {
            Issue.record("no reason is given: \(String(describing: answer))")
            return
        }
        #expect(metadata["situation"] == "page_failed")
        #expect(reason.contains("defaultCheckBoxState") && reason.contains("ticked-page"))
        #expect(host.presentedViewController == nil)
        #expect(await lab.carrier.requests.count == 1, "the prefetch, and nothing after it")
    }

    @Test("Fonts are drawn as they were given: on labels, on buttons, in the terms, and in a title that comes later")
    func fonts() async throws {
        let brand = try #require(UIFont(name: "Brand-Wide", size: 20))
        model.phoneNumFont = brand
        model.sloganTextFont = .systemFont(ofSize: 12, weight: .medium)
        model.authButtonTitle = NSAttributedString(string: "登录", attributes: [.font: brand])
        model.privacyTermsAttributes = [.font: brand.withSize(12)]
        let page = try await lab.open(model, over: host, log)
        func font(_ view: UIView?) -> UIFont? {
            if let text = (view as? UILabel)?.attributedText, text.length > 0 {
                return text.attributes(at: 0, effectiveRange: nil)[.font] as? UIFont
            }
            return view?.subviews.lazy.compactMap { font($0) }.first
        }
        #expect(font(page.views.number) == brand)
        #expect(font(page.views.slogan)?.fontName == ".SFUI-Medium")
        #expect(font(page.views.login) == brand)
        #expect(font(page.views.terms) == brand.withSize(12))
        #expect(font(page.views.switchAccount) == UIFont.systemFont(ofSize: 15))
        // The page is measured as it is drawn: a wide typeface has a wide box, and a high one a high line.
        let number = try #require(page.scene[.number]?.text)
        #expect(number.height == 20 * Double(StandInText.lineHeight))
        let medium = UIFont.systemFont(ofSize: 18, weight: .medium)
        let later = NSAttributedString(string: "登录", attributes: [.font: medium])
        await lab.run { OneLogin.updateAuthButtonTitle(later) }
        await mainTurn()
        #expect(font(page.views.login)?.fontName == ".SFUI-Medium")
    }

    @Test("Back closes the page by itself and tells the delegate")
    func back() async throws {
        let watcher = Watcher()
        await lab.run { OneLogin.setDelegate(watcher) }
        model.clickBackButtonBlock = { [log] in log.note("back") }
        let page = try await lab.open(model, over: host, log)
        #expect(page.accessibilityPerformEscape())
        await log.wait(for: "result")
        #expect(log.results.first?["errorCode"] == "-20302" && watcher.heard == ["dismissed"])
        #expect(log.calls == ["back", "result"])
        #expect(page.view.window == nil)
    }

    @Test(
        """
        Info.plist decides by which rules the page is judged: the document's, or today's, of which the set tick breaks \
        one
        """,
        arguments: [(nil, true, true), ("documents", true, true), ("current", true, false), ("current", false, true)])
    func profile(_ written: String?, _ isTicked: Bool, _ isShown: Bool) async throws {
        let lab = OneLoginLab(mayBeginTicked: true)
        var surroundings = lab.carrier.surroundings(page: nil)
        surroundings.pageProfile = { written }
        lab.shell.surround(with: surroundings)
        model.defaultCheckBoxState = isTicked
        // Today's rules ask for both.
        model.additionalPrivacyTerms?.append(
            OLPrivacyTermItem(title: "《隐私政策》", linkURL: URL(string: "https://app.example/privacy"), index: 2))
        guard isShown else {
            _ = await lab.prefetch()
            let answer = await lab.heard { OneLogin.requestToken(with: host, viewModel: model, completion: $0) }
            guard case .fields(let metadata)? = answer?["metaData"], case .text(let reason)? = metadata["description"]
            else {
                Issue.record("no reason is given: \(String(describing: answer))")
                return
            }
            #expect(metadata["situation"] == "page_failed")
            #expect(reason.contains(PageRule.untickedAtFirst.rawValue))
            return #expect(host.presentedViewController == nil)
        }
        let page = try await lab.open(model, over: host, log)
        #expect(page.view.window != nil && page.refusal == nil)
    }

    @Test("A name that is no profile of a drawn page means today's rules, and the log says what to write")
    func misspeltProfile() {
        for (written, expected, isTold) in [
            (nil, PageProfile.documents, false), ("documents", .documents, false), ("current", .current, false),
            ("Current", .current, true), ("documents-own-page", .current, true), ("", .current, true),
        ] {
            var told: [String] = []
            #expect(PageProfile(written: written) { told.append($0) } == expected)
            #expect(told.isEmpty == !isTold)
            #expect(told.allSatisfy { $0.contains("BenjiPageProfile") && $0.contains("\"current\"") })
        }
    }

    @Test(
        "Beside another app the page is shown: OneLogin's document says nothing against it, and it is laid out for that"
    )
    func splitView() async throws {
        screen.share(leaving: 320)
        let page = try await lab.open(model, over: host, log)
        #expect(page.scene.screen.size.width == 320 && page.refusal == nil)
    }

    @Test("A controller that is missing, or not on screen, ends in a code")
    func noController() async {
        _ = await lab.prefetch()
        let missing = await lab.heard { OneLogin.requestToken(with: nil, viewModel: nil, completion: $0) }
        #expect(missing?["status"] == 500 && missing?["errorCode"] == "-50101")
        let away = await lab.heard {
            OneLogin.requestToken(with: UIViewController(), viewModel: self.model, completion: $0)
        }
        #expect(away?["status"] == 500 && away?["errorCode"] == "-40199")
    }

    @Test("Calls about a page that is not there do nothing, and a dismissal still calls its block")
    func noPage() async {
        await lab.run {
            OneLogin.stopLoading()
            OneLogin.enableAuthButton()
            OneLogin.disableAuthButton()
            OneLogin.startRequestToken()
            OneLogin.updateAuthButtonTitle(nil)
            #expect(OneLogin.currentAuthViewController() == nil && !OneLogin.isProtocolCheckboxChecked())
            OneLogin.dismissAuthViewController { [log] in log.note("dismissed") }
        }
        await log.wait(for: "dismissed")
        #expect(log.calls == ["dismissed"])
    }
}
#endif
