#if canImport(UIKit)
import BenjiClient
import BenjiPage
import BenjiPageUIKit
import BenjiTesting
import Testing
import UIKit

@testable import OneLoginSDK
@testable import OneTapShell

@MainActor @Suite(.serialized, .timeLimit(.minutes(1))) struct OneLoginPageTests {
    private final class Watcher: OneLoginDelegate {
        var heard: [String] = []
        func userDidDismissAuthViewController() { heard.append("dismissed") }
        func userDidSwitchAccount() { heard.append("switched") }
    }

    private let lab = OneLoginLab()
    private let host = UIViewController()

    /// Prefetches, asks for a token, and waits until the page is there.
    private func open(
        _ model: OLAuthViewModel, _ heard: @escaping @MainActor (ResultFields?) -> Void
    ) async throws -> AuthorizationPageViewController {
        _ = await lab.prefetch()
        try await lab.run {
            OneLogin.requestToken(with: host, viewModel: model) { heard($0.flatMap { ResultFields($0) }) }
            for _ in 0..<10_000 {
                if OneLogin.currentAuthViewController()?.view.window != nil { break }
                await Task.yield()
            }
            _ = try #require(OneLogin.currentAuthViewController())
        }
        return try await lab.run {
            try #require(OneLogin.currentAuthViewController() as? AuthorizationPageViewController)
        }
    }

    private func model() -> OLAuthViewModel {
        let model = OLAuthViewModel()
        model.additionalPrivacyTerms = [
            OLPrivacyTermItem(title: "《用户协议》", linkURL: URL(string: "https://app.example/agreement"), index: 1)
        ]
        return model
    }

    private func wait(until isTrue: () -> Bool) async {
        for _ in 0..<10_000 where !isTrue() { await Task.yield() }
    }

    @Test(
        "A login on the real page: ticked as documented, a tap gives the token, and the page stays until it is dismissed"
    )
    func login() async throws {
        let screen = StandInScreen(host)
        var events: [String] = []
        let model = model()
        model.viewLifeCycleBlock = { name, _ in events.append(name) }
        model.clickAuthButtonBlock = { events.append("tapped") }
        model.loadingViewBlock = { _ in events.append("loading") }
        model.stopLoadingViewBlock = { _ in events.append("stopped") }
        var results: [ResultFields?] = []
        let page = try await open(model) { results.append($0) }
        await lab.run {
            #expect(OneLogin.isProtocolCheckboxChecked())
            #expect(OneLogin.currentAuthViewModel() === model)
        }
        page.tapLogin()
        await wait { !results.isEmpty }
        #expect(results.first??["status"] == 200 && results.count == 1)
        #expect(page.view.window != nil, "the page stays")
        await lab.run {
            OneLogin.stopLoading()
            OneLogin.requestToken(with: host, viewModel: nil) { results.append($0.flatMap { ResultFields($0) }) }
        }
        await wait { results.count == 2 }
        #expect(results.last??["errorCode"] == "-20103")
        var isDismissed = false
        await lab.run { OneLogin.dismissAuthViewController(false) { isDismissed = true } }
        await wait { isDismissed }
        #expect(isDismissed && page.view.window == nil)
        #expect(
            events == [
                "viewDidLoad", "viewWillAppear", "viewDidAppear", "tapped", "loading", "stopped", "viewWillDisappear",
                "viewDidDisappear",
            ])
        _ = screen
    }

    @Test("Back closes the page by itself and tells the delegate")
    func back() async throws {
        let screen = StandInScreen(host)
        let watcher = Watcher()
        await lab.run { OneLogin.setDelegate(watcher) }
        let model = model()
        var taps = 0
        model.clickBackButtonBlock = { taps += 1 }
        var result: ResultFields??
        let page = try await open(model) { result = $0 }
        #expect(page.accessibilityPerformEscape())
        await wait { result != nil }
        #expect(result??["errorCode"] == "-20302" && watcher.heard == ["dismissed"] && taps == 1)
        #expect(page.view.window == nil)
        _ = screen
    }

    @Test("A controller that is missing, or not on screen, ends in a code")
    func noController() async {
        _ = await lab.prefetch()
        let missing = await lab.heard { OneLogin.requestToken(with: nil, viewModel: nil, completion: $0) }
        #expect(missing?["status"] == 500)
        let away = await lab.heard {
            OneLogin.requestToken(with: UIViewController(), viewModel: self.model(), completion: $0)
        }
        #expect(away?["status"] == 500)
    }

    @Test("Calls about a page that is not there do nothing, and a dismissal still calls its block")
    func noPage() async {
        var isDismissed = false
        await lab.run {
            OneLogin.stopLoading()
            OneLogin.enableAuthButton()
            OneLogin.disableAuthButton()
            OneLogin.startRequestToken()
            OneLogin.updateAuthButtonTitle(nil)
            #expect(OneLogin.currentAuthViewController() == nil && !OneLogin.isProtocolCheckboxChecked())
            OneLogin.dismissAuthViewController { isDismissed = true }
        }
        await wait { isDismissed }
        #expect(isDismissed)
    }
}
#endif
