import Administration
import Authority
import BenjiPage
import BenjiProtocol
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Requests
import ServerHTTP
import Store

/// One request of a browser: who has signed in there, in which language they read, and what their form says.
struct ConsoleVisit: Sendable {
    /// The largest form, in bytes.
    static let maximumForm = 64 * 1024
    /// The largest form with a picture.
    static let maximumPicture = 2 << 20

    let request: Request
    let language: Language
    /// The admin who has signed in; `nil` if none has.
    var caller: Caller?
    /// The secret of their session.
    var session: String?
    var form: [(name: String, value: String)] = []
    let origin: String

    /// The token in each form of a signed-in page, which a page of another site cannot know.
    var formToken: String { session.map(Self.formToken) ?? "" }

    static func formToken(of session: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array("benji-console-form \(session)".utf8))))
    }

    /// A field as it was typed; `nil` if the form has none of this name.
    func field(_ name: String) -> String? { form.first { $0.name == name }?.value }
    /// A field without blanks around it.
    func text(_ name: String) -> String { field(name)?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "" }
    /// All fields of this name, such as boxes that were ticked.
    func fields(_ name: String) -> [String] { form.filter { $0.name == name }.map(\.value) }
    /// Why something is ordered, if somebody said so.
    var reason: String? { text("reason").isEmpty ? nil : text("reason") }
    /// The words of a field that is a list.
    func words(_ name: String) -> [String] {
        text(name).split { $0.isWhitespace || $0 == "," }.map(String.init)
    }

    /// Browsers write a blank in a form as `+`.
    private var queries: [(name: String, value: String)] { FormText.pairs((request.uri.query ?? "").utf8) ?? [] }

    func query(_ name: String) -> String {
        queries.first { $0.name == name }?.value.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }

    /// The query of the address, without the language and the action that was just done.
    var asked: [(name: String, value: String)] { queries.filter { $0.name != "lang" && $0.name != "done" } }

    /// Where browsers call this machine, without a port.
    var host: String {
        let name = request.head.authority ?? "localhost"
        return name.hasPrefix("[") ? String(name.prefix { $0 != "]" }) + "]" : String(name.prefix { $0 != ":" })
    }
}

extension Console {
    /// The session's cookie. Over TLS browsers refuse it from another host, a subdomain or a plain connection (RFC
    /// 6265bis §4.1.3).
    var cookie: String { Self.cookie(isSecure: isSecure) }

    private static func cookie(isSecure: Bool) -> String { isSecure ? "__Host-benji-console" : "benji-console" }

    func cookie(holding session: String, for life: Int64) -> String {
        Self.cookie(holding: session, for: life, isSecure: isSecure)
    }

    /// The header line by which a browser keeps a session.
    /// - Parameters:
    ///   - life: in seconds.
    ///   - isSecure: whether the browser comes over TLS.
    package static func cookie(holding session: String, for life: Int64, isSecure: Bool) -> String {
        "\(cookie(isSecure: isSecure))=\(session); Path=/; Max-Age=\(life)\(isSecure ? "; Secure" : ""); HttpOnly; "
            + "SameSite=Strict"
    }

    /// A page for an admin who has signed in. Other callers are sent to sign in.
    func page(
        _ method: HTTPRequest.Method, _ path: String, upTo limit: Int = ConsoleVisit.maximumForm,
        _ answer: @escaping @Sendable (ConsoleVisit, Caller, EndpointContext) async throws -> Response
    ) -> EndpointRoute {
        open(method, path, upTo: limit) { visit, context in
            guard let caller = visit.caller else { return Self.goTo("/console/sign-in") }
            RequestSubject.current?.prove()
            context.outcome.note(actor: caller.name)
            guard method == .get || visit.field("form") == visit.formToken else {
                throw Refusal(
                    .orderNotPermitted, "this form is from another session; go back, load the page again and repeat")
            }
            return try await answer(visit, caller, context)
        }
    }

    /// A page for anybody.
    /// - Parameter readsForm: `false` if the body is no form. Its handler requires JSON, which no page of another site
    ///   may send.
    func open(
        _ method: HTTPRequest.Method, _ path: String, upTo limit: Int = ConsoleVisit.maximumForm,
        readsForm: Bool = true,
        _ answer: @escaping @Sendable (ConsoleVisit, EndpointContext) async throws -> Response
    ) -> EndpointRoute {
        EndpointRoute(method, path) { request, context in
            guard hosts.admit(request.head.authority) else {
                return AdmittedHosts.refusal(setting: "administration.hosts")
            }
            let chosen = request.uri.queryParameters["lang"].flatMap { Language(consoleName: String($0)) }
            var visit = ConsoleVisit(
                request: request, language: chosen ?? Self.language(request),
                origin: context.peer?.address.description ?? "unknown address")
            var response: Response
            do throws(Refusal) {
                if method != .get { try check(request) }
                response = try await refusing { () async throws -> Response in
                    try await signIn(&visit)
                    if method != .get, readsForm {
                        visit.form = try await Self.form(
                            request, upTo: visit.caller == nil ? ConsoleVisit.maximumForm : limit)
                    }
                    return try await answer(visit, context)
                }
            } catch {
                context.outcome.note(code: error.situation.rawValue)
                response = templates.problem(error, visit)
            }
            if let chosen {
                response.headers[values: .setCookie].append(
                    "\(Self.languageCookie)=\(chosen.consoleName); Path=/console; Max-Age=31536000; SameSite=Strict")
            }
            return Self.guarded(response)
        }
    }

    /// Turns each error of a visit into a refusal.
    private func refusing(_ body: () async throws -> Response) async throws(Refusal) -> Response {
        do { return try await body() } catch let refusal as Refusal {
            throw refusal
        } catch let situation as Situation {
            throw Refusal(situation, "the form is too large")
        } catch { throw Refusal(.internalError, "this page cannot be shown") }
    }

    /// Refuses what a page of another site has a browser send.
    private func check(_ request: Request) throws(Refusal) {
        // Only browsers send the console's forms, and each browser sends one of the two fields.
        let site = request.headers[.secFetchSite]
        let isFromPage = site == "same-origin" || (site == nil && request.headers[.origin] != nil)
        guard isFromPage, !request.isCrossOrigin(isSecure: isSecure) else {
            throw Refusal(.orderNotPermitted, "a page of another site may not change anything here")
        }
    }

    private func signIn(_ visit: inout ConsoleVisit) async throws(Refusal) {
        guard let session = visit.request.cookie(cookie), !session.isEmpty,
            let caller = try await administration.caller(session: session, from: visit.origin)
        else { return }
        (visit.caller, visit.session) = (caller, session)
    }

    private static func form(_ request: Request, upTo limit: Int) async throws -> [(name: String, value: String)] {
        guard request.mediaType == "application/x-www-form-urlencoded" else {
            throw Refusal(.malformedRequest, "the body must be a form")
        }
        guard let pairs = FormText.pairs(try await request.bytes(upTo: limit)) else {
            throw Refusal(.malformedRequest, "the form is not UTF-8")
        }
        return pairs
    }

    private static func language(_ request: Request) -> Language {
        if let chosen = request.cookie(languageCookie).flatMap({ Language(consoleName: $0) }) { return chosen }
        let tags = AcceptLanguage.tags(request.headers[.acceptLanguage] ?? "").map { $0.lowercased() }
        return tags.first { $0.hasPrefix("zh") || $0.hasPrefix("en") }?.hasPrefix("zh") == true
            ? .simplifiedChinese : .english
    }

    /// The language that somebody chose.
    static let languageCookie = "benji-console-language"

    static func goTo(_ path: String) -> Response { Response(status: .seeOther, headers: [.location: path]) }
}

/// The console is there in simplified Chinese and in English. Its addresses and its cookie call them `zh` and `en`.
extension Language {
    fileprivate var consoleName: String { self == .english ? "en" : "zh" }

    fileprivate init?(consoleName: String) {
        switch consoleName {
        case "zh": self = .simplifiedChinese
        case "en": self = .english
        default: return nil
        }
    }
}
