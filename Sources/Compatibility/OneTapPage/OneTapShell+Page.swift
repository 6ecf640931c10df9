#if canImport(UIKit)
import Benji
import BenjiClient
import BenjiPage
import BenjiProtocol
import Foundation
package import OneTapPageTypes
package import OneTapShell
package import UIKit

// The calls of both vendors' facades about the page that the SDK draws.
extension OneTapShell {
    /// Logs in on the page of a view model.
    ///
    /// May be called from any thread. The page stays on the screen until it is closed. By the facade's documents the
    /// app closes it, unless the person leaves.
    package func logIn(
        over host: UIViewController?, _ model: OneTapViewModel, watch: @escaping @MainActor () -> PageWatch,
        warn: @escaping @MainActor (String) -> Void, deliver: @escaping @MainActor (CallResult) -> Void
    ) {
        // The app hands the view model over; from here on it is used on the main thread alone.
        nonisolated(unsafe) let model = model
        logIn(
            over: host,
            { host in
                var options = PagePresenter.Options()
                options.profile = PageProfile(written: self.pageProfile, warn: warn)
                options.showsInSplitView = self.facade.showsInSplitView
                return VendorPresenter(model, over: host, options: options, watch: watch(), warn: warn)
            }, deliver: deliver)
    }

    /// Logs in on a page of which the app hands over the views.
    ///
    /// - Parameter contentView: is laid over the whole page.
    package func logIn(
        over host: UIViewController?, _ model: OneTapViewModel, contentView: UIView?, subviews: [Any]?,
        warn: @escaping @MainActor (String) -> Void, deliver: @escaping @MainActor (CallResult) -> Void
    ) {
        // The app's objects are used on the main thread alone from here on.
        nonisolated(unsafe) let model = model
        nonisolated(unsafe) let subviews = subviews
        logIn(
            over: host,
            { host throws(BenjiError) in
                HandedPagePresenter(try HandedViews(contentView, subviews), model, over: host, warn: warn)
            }, deliver: deliver)
    }

    private func logIn(
        over host: UIViewController?,
        _ make: @escaping @MainActor (UIViewController) throws(BenjiError) -> any AuthorizationPresenter & ShownPage,
        deliver: @escaping @MainActor (CallResult) -> Void
    ) {
        onMainThread {
            guard !self.isLoginUnderWay, self.presenter == nil else {
                return self.refuse(.login, BenjiError(.loginRunning, "the page is on screen"), deliver: deliver)
            }
            guard let host else {
                return self.refuse(
                    .login, BenjiError(.controllerMissing, "name the view controller over which the page is shown"),
                    deliver: deliver)
            }
            do throws(BenjiError) {
                let page = try make(host)
                self.page = page
                self.start(.login(page), deliver: deliver)
            } catch {
                self.refuse(.login, error, deliver: deliver)
            }
        }
    }

    /// Closes the page, if there is one. The block is called on the main thread in either case.
    package func closePage(animated: Bool, completion: (@MainActor () -> Void)?) {
        onMainThread {
            guard let page = self.presenter else {
                guard self.isLoginBySMS else {
                    completion?()
                    return
                }
                Task { @MainActor in
                    await self.endLoginBySMS()
                    completion?()
                }
                return
            }
            page.close(animated: animated) { completion?() }
        }
    }

    /// Ends the sign that the token is on its way.
    package func stopLoading() { withPage { $0.stopLoading() } }

    /// Whether the login button may be tapped.
    package func setLoginEnabled(_ isEnabled: Bool) { withPage { $0.setLoginEnabled(isEnabled) } }

    /// Goes on after the app has stopped a login for something of its own.
    package func goOnWithLogin() { withPage { $0.logIn() } }

    /// Whether the tick is set.
    @MainActor package var isTicked: Bool { presenter?.isTicked ?? false }

    /// The controller of the page.
    @MainActor package var pageController: UIViewController? { presenter?.pageController }

    /// The view model of the page.
    @MainActor package var pageModel: OneTapViewModel? { presenter?.model }

    /// Does something with the page, if there is one.
    private func withPage(_ action: @escaping @MainActor (any ShownPage) -> Void) {
        onMainThread { if let presenter = self.presenter { action(presenter) } }
    }

    /// Gives the login button another text; what it leaves out of font and colour stays. Nothing to read changes
    /// nothing.
    package func updateLoginTitle(_ title: NSAttributedString?) {
        // Not changed by anybody while it is on its way to the main thread, as the vendors ask of it.
        guard let title else { return }
        nonisolated(unsafe) let words = title
        withPage { $0.setLoginTitle(words) }
    }

    /// The presenter of the page that is on screen.
    @MainActor private var presenter: (any ShownPage)? {
        guard let presenter = page as? any ShownPage, presenter.pageController != nil else { return nil }
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
