#if canImport(UIKit)
import Benji
import BenjiClient
import BenjiPage
import BenjiPageUIKit
import Foundation
#if canImport(ObjectiveC)
@_exported public import TYRZSDKTypes
#else
@_exported import TYRZSDKTypes
#endif
import UIKit

extension TYRZSDK {
    /// Gets a token, after the person has tapped the login button of the app's own page.
    ///
    /// - Parameters:
    ///   - authVC: the page, which must be on the screen. What it shows is held against the document's rules for pages,
    ///     and signed as the person's consent. `nil` for a token that only answers "is it this number?".
    ///   - completion: gets `resultCode`, `desc`, and after success `token`, with a page also `openId`. The page stays:
    ///     the app takes it down.
    #if canImport(ObjectiveC)
    @objc(getAuthorizationWithAuthViewController:completion:)
    #endif
    public static func getAuthorization(
        with authVC: UAAuthViewController?, completion: UAAuthorizationBlock?
    ) {
        authorize(on: authVC.map { AppsOwnPage(controller: $0) }, completion: completion)
    }
}

/// A page that the app shows by itself, and on which the person has just tapped.
struct AppsOwnPage: AuthorizationPresenter {
    let controller: UAAuthViewController

    func present(_ offer: PageOffer) async -> PresentationOutcome { await review(offer) }

    @MainActor private func review(_ offer: PageOffer) -> PresentationOutcome {
        do {
            let shown = controller.firstAppearance
            var facts = PageFacts(offer)
            // The mask that the prefetch gave the app to show.
            facts.maskedNumber = TYRZSDKResults.mask(offer.maskedNumber)
            let page = try AppDrawnPage(
                of: controller, facts: facts, shownAt: shown > 0 ? Int64(shown * 1000) : nil)
            return .consented(PageConsent(page, offer: offer))
        } catch {
            return .failed(error.description)
        }
    }
}
#endif
