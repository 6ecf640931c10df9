#if canImport(UIKit)
import BenjiPage
import BenjiPageUIKit
import BenjiTesting
import FacadeScenarios
import Foundation
import OneTapShell
import Testing
import UIKit

@testable import GeYanSdk

@MainActor @Suite(.serialized) struct GeYanPageTests {
    private let host = UIViewController()
    private let screen: StandInScreen
    private let log = CallLog()

    init() { screen = StandInScreen(host) }

    private func model() -> GyAuthViewModel {
        let model = GyAuthViewModel()
        model.defaultCheckBoxState = false
        model.additionalPrivacyTerms = [
            GyAuthPrivacyItem(title: "《用户协议》", linkURL: URL(string: "https://app.example/agreement")),
            GyAuthPrivacyItem(title: "《隐私政策》", linkURL: URL(string: "https://app.example/privacy"), index: 1) {
                [log] item, _ in log.note("own block of \(item.termTitle)")
            },
        ]
        return model
    }

    /// Prefetches, logs in, and returns once the page is there.
    private func open(_ model: GyAuthViewModel, _ lab: GeYanLab) async throws -> AuthorizationPageViewController {
        let (arrival, appeared) = AsyncStream.makeStream(of: Void.self)
        let told = model.viewLifeCycleBlock
        model.viewLifeCycleBlock = { name, isAnimated in
            told?(name, isAnimated)
            if name == "viewDidAppear" { appeared.finish() }
        }
        _ = await lab.prefetch()
        return try await lab.run {
            GeYanSdk.oneTapLogin(host, with: model) { [log] result in
                log.note(result)
                appeared.finish()
            }
            for await _ in arrival {}
            let page = try #require(GeYanSdk.currentAuthViewController() as? AuthorizationPageViewController)
            screen.settle()
            return page
        }
    }

    /// Taps the first part of a link with the finger: 0 is the carrier's.
    private func tapLink(_ index: Int, on page: AuthorizationPageViewController) throws {
        let area = try #require(page.scene.linkAreas.first { $0.link == index }?.area)
        screen.tap(CGPoint(x: area.midX, y: area.midY))
    }

    @Test("A login on the page that is drawn calls every block once, in order, and the page stays until it is closed")
    func login() async throws {
        let lab = GeYanLab()
        let model = model()
        model.viewLifeCycleBlock = { [log] name, _ in log.note(name) }
        model.customUIHandler = { [log] _ in log.note("customUIHandler") }
        model.clickAuthButtonBlock = { [log] in log.note("clickAuthButtonBlock") }
        model.loadingViewBlock = { [log] _ in log.note("loadingViewBlock") }
        model.stopLoadingViewBlock = { [log] _ in log.note("stopLoadingViewBlock") }
        let page = try await open(model, lab)
        await lab.run { #expect(!GeYanSdk.isProtocolCheckboxChecked()) }
        screen.tap(try #require(page.views.tick))
        await lab.run { #expect(GeYanSdk.isProtocolCheckboxChecked()) }
        screen.tap(try #require(page.views.login))
        await log.wait(for: "result")
        #expect(log.results.first?["code"] == 30000 && page.view.window != nil)
        await lab.run {
            GeYanSdk.stopLoading()
            GeYanSdk.oneTapLogin(host, with: nil) { [log] in log.note($0) }
        }
        await log.wait(for: "result", count: 2)
        #expect(log.results.last?["errorCode"] == "-20103", "one page at a time")
        await lab.run { GeYanSdk.closeAuthVC(false) { [log] in log.note("closed") } }
        await log.wait(for: "closed")
        #expect(page.view.window == nil)
        #expect(
            log.calls == [
                "viewDidLoad", "viewWillAppear", "customUIHandler", "viewDidAppear", "clickAuthButtonBlock",
                "loadingViewBlock", "result", "stopLoadingViewBlock", "result", "viewWillDisappear",
                "viewDidDisappear", "closed",
            ])
    }

    @Test("A page that begins ticked, as documented, logs in the app to which the operator has granted that")
    func tickedAtFirst() async throws {
        let lab = GeYanLab(mayBeginTicked: true)
        let model = model()
        model.defaultCheckBoxState = true
        let page = try await open(model, lab)
        await lab.run { #expect(GeYanSdk.isProtocolCheckboxChecked()) }
        screen.tap(try #require(page.views.login))
        await log.wait(for: "result")
        #expect(await lab.carrier.tokens.count == 1)
        #expect(log.results.first?["code"] == 30000)
    }

    @Test("Without that grant it is not shown: the call ends at once and names property and capability")
    func tickedWithoutGrant() async throws {
        let lab = GeYanLab()
        let model = model()
        model.defaultCheckBoxState = true
        _ = await lab.prefetch()
        let result = await lab.heard { GeYanSdk.oneTapLogin(host, with: model, andCallback: $0) }
        #expect(result?["code"] == 30006 && result?["errorCode"] == "-40199")
        guard case .fields(let metadata)? = result?["metadata"], case .text(let reason)? = metadata["description"]
        else {
            Issue.record("no reason is given: \(String(describing: result))")
            return
        }
        #expect(reason.contains("defaultCheckBoxState") && reason.contains("ticked-page"))
        #expect(host.presentedViewController == nil)
        #expect(await lab.carrier.requests.count == 1, "the prefetch, and nothing after it")
    }

    @Test("Closing the page before the person has decided ends the login as if the person had")
    func closing() async throws {
        let lab = GeYanLab()
        let page = try await open(model(), lab)
        await lab.run { GeYanSdk.closeAuthVC() }
        await log.wait(for: "result")
        #expect(log.results.first?["code"] == 30003 && page.view.window == nil)
    }

    @Test("Beside another app the page is not shown, as GeYan's document says, and the whole screen brings it back")
    func splitView() async throws {
        let lab = GeYanLab()
        screen.share(leaving: 320)
        _ = await lab.prefetch()
        let answer = await lab.heard { GeYanSdk.oneTapLogin(host, with: model(), andCallback: $0) }
        #expect(answer?["code"] == 30006 && answer?["errorCode"] == "-40199")
        guard case .fields(let metadata)? = answer?["metadata"] else {
            Issue.record("nothing says what happened")
            return
        }
        #expect(metadata["situation"] == "split_view_unsupported")
        #expect(host.presentedViewController == nil)
        screen.share(leaving: 393)
        let page = try await open(model(), lab)
        #expect(page.view.window != nil)
    }

    @Test("Tapped terms go to their own block, then to the app's for all terms, and are opened by neither")
    func terms() async throws {
        let model = model()
        var tapped: [GyAuthPrivacyItem] = []
        model.carrierTermItemBlock = { item, controller in
            #expect(controller is AuthorizationPageViewController)
            tapped.append(item)
        }
        let page = try await open(model, GeYanLab("13000000000"))
        for link in 0...2 { try tapLink(link, on: page) }
        #expect(tapped.map(\.termTitle) == ["联通统一认证服务条款", "《用户协议》"])
        #expect(tapped.first?.url()?.scheme == "https")
        #expect(tapped.last === model.additionalPrivacyTerms?.first)
        #expect(log.calls == ["own block of 《隐私政策》"])
        #expect(page.presentedViewController == nil)
    }

    @Test("A tap beside a popup is told, and closes the page where the app allows it", arguments: [true, false])
    func popup(closes: Bool) async throws {
        let model = model()
        let mask = UIView()
        model.isPopup = true
        model.popupMaskView = mask
        model.canClosePopupFromTapGesture = closes
        model.tapAuthBackgroundBlock = { [log] in log.note("tapAuthBackgroundBlock") }
        let page = try await open(model, GeYanLab())
        #expect(mask.isDescendant(of: page.view))
        screen.tap(CGPoint(x: 5, y: 5))
        await log.wait(for: "tapAuthBackgroundBlock")
        #expect((page.view.window == nil) == closes)
        guard closes else { return #expect(log.calls == ["tapAuthBackgroundBlock"]) }
        await log.wait(for: "result")
        #expect(log.results.first?["code"] == 30003)
    }

    @Test("The app's own views are on the page, and it hears of the turning with its area")
    func ownViews() async throws {
        let model = model()
        let (button, other) = (UIButton(type: .custom), UIView())
        model.naviRightControl = button
        model.customUIHandler = { $0.addSubview(other) }
        model.authVCTransitionBlock = { [log] size, _, area in
            log.note("\(Int(size.width)) × \(Int(size.height)) \(area === other.superview)")
        }
        let page = try await open(model, GeYanLab())
        #expect(button.isDescendant(of: page.view) && other.isDescendant(of: page.view))
        screen.rotate(width: 852, height: 393, safeArea: UIEdgeInsets(top: 0, left: 59, bottom: 21, right: 59))
        #expect(log.calls == ["852 × 393 true"])
    }

    @Test("GyOneLoginPro shows the page without a prefetch of the app's, gives its button a text, and closes it")
    func pro() async throws {
        let lab = GeYanLab(facade: .geYanPro)
        let model = model()
        model.viewLifeCycleBlock = { [log] name, _ in log.note(name) }
        try await lab.run {
            GyOneLoginPro.requestToken(with: host, viewModel: model) { [log] in log.note($0) }
            await log.wait(for: "viewDidAppear")
            #expect(GyOneLoginPro.currentAuthViewModel() === model)
            let page = try #require(GyOneLoginPro.currentAuthViewController() as? AuthorizationPageViewController)
            GyOneLoginPro.updateAuthButtonTitle(NSAttributedString(string: "本机号码登录"))
            page.setTick(true)
            page.tapLogin()
            await log.wait(for: "result")
            #expect(page.scene[.login]?.text?.text == "本机号码登录")
            #expect(log.results.first?["pn"] == "138****0000")
            GyOneLoginPro.dismissAuthViewController()
            await log.wait(for: "viewDidDisappear")
            #expect(page.view.window == nil)
        }
    }
}
#endif
