package import BenjiPage
package import HTTPTypes
package import Hummingbird

/// A page that says why there is no login page, and what to do: for the person at the phone, or for the app's
/// developer.
package struct NoticePage {
    private let status: HTTPResponse.Status
    private let frameAncestors: [String]
    private let formTargets: [String]
    private let showsLogo: Bool
    private let page: SmallPage

    /// - Parameters:
    ///   - formTargets: where the answer to a form of the page may lead.
    ///   - frameAncestors: the origins whose pages may show it in a frame.
    package init(
        _ page: SmallPage, status: HTTPResponse.Status, formTargets: [String] = [], frameAncestors: [String] = [],
        showsLogo: Bool = false
    ) {
        self.page = page
        self.status = status
        self.formTargets = formTargets
        self.frameAncestors = frameAncestors
        self.showsLogo = showsLogo
    }

    /// The page of a person who cannot go on.
    /// - Parameters:
    ///   - app, logo, fill: as of ``SmallPage``.
    ///   - retry: the query with which the same address can be asked again.
    ///   - wayBack: the address that leads back to the app.
    ///   - offer: the template's values of another way to log in.
    ///   - formTargets, frameAncestors: as above.
    package init(
        _ cause: NoticeCause, _ language: Language, status: HTTPResponse.Status, app: String? = nil,
        logo: String? = nil, fill: AdaptiveColor? = nil, retry: String? = nil, wayBack: String? = nil,
        offer: [String: Any]? = nil, formTargets: [String] = [], frameAncestors: [String] = []
    ) {
        let words = NoticeStrings(cause)
        let retry = words.canRetry ? retry : nil
        let steps = words.said(retries: retry != nil, leadsBack: wayBack != nil)
        var values: [String: Any] = [
            "reason": words.reason[language], "steps": steps.map { $0[language] },
            "retryWords": NoticeStrings.retry[language], "wayBackWords": words.wayBack[language],
            "hasActions": offer != nil || retry != nil || wayBack != nil,
            "isPlain": offer != nil || retry != nil,
        ]
        values["retry"] = retry
        values["offer"] = offer
        values["wayBack"] = wayBack
        let page = SmallPage(
            .notice, language, title: words.title[language], app: app, logo: logo, fill: fill,
            icon: NoticeIcon(cause), values)
        self.init(
            page, status: status, formTargets: formTargets, frameAncestors: frameAncestors, showsLogo: logo != nil)
    }

    /// The page's markup, for tests.
    var markup: String { page.document(nonce: "") }

    package func response(nonce: String) -> Response {
        .page(
            page.document(nonce: nonce), status: status,
            policy: SmallPage.policy(
                nonce: nonce, formTargets: formTargets, frameAncestors: frameAncestors, showsLogo: showsLogo),
            frameAncestors: frameAncestors)
    }
}
