import BenjiPage
import BenjiProtocol
import HTTPTypes
import Hummingbird
import OpenIDProvider
import Requests
import ServerHTTP
import Store

/// A person's own page: what apps ask the holder of this phone's number, each with a yes and a no.
struct RequestsPage {
    let requests: [WaitingRequest]
    let language: Language
    /// The token that the form must bring back, besides the browser's cookie.
    let token: String

    private static let title = LocalizedText("等待您确认的请求", "等待您確認的請求", "Requests that wait for you")
    private static let reason = LocalizedText(
        "只同意您自己刚刚发起的请求。如果有人打电话或发消息让您同意，请拒绝。拒绝后，该应用十分钟内不能再询问。",
        "只同意您自己剛剛發起的請求。如果有人打電話或傳訊息讓您同意，請拒絕。拒絕後，該應用程式十分鐘內不能再詢問。",
        "Agree only to what you have just begun yourself. If somebody calls or writes and wants you to agree, refuse. "
            + "After a no the app cannot ask again for ten minutes."
    )
    private static let none = LocalizedText(
        "没有请求在等待本机号码确认。", "沒有請求在等待本機號碼確認。", "Nothing waits for this phone's number.")
    private static let message = LocalizedText("请核对", "請核對", "Compare")
    private static let asked = LocalizedText("请求时间", "請求時間", "Asked at")
    private static let until = LocalizedText("有效至", "有效至", "Until")
    private static let gets = LocalizedText("同意之后", "同意之後", "If you agree")

    func response(nonce: String) -> Response {
        let entries = requests.map { request -> [String: Any] in
            let facts =
                [(Self.message, request.message)].compactMap { term, text in text.map { (term, $0) } }
                + [(Self.asked, Self.time(request.askedAt)), (Self.until, Self.time(request.expiresAt))]
                + [(Self.gets, request.gets.joined(separator: language == .english ? " " : ""))]
            return [
                "name": request.name, "family": String(request.family), "digest": request.digest,
                "yesLabel": "\(BackchannelStrings.yes[language]): \(request.name)",
                "noLabel": "\(BackchannelStrings.no[language]): \(request.name)",
                "facts": facts.map { ["term": $0.0[language], "text": $0.1] },
            ]
        }
        let page = SmallPage(
            .requests, language, title: Self.title[language],
            [
                "reason": (requests.isEmpty ? Self.none : Self.reason)[language], "requests": entries, "token": token,
                "action": OpenIDProvider.Path.requests.rawValue, "yes": BackchannelStrings.yes[language],
                "no": BackchannelStrings.no[language],
            ])
        return .page(page.document(nonce: nonce), policy: SmallPage.policy(nonce: nonce))
    }

    /// `20:31:07`, in China.
    private static func time(_ moment: Timestamp) -> String {
        let seconds = (moment.seconds + 8 * 3600) % 86400
        return [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }

    /// The decision of a form; `nil` if it names nothing.
    static func decision(_ form: OpenIDParameters) -> BackchannelDecision? {
        guard let family = form["request"].flatMap({ Int64($0) }), let digest = form["digest"],
            let word = form["decision"], ["yes", "no"].contains(word)
        else { return nil }
        return BackchannelDecision(family: family, digest: digest, isYes: word == "yes")
    }
}

/// `/openid/requests`.
extension OpenIDEndpoints {
    func requests(_ request: Request, _ context: EndpointContext) async throws -> Response {
        let languages = Self.languages(request)
        do {
            guard try browser.destination(request) == .window else {
                throw OpenIDFailure(.invalidRequest, "this page is for a window of its own")
            }
            let waiting = try await service.requests(deciding: nil, await call(request, context, languages))
            context.outcome.note(code: Situation.success.rawValue)
            let known = browser.ownSecret(request)
            let secret = known ?? newNonce()
            let page = RequestsPage(
                requests: waiting, language: Language(wanted: languages), token: ConsentsPage.token(of: secret))
            var response = page.response(nonce: newNonce())
            if known == nil {
                response.headers.append(HTTPField(name: .setCookie, value: browser.newOwnSecret(secret)))
            }
            return response
        } catch let stop as OpenIDStop {
            return answer(stop, context, languages, retry: OpenIDProvider.Path.requests.rawValue)
        } catch let failure as OpenIDFailure {
            return answer(.developer(failure), context, languages, retry: nil)
        }
    }

    func decideRequest(_ request: Request, _ context: EndpointContext) async throws -> Response {
        let languages = Self.languages(request)
        do {
            let form = try await request.form()
            // Another site can send the form, and cannot know what the cookie of this browser makes of it.
            guard isFromOurPage(request), let secret = browser.ownSecret(request),
                form["token"] == ConsentsPage.token(of: secret), let decision = RequestsPage.decision(form)
            else { throw OpenIDStop.person(.consentInvalid, Language(wanted: languages), otherWay: nil) }
            _ = try await service.requests(deciding: decision, await call(request, context, languages))
            context.outcome.note(code: Situation.success.rawValue)
            // The page again, which a reload does not resend.
            return Response(
                status: .seeOther,
                headers: [
                    .location: OpenIDProvider.Path.requests.rawValue, .cacheControl: "no-store",
                    .referrerPolicy: "no-referrer",
                ])
        } catch let stop as OpenIDStop {
            return answer(stop, context, languages, retry: OpenIDProvider.Path.requests.rawValue)
        } catch let failure as OpenIDFailure {
            return answer(.developer(failure), context, languages, retry: nil)
        }
    }
}
