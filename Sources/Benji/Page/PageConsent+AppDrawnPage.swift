#if canImport(UIKit)
public import BenjiClient
import BenjiPage
public import BenjiPageUIKit
import BenjiProtocol

extension PageConsent {
    /// The person's yes on a page that the app drew, as it was read from the app's views.
    public init(_ page: AppDrawnPage, offer: PageOffer) {
        self.init(
            content: ConsentContent(
                drawnBy: .app, language: page.scene.screen.language.rawValue, policyVersion: offer.policyVersion,
                texts: page.texts.map { ConsentContent.Text(ConsentContent.Role($0.role), $0.text) },
                links: page.links.map { ConsentContent.Link(title: $0.title, url: $0.url) },
                initiallyTicked: page.isInitiallyTicked),
            sceneDigest: page.scene.digest, shownAt: Timestamp(milliseconds: page.times.shown),
            tickedAt: Timestamp(milliseconds: page.times.ticked), tappedAt: Timestamp(milliseconds: page.times.tapped))
    }
}
#endif
