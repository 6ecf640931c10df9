import BenjiPage
import BenjiProtocol
import Hummingbird
import OpenIDProvider
import ServerHTTP

extension NoticePage {
    /// A person cannot go on.
    /// - Parameters:
    ///   - retry: the query with which the same address can be asked again.
    ///   - offer: where a login by a code begins, if the notice offers one.
    init(_ notice: OpenIDNotice, retry: String? = nil, offer: SMSOffer? = nil) {
        let offer = notice.offersSMS ? offer : nil
        self.init(
            NoticeCause(notice.situation, asksForOtherAccount: notice.asksForOtherAccount), notice.language,
            status: notice.situation.httpStatus, app: notice.app, logo: notice.look?.logo.map(OpenIDPage.address),
            fill: notice.look?.fill, retry: retry, wayBack: notice.wayBack, offer: offer?.values(notice.language),
            // The answer to the offer's form may be a redirect to the app.
            formTargets: offer == nil ? [] : [notice.wayBack.map { $0.prefix { $0 != ":" } + ":" }].compactMap(\.self),
            frameAncestors: notice.frameAncestors)
    }

    /// The app's developer made a mistake, and there is no registered address to tell it to.
    init(_ failure: OpenIDFailure, _ language: Language) {
        self.init(
            SmallPage(
                .mistake, language, title: NoticeStrings.mistakeTitle[language], icon: .mistake,
                [
                    "reason": NoticeStrings.mistake[language], "error": failure.error.rawValue,
                    "detail": failure.detail,
                    "forDevelopers": NoticeStrings.forDevelopers[language],
                ]), status: .badRequest)
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
        values.merging(["words": NoticeStrings.byCode[language]]) { $1 }
    }
}
