import Authority
import BenjiPage
import BenjiProtocol
import HTTPTypes
import Hummingbird
import OpenIDProvider

/// Why there is no login page, and what to do: to the person who stands before it, or to the app's developer.
struct NoticePage {
    private let status: HTTPResponse.Status
    private let frameAncestors: [String]
    private var document: HTMLDocument

    /// A person cannot go on.
    /// - Parameter retry: the query with which the same address can be asked again.
    init(_ notice: OpenIDNotice, retry: String? = nil) {
        status = notice.situation.httpStatus
        frameAncestors = notice.frameAncestors
        let language = notice.language
        let cause = NoticeCause(notice)
        let words = NoticeWords(cause)
        let retry = words.canRetry ? retry : nil
        document = HTMLDocument(language, title: words.title[language], app: notice.app, icon: NoticeIcon(cause))
        document.element("p", words.reason[language])
        let steps = words.said(retries: retry != nil, leadsBack: notice.wayBack != nil)
        if !steps.isEmpty { document.list(steps.map { $0[language] }) }
        guard retry != nil || notice.wayBack != nil else { return }
        document.nested("div", ["class": "actions"]) { actions in
            if let retry { actions.element("a", NoticeWords.retry[language], ["class": "button", "href": retry]) }
            if let wayBack = notice.wayBack {
                actions.element(
                    "a", words.wayBack[language],
                    ["class": retry != nil ? "button plain" : "button", "href": wayBack, "rel": "noreferrer"])
            }
        }
    }

    /// The app's developer made a mistake, and there is no registered address to tell it to.
    init(_ failure: OpenIDFailure, _ language: Language) {
        status = .badRequest
        frameAncestors = []
        document = HTMLDocument(language, title: NoticeWords.mistakeTitle[language], icon: .mistake)
        document.element("p", NoticeWords.mistake[language])
        document.nested("dl") { list in
            list.element("dt", "error")
            list.element("dd", failure.error.rawValue)
            list.element("dt", "error_description")
            list.element("dd", failure.detail)
        }
        document.element("p", NoticeWords.forDevelopers[language], ["class": "soft"])
    }

    /// What the page says, for tests.
    var markup: String { document.body }

    func response(nonce: String) -> Response {
        .page(
            document.document(nonce: nonce), status: status,
            policy: HTMLDocument.policy(nonce: nonce, frameAncestors: frameAncestors), frameAncestors: frameAncestors)
    }
}
