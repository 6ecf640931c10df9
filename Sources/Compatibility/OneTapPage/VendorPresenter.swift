#if canImport(UIKit)
import Benji
package import BenjiClient
import BenjiPage
package import BenjiPageUIKit
package import OneTapPageTypes
import UIKit

/// The page of a view model: what a facade's calls about "the page" mean.
@MainActor package final class VendorPresenter: AuthorizationPresenter {
    package let model: OneTapViewModel
    private var pages: PagePresenter?
    private var skipsAppLogin = false

    /// - Parameters:
    ///   - host: the controller over which the page is shown; kept weakly.
    ///   - options: how the page is judged and shown; the language is the vendors'.
    ///   - warn: takes what the developer should know and the person should not.
    init(
        _ model: OneTapViewModel, over host: UIViewController, options: PagePresenter.Options, watch: PageWatch,
        warn: @escaping @MainActor (String) -> Void
    ) {
        self.model = model
        let description = model.currentPage
        if description.terms.tick.isInitiallySet {
            warn(
                "the page begins with the tick set (defaultCheckBoxState), as the vendor's document says; "
                    + "today's rules and the law want it unset: set it to NO")
        }
        var callbacks = model.callbacks(watch)
        callbacks.shouldLogIn = { [weak self] in
            guard let self, !skipsAppLogin else { return true }
            return !(model.appLogsIn?() ?? false)
        }
        callbacks.decided = { [weak self] decision in
            // The page stays, but this login is over: its button must not seem to do anything.
            if decision == .switchAccount { self?.controller?.setLoginEnabled(false) }
        }
        callbacks.findings = { findings in
            for finding in findings {
                warn("\(finding.rule.rawValue) at \(finding.role.rawValue); benji page lint explains each rule")
            }
        }
        var options = options
        // The vendors' texts are Chinese unless the app sets others.
        options.language = .simplifiedChinese
        pages = PagePresenter(
            from: host, page: description, supplies: model.supplies, callbacks: callbacks, options: options)
    }

    package func present(_ offer: PageOffer) async -> PresentationOutcome {
        await pages?.present(offer) ?? .failed("the page was made without a controller")
    }

    /// The page, while it is on the screen.
    package var controller: AuthorizationPageViewController? { pages?.page }

    /// The login button's action in place of the person's finger, after the app did something of its own.
    package func logIn() {
        skipsAppLogin = true
        controller?.tapLogin()
        skipsAppLogin = false
    }
}
#endif
