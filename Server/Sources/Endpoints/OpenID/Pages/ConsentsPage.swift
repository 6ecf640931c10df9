import Authority
import BenjiPage
import BenjiProtocol
import HTTPTypes
import Hummingbird
import OpenIDProvider
import Requests
import ServerHTTP
import Store

/// A person's own page: the apps that are remembered for this phone's number, each with a button that ends it.
struct ConsentsPage {
    let apps: [RememberedApp]
    let language: Language
    /// The token that the form must bring back, besides the browser's cookie.
    let token: String

    /// The link to this page.
    static let manage = LocalizedText("管理", "管理", "Manage")
    private static let title = LocalizedText("已记住的应用", "已記住的應用程式", "Remembered apps")
    private static let reason = LocalizedText(
        "以下应用可以在您勾选过的浏览器里，用本机号码的移动网络登录而不再询问。取消后，下次登录会再次请您确认。",
        "以下應用程式可以在您勾選過的瀏覽器裡，用本機號碼的行動網路登入而不再詢問。取消後，下次登入會再次請您確認。",
        "In the browsers where you ticked the box, these apps log you in over this number's mobile data without "
            + "asking. Once you end that, the next login asks again."
    )
    private static let none = LocalizedText(
        "没有为本机号码记住任何应用。", "沒有為本機號碼記住任何應用程式。", "No app is remembered for this phone's number.")
    private static let since = LocalizedText("同意于", "同意於", "Agreed on")
    private static let used = LocalizedText("最近使用", "最近使用", "Last used on")
    private static let never = LocalizedText("还没有", "還沒有", "not yet")
    private static let until = LocalizedText("有效至", "有效至", "Until")
    private static let gets = LocalizedText("应用得到", "應用程式得到", "What the app gets")
    private static let number = LocalizedText("您的手机号码", "您的手機號碼", "your phone number")
    private static let account = LocalizedText("您在该应用的账号", "您在該應用程式的帳號", "your account at this app")
    private static let end = LocalizedText("取消记住", "取消記住", "Ask again")
    private static let endAll = LocalizedText("全部取消", "全部取消", "Ask again for all")

    func response(nonce: String) -> Response {
        let entries = apps.map { app -> [String: Any] in
            [
                "name": app.name, "family": Self.name(of: app.family), "label": "\(Self.end[language]): \(app.name)",
                "facts": [
                    (Self.since, Self.day(app.agreedAt)), (Self.used, app.usedAt.map(Self.day) ?? Self.never[language]),
                    (Self.until, Self.day(app.expiresAt)),
                    (Self.gets, (app.getsNumber ? Self.number : Self.account)[language]),
                ].map { ["term": $0.0[language], "text": $0.1] },
            ]
        }
        let page = SmallPage(
            .consents, language, title: Self.title[language],
            [
                "reason": (apps.isEmpty ? Self.none : Self.reason)[language], "apps": entries, "token": token,
                "action": OpenIDProvider.Path.consents.rawValue, "end": Self.end[language],
                "endAll": Self.endAll[language], "areSeveral": apps.count > 1,
            ])
        return .page(page.document(nonce: nonce), policy: SmallPage.policy(nonce: nonce))
    }

    /// `2026-11-21`, in China.
    private static func day(_ moment: Timestamp) -> String { CalendarDay(moment).description }

    /// The token that the form must bring back. Another site's form lacks it, for want of the cookie behind it.
    static func token(of secret: String) -> String { Base64URL.encode(CredentialHash(of: secret).bytes) }

    /// How the form names a consent.
    static func name(of family: Int64) -> String { String(family) }

    /// The consents that a button of the form ends; `nil` if it names nothing.
    static func ending(_ text: String?) -> ConsentEnding? {
        text == "all" ? .all : text.flatMap { Int64($0) }.map { .one(family: $0) }
    }
}

/// `/openid/consents`.
extension OpenIDEndpoints {
    func consents(_ request: Request, _ context: EndpointContext) async throws -> Response {
        let languages = Self.languages(request)
        do {
            guard try browser.destination(request) == .window else {
                throw OpenIDFailure(.invalidRequest, "this page is for a window of its own")
            }
            let apps = try await service.consents(ending: nil, await call(request, context, languages))
            context.outcome.note(code: Situation.success.rawValue)
            let known = browser.ownSecret(request)
            let secret = known ?? newNonce()
            let page = ConsentsPage(
                apps: apps, language: Language(wanted: languages), token: ConsentsPage.token(of: secret))
            var response = page.response(nonce: newNonce())
            if known == nil {
                response.headers.append(HTTPField(name: .setCookie, value: browser.newOwnSecret(secret)))
            }
            return response
        } catch let stop as OpenIDStop {
            return answer(stop, context, languages, retry: OpenIDProvider.Path.consents.rawValue)
        } catch let failure as OpenIDFailure {
            return answer(.developer(failure), context, languages, retry: nil)
        }
    }

    func endConsents(_ request: Request, _ context: EndpointContext) async throws -> Response {
        let languages = Self.languages(request)
        do {
            let form = try await request.form()
            // Another site can send the form, and cannot know what the cookie of this browser makes of it.
            guard isFromOurPage(request), let secret = browser.ownSecret(request),
                form["token"] == ConsentsPage.token(of: secret), let ending = ConsentsPage.ending(form["end"])
            else { throw OpenIDStop.person(.consentInvalid, Language(wanted: languages), otherWay: nil) }
            _ = try await service.consents(ending: ending, await call(request, context, languages))
            context.outcome.note(code: Situation.success.rawValue)
            // The page again, which a reload does not resend.
            return Response(
                status: .seeOther,
                headers: [
                    .location: OpenIDProvider.Path.consents.rawValue, .cacheControl: "no-store",
                    .referrerPolicy: "no-referrer",
                ])
        } catch let stop as OpenIDStop {
            return answer(stop, context, languages, retry: OpenIDProvider.Path.consents.rawValue)
        } catch let failure as OpenIDFailure {
            return answer(.developer(failure), context, languages, retry: nil)
        }
    }
}
