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
    private let formTargets: [String]
    private let showsLogo: Bool
    private let page: SmallPage

    /// A person cannot go on.
    /// - Parameters:
    ///   - retry: the query with which the same address can be asked again.
    ///   - offer: where a login by a code begins, if the notice offers one.
    init(_ notice: OpenIDNotice, retry: String? = nil, offer: SMSOffer? = nil) {
        status = notice.situation.httpStatus
        let offer = notice.offersSMS ? offer : nil
        // The answer to the offer's form may be a redirect to the app.
        formTargets = offer == nil ? [] : [notice.wayBack.map { $0.prefix { $0 != ":" } + ":" }].compactMap(\.self)
        frameAncestors = notice.frameAncestors
        showsLogo = notice.look?.logo != nil
        let language = notice.language
        let cause = NoticeCause(notice)
        let words = NoticeWords(cause)
        let retry = words.canRetry ? retry : nil
        let steps = words.said(retries: retry != nil, leadsBack: notice.wayBack != nil)
        var values: [String: Any] = [
            "reason": words.reason[language], "steps": steps.map { $0[language] },
            "retryWords": NoticeWords.retry[language], "wayBackWords": words.wayBack[language],
            "hasActions": offer != nil || retry != nil || notice.wayBack != nil,
            "isPlain": offer != nil || retry != nil,
        ]
        values["retry"] = retry
        values["offer"] = offer?.values(language)
        values["wayBack"] = notice.wayBack
        page = SmallPage(
            .notice, language, title: words.title[language], app: notice.app, look: notice.look,
            icon: NoticeIcon(cause), values)
    }

    /// The app's developer made a mistake, and there is no registered address to tell it to.
    init(_ failure: OpenIDFailure, _ language: Language) {
        status = .badRequest
        frameAncestors = []
        formTargets = []
        showsLogo = false
        page = SmallPage(
            .mistake, language, title: NoticeWords.mistakeTitle[language], icon: .mistake,
            [
                "reason": NoticeWords.mistake[language], "error": failure.error.rawValue, "detail": failure.detail,
                "forDevelopers": NoticeWords.forDevelopers[language],
            ])
    }

    /// The page's markup, for tests.
    var markup: String { page.document(nonce: "") }

    func response(nonce: String) -> Response {
        .page(
            page.document(nonce: nonce), status: status,
            policy: SmallPage.policy(
                nonce: nonce, formTargets: formTargets, frameAncestors: frameAncestors, showsLogo: showsLogo),
            frameAncestors: frameAncestors)
    }
}

/// The button of a notice that begins a login by SMS code. It repeats the request with a parameter that asks for it.
struct SMSOffer {
    private let values: [String: Any]

    /// After an authorization request; `nil` if it said so already.
    init?(_ parameters: OpenIDParameters, of request: Request) {
        let button = OpenIDProvider.bySMS
        guard parameters[button.name] == nil else { return nil }
        if request.method == .get {
            // A link, as the one to try again is.
            values = ["link": "?\(request.uri.query ?? "")&\(button.name)=\(button.value)"]
        } else {
            let fields = parameters.values.sorted { $0.key < $1.key }
            values = Self.form(to: .authorize, fields.map { ($0.key, $0.value) }, button)
        }
    }

    /// After the form of a page.
    init(_ answer: OpenIDProvider.PageAnswer) {
        values = Self.form(to: .login, [("page", answer.secret)], ("action", "sms"))
    }

    private static func form(
        to path: OpenIDProvider.Path, _ fields: [(name: String, value: String)], _ button: (name: String, value: String)
    ) -> [String: Any] {
        let form: [String: Any] = [
            "action": path.rawValue, "button": button.name, "choice": button.value,
            "fields": fields.map { ["name": $0.name, "value": $0.value] },
        ]
        return ["form": form]
    }

    /// For the notice's template.
    func values(_ language: Language) -> [String: Any] {
        values.merging(["words": NoticeWords.byCode[language]]) { $1 }
    }
}
