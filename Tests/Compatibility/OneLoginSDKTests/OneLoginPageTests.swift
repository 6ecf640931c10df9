#if canImport(UIKit)
import BenjiPageUIKit
import FacadeScenarios
import OneLoginSDK
import Testing
import UIKit

@MainActor @Suite(.serialized, .timeLimit(.minutes(1))) struct OneLoginPageTests {
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

    @Test(
        "A login on the real page: ticked as documented, a tap gives the token, and the page stays until it is dismissed"
    )
    func login() async throws {
        model.viewLifeCycleBlock = { [log] name, _ in log.note(name) }
        model.clickAuthButtonBlock = { [log] in log.note("tapped") }
        model.loadingViewBlock = { [log] _ in log.note("loading") }
        model.stopLoadingViewBlock = { [log] _ in log.note("stopped") }
        let page = try await lab.open(model, over: host, log)
        await lab.run {
            #expect(OneLogin.isProtocolCheckboxChecked())
            #expect(OneLogin.currentAuthViewModel() === model)
        }
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

    @Test("A controller that is missing, or not on screen, ends in a code")
    func noController() async {
        _ = await lab.prefetch()
        let missing = await lab.heard { OneLogin.requestToken(with: nil, viewModel: nil, completion: $0) }
        #expect(missing?["status"] == 500)
        let away = await lab.heard {
            OneLogin.requestToken(with: UIViewController(), viewModel: self.model, completion: $0)
        }
        #expect(away?["status"] == 500)
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
