internal import Authority
internal import BenjiPage
internal import BenjiProtocol
internal import HTTPTypes
internal import Hummingbird

/// Why there is no login page, and what to do: to the person who stands before it, or to the app's developer.
struct NoticePage {
    private let status: HTTPResponse.Status
    private var document: HTMLDocument

    /// A person cannot go on.
    /// - Parameters:
    ///   - retry: the query with which the same address can be asked again.
    ///   - otherWay: the way back to the app.
    init(_ situation: Situation, _ language: PageLanguage, retry: String? = nil, otherWay: String? = nil) {
        status = situation.httpStatus
        let words = NoticeWords(situation)
        document = HTMLDocument(language, title: words.title[language])
        document.element("p", words.reason[language])
        document.list(words.steps.map { $0[language] })
        let offersRetry = words.canRetry && retry != nil
        guard offersRetry || otherWay != nil else { return }
        document.nested("div", ["class": "actions"]) { actions in
            if offersRetry, let retry {
                actions.element("a", NoticeWords.retry[language], ["class": "button", "href": retry])
            }
            if let otherWay {
                actions.element(
                    "a", words.wayBack[language],
                    ["class": offersRetry ? "button plain" : "button", "href": otherWay, "rel": "noreferrer"])
            }
        }
    }

    /// The app's developer made a mistake, and there is no registered address to tell it to.
    init(_ failure: OpenIDFailure, _ language: PageLanguage) {
        status = .badRequest
        document = HTMLDocument(language, title: NoticeWords.mistakeTitle[language])
        document.element("p", NoticeWords.mistake[language])
        document.nested("dl") { list in
            list.element("dt", "error")
            list.element("dd", failure.error.rawValue)
            list.element("dt", "error_description")
            list.element("dd", failure.detail)
        }
        document.element("p", NoticeWords.forDevelopers[language], ["class": "soft"])
    }

    func response(nonce: String) -> Response {
        .page(document.document(nonce: nonce), status: status, policy: HTMLDocument.policy(nonce: nonce))
    }
}
