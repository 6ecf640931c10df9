package import BenjiClient
package import BenjiPage
package import BenjiProtocol
import OpenIDProvider

/// A person who reads the page, ticks the agreement and taps: what the sandbox puts in front of a virtual phone.
///
/// The page is stated in words, as an app that draws its own page does, or is that of a description. It passes the
/// authority's rules like any other.
package struct ScriptedPerson: AuthorizationPresenter {
    private let clock: any WallClock
    private let onOffer: @Sendable (PageOffer) async -> Void

    /// The page that Benji would draw; without one the words are the app's own.
    private let page: PageDescription?
    private let language: Language

    /// - Parameter onOffer: sees each page before it is answered.
    package init(
        page: PageDescription? = nil, language: Language = .simplifiedChinese,
        clock: some WallClock = SystemWallClock(),
        onOffer: @escaping @Sendable (PageOffer) async -> Void = { _ in }
    ) {
        self.page = page
        self.language = language
        self.clock = clock
        self.onOffer = onOffer
    }

    package func present(_ offer: PageOffer) async -> PresentationOutcome {
        let shownAt = clock.now
        await onOffer(offer)
        return .consented(
            PageConsent(
                content: content(for: offer), pageDigest: page.flatMap(Self.digest), sceneDigest: nil, shownAt: shownAt,
                tickedAt: clock.now, tappedAt: clock.now))
    }

    private static func digest(_ page: PageDescription) -> String? {
        (try? page.bytesForDigest()).map(ConsentRecord.digest)
    }

    /// The words of this person's page.
    package func content(for offer: PageOffer) -> ConsentContent {
        guard let page else { return Self.content(for: offer) }
        let duties = CarrierDuties(
            policyVersion: offer.policyVersion, termsTitle: offer.page.termsTitle, termsURL: offer.page.termsURL,
            slogan: offer.page.slogan)
        return ConsentContent(PageContent(page, duties: duties, language: language))
    }

    /// The consent on the page for a code by SMS. It links the app's own terms, since no carrier provides the number.
    static func consent(to code: SMSCode, at clock: any WallClock = SystemWallClock()) -> PageConsent {
        let content = ConsentContent(
            drawnBy: .app, language: "zh-Hans", policyVersion: code.policyVersion,
            texts: [
                .init(.number, ConsentContent.numberPlaceholder), .init(.hint, "请输入短信验证码"), .init(.loginButton, "登录"),
                .init(.terms, "登录即同意《用户协议》"),
            ], links: [.init(title: "《用户协议》", url: "https://shop.example/agreement")], initiallyTicked: false)
        return PageConsent(
            content: content, sceneDigest: nil, shownAt: clock.now, tickedAt: clock.now, tappedAt: clock.now)
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
