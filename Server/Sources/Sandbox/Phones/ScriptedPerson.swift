package import BenjiClient
package import BenjiProtocol

/// A person who reads the page, ticks the agreement and taps: what the sandbox puts in front of a virtual phone.
///
/// The page is stated in words, as an app that draws its own page does (TYRZSDK), and passes the authority's
/// rules like any other.
package struct ScriptedPerson: AuthorizationPresenter {
    private let clock: any WallClock
    private let onOffer: @Sendable (PageOffer) async -> Void

    /// - Parameter onOffer: sees each page before it is answered.
    package init(
        clock: some WallClock = SystemWallClock(), onOffer: @escaping @Sendable (PageOffer) async -> Void = { _ in }
    ) {
        self.clock = clock
        self.onOffer = onOffer
    }

    package func present(_ offer: PageOffer) async -> PresentationOutcome {
        let shownAt = clock.now
        await onOffer(offer)
        return .consented(
            PageConsent(
                content: Self.content(for: offer), sceneDigest: nil, shownAt: shownAt, tickedAt: clock.now,
                tappedAt: clock.now))
    }

    /// The words of the sandbox's page.
    package static func content(for offer: PageOffer) -> ConsentContent {
        ConsentContent(
            drawnBy: .app, language: "zh-Hans", policyVersion: offer.policyVersion,
            texts: [
                .init(.number, ConsentContent.numberPlaceholder), .init(.slogan, offer.page.slogan),
                .init(.loginButton, "本机号码一键登录"), .init(.switchButton, "切换账号"),
                .init(.terms, "登录即同意《\(offer.page.termsTitle)》并使用本机号码登录"),
            ], links: [.init(title: "《\(offer.page.termsTitle)》", url: offer.page.termsURL)], initiallyTicked: false)
    }
}
