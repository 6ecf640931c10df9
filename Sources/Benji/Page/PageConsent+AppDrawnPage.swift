#if canImport(UIKit)
public import BenjiClient
import BenjiPage
public import BenjiPageUIKit
import BenjiProtocol

extension PageConsent {
    /// The person's yes on a page that the app drew, as it was read from the app's views.
    public init(_ page: AppDrawnPage, offer: PageOffer) {
        self.init(
            ConsentContent(
                drawnBy: .app, page.texts, page.links, language: page.scene.screen.language,
                policyVersion: offer.policyVersion, isInitiallyTicked: page.isInitiallyTicked),
            scene: page.scene, times: page.times)
    }
}
#endif
