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
    private let beginsTicked: Bool
    /// The fonts of titles that the app gave while the page was open.
    let laterFonts = LaterFonts()
    var titleCount = 0

    @MainActor final class LaterFonts {
        var fonts: [String: UIFont] = [:]
    }

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
        beginsTicked = description.terms.tick.isInitiallySet
        if beginsTicked {
            warn(
                "the page begins with the tick set (defaultCheckBoxState), as the vendor's document says; "
                    + "today's rules and the law want it unset: set it to NO. "
                    + "Without the capability ticked-page, which the operator grants, it is not shown")
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
        var supplies = model.supplies
        supplies.font = { [given = supplies.font, laterFonts] in laterFonts.fonts[$0] ?? given($0) }
        pages = PagePresenter(
            from: host, page: description, supplies: supplies, callbacks: callbacks, options: options)
    }

    package func present(_ offer: PageOffer) async -> PresentationOutcome {
        // At once: a page that earns no token is not shown.
        guard offer.allowsInitialTick || !beginsTicked else {
            return .failed("defaultCheckBoxState is YES: " + PageOffer.initialTickRefusal)
        }
        return await pages?.present(offer) ?? .failed("the page was made without a controller")
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
