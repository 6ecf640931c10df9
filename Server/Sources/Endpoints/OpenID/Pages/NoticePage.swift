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
    private let page: SmallPage

    /// A person cannot go on.
    /// - Parameter retry: the query with which the same address can be asked again.
    init(_ notice: OpenIDNotice, retry: String? = nil) {
        status = notice.situation.httpStatus
        frameAncestors = notice.frameAncestors
        let language = notice.language
        let cause = NoticeCause(notice)
        let words = NoticeWords(cause)
        let retry = words.canRetry ? retry : nil
        let steps = words.said(retries: retry != nil, leadsBack: notice.wayBack != nil)
        var values: [String: Any] = [
            "reason": words.reason[language], "steps": steps.map { $0[language] },
            "retryWords": NoticeWords.retry[language], "wayBackWords": words.wayBack[language],
            "hasActions": retry != nil || notice.wayBack != nil,
        ]
        values["retry"] = retry
        values["wayBack"] = notice.wayBack
        page = SmallPage(
            .notice, language, title: words.title[language], app: notice.app, icon: NoticeIcon(cause), values)
    }

    /// The app's developer made a mistake, and there is no registered address to tell it to.
    init(_ failure: OpenIDFailure, _ language: Language) {
        status = .badRequest
        frameAncestors = []
        page = SmallPage(
            .mistake, language, title: NoticeWords.mistakeTitle[language], icon: .mistake,
            [
                "reason": NoticeWords.mistake[language], "error": failure.error.rawValue, "detail": failure.detail,
                "forDevelopers": NoticeWords.forDevelopers[language],
            ])
    }

    /// What the page says, for tests.
    var markup: String { page.document(nonce: "") }

    func response(nonce: String) -> Response {
        .page(
            page.document(nonce: nonce), status: status,
            policy: SmallPage.policy(nonce: nonce, frameAncestors: frameAncestors), frameAncestors: frameAncestors)
    }
}
