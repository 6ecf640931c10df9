#if canImport(UIKit)
import Benji
import BenjiClient
import BenjiPage
import BenjiPageUIKit
import BenjiProtocol
import Foundation
package import OneTapPageTypes
package import OneTapShell
package import UIKit

// What both vendors' facades do with the page that the SDK draws.
extension OneTapShell {
    /// Logs in on the page of a view model.
    ///
    /// May be called from any thread. The page is left on screen, whoever closes it: the facade's documents say that the app
    /// does, but for the person's own leaving.
    package func logIn(
        over host: UIViewController?, _ model: OneTapViewModel, watch: @escaping @MainActor () -> PageWatch,
        warn: @escaping @MainActor (String) -> Void, deliver: @escaping @MainActor (CallResult) -> Void
    ) {
        // The app hands the view model over; from here on it is used on the main thread alone.
        nonisolated(unsafe) let model = model
        onMainThread {
            guard !self.isLoginUnderWay, self.presenter == nil else {
                return self.refuse(.login, BenjiError(.loginRunning, "the page is on screen"), deliver: deliver)
            }
            guard let host else {
                return self.refuse(
                    .login, BenjiError(.controllerMissing, "name the view controller over which the page is shown"),
                    deliver: deliver)
            }
            var options = PagePresenter.Options()
            options.profile = PageProfile(written: self.pageProfile, warn: warn)
            options.showsInSplitView = self.facade.showsInSplitView
            let presenter = VendorPresenter(model, over: host, options: options, watch: watch(), warn: warn)
            self.page = presenter
            self.start(.login(presenter), deliver: deliver)
        }
    }

    /// Closes the page, if there is one. The block is called on the main thread in either case.
    package func closePage(animated: Bool, completion: (@MainActor () -> Void)?) {
        onMainThread {
            guard let page = self.presenter?.controller else {
                completion?()
                return
            }
            page.close(animated: animated) { completion?() }
        }
    }

    /// Ends the sign that the token is on its way.
    package func stopLoading() { withPage { $0.controller?.stopLoading() } }

    /// Whether the login button may be tapped.
    package func setLoginEnabled(_ isEnabled: Bool) { withPage { $0.controller?.setLoginEnabled(isEnabled) } }

    /// Goes on after the app has stopped a login for something of its own.
    package func goOnWithLogin() { withPage { $0.logIn() } }

    /// Whether the tick is set.
    @MainActor package var isTicked: Bool { presenter?.controller?.isTicked ?? false }

    /// The controller of the page.
    @MainActor package var pageController: UIViewController? { presenter?.controller }

    /// What the page was made from.
    @MainActor package var pageModel: OneTapViewModel? { presenter?.model }

    /// Does something with the page, if there is one.
    private func withPage(_ action: @escaping @MainActor (VendorPresenter) -> Void) {
        onMainThread { if let presenter = self.presenter { action(presenter) } }
    }

    /// Gives the login button another text; what it leaves out of font and colour stays. Nothing to read changes nothing.
    package func updateLoginTitle(_ title: NSAttributedString?) {
        // Not changed by anybody while it is on its way to the main thread, as the vendors ask of it.
        nonisolated(unsafe) let title = title
        withPage { presenter in
            let usual = presenter.model.vendor.page.loginButton.title
            guard let title, let styled = StyledText(title, else: usual) else { return }
            presenter.controller?.setLoginTitle(styled)
        }
    }

    /// Whoever shows the page that is on screen.
    @MainActor private var presenter: VendorPresenter? {
        guard let presenter = page as? VendorPresenter, presenter.controller != nil else { return nil }
        return presenter
    }

    /// At once on the main thread, soon from any other.
    private func onMainThread(_ action: @escaping @MainActor @Sendable () -> Void) {
        if Thread.isMainThread {
            MainActor.assumeIsolated(action)
        } else {
            Task { @MainActor in action() }
        }
    }
}
#endif
