#if canImport(UIKit)
import Benji
package import BenjiClient
import BenjiPage
import BenjiPageUIKit
package import Foundation
package import OneTapPageTypes
package import UIKit

/// A page of which the app has drawn every view. It is shown here, read from the screen at the tap, and held against
/// the rules before a token is requested.
@MainActor package final class HandedPagePresenter: AuthorizationPresenter {
    package let model: OneTapViewModel
    private let views: HandedViews
    private weak var host: UIViewController?
    private let warn: @MainActor (String) -> Void
    private weak var page: HandedPageViewController?
    private var offer: PageOffer?
    private let wait = PresentationWait()

    /// - Parameters:
    ///   - host: the controller over which the page is shown; kept weakly.
    ///   - warn: takes what the developer should know and the person should not.
    init(
        _ views: HandedViews, _ model: OneTapViewModel, over host: UIViewController,
        warn: @escaping @MainActor (String) -> Void
    ) {
        self.views = views
        self.model = model
        self.host = host
        self.warn = warn
    }

    package func present(_ offer: PageOffer) async -> PresentationOutcome {
        let outcome = await wait.outcome { open(offer) }
        if Task.isCancelled { page?.close(animated: false) {} }
        return outcome
    }

    /// Shows the page. Answers how it has ended when that was not possible.
    private func open(_ offer: PageOffer) -> PresentationOutcome? {
        guard let host else { return .failed("the view controller that should show the authorization page is gone") }
        // A vendor's document wants it on no screen that another app shares.
        guard host.viewIfLoaded?.window?.sharesScreen != true else { return .sharesScreen }
        let page = HandedPageViewController(views, model, facts: PageFacts(offer))
        page.appeared = { [weak self, weak page] in self?.look(at: page) }
        page.loginTapped = { [weak self] in self?.tapped() }
        page.left = { [weak self] in
            self?.page = nil
            self?.wait.finish(.cancelled)
        }
        page.attachment = PageEnding { [weak self] in self?.wait.finish(.cancelled) }
        self.offer = offer
        do throws(PagePresentationError) {
            try page.show(from: host)
            self.page = page
            return nil
        } catch {
            return .failed(error.description)
        }
    }

    /// Warns the developer of problems before a person taps.
    private func look(at page: HandedPageViewController?) {
        do throws(PageRefusal) {
            guard let page else { return }
            if page.isTickedAtFirst {
                warn(
                    offer?.allowsInitialTick == true
                        ? "the page begins with the tick set; today's rules and the law want it unset"
                        : PageOffer.initialTickRefusal)
            }
            _ = try page.review()
        } catch {
            warn(error.description)
        }
    }

    private func tapped() {
        model.clickAuthButtonBlock?()
        guard wait.isOpen, model.appLogsIn?() != true else { return }
        decide()
    }

    private func decide() {
        guard let page, let offer else { return }
        guard page.isTicked else {
            return wait.finish(.notAgreed("the login button was tapped without the tick; ask the person to tick first"))
        }
        do throws(PageRefusal) {
            let shown = try page.review()
            page.startLoading()
            wait.finish(.consented(PageConsent(shown, offer: offer)))
        } catch {
            wait.finish(.failed(error.description))
        }
    }
}

extension HandedPagePresenter: ShownPage {
    package var pageController: UIViewController? { page }

    package var isTicked: Bool { page?.isTicked ?? false }

    package func close(animated: Bool, completion: @escaping @MainActor () -> Void) {
        guard let page else { return completion() }
        page.close(animated: animated, completion: completion)
    }

    package func stopLoading() { page?.stopLoading() }

    package func setLoginEnabled(_ isEnabled: Bool) { views.login.isEnabled = isEnabled }

    /// Only of a button: what another control says is the app's.
    package func setLoginTitle(_ title: NSAttributedString) {
        guard title.length > 0 else { return }
        (views.login as? UIButton)?.setAttributedTitle(title, for: .normal)
    }

    package func logIn() { decide() }
}
#endif
