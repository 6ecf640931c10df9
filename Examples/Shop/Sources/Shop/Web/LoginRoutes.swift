import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOFoundationCompat

/// Logging in and out.
struct LoginRoutes: Sendable {
    let services: ShopServices
    let pages: PageWriter
    let logger: Logger

    func add(to router: Router<BasicRequestContext>) {
        router.get("/login") { request, _ in try await page(request) }
        router.get("/login/start") { request, _ in try await start(request) }
        router.get("/login/callback") { request, _ in try await callback(request) }
        router.post("/login/token") { request, _ in try await token(request) }
        router.post("/logout") { request, _ in try await logout(request) }
    }

    private func page(_ request: Request) async throws -> Response {
        let visit = await services.visit(request)
        let next = ShopPath.own(request.query("next"))
        guard visit.account == nil else { return .goTo(next) }
        return try pages.write(
            .login, visit, ["next": next, "isOffered": services.openID != nil])
    }

    // MARK: - By web pages

    private func start(_ request: Request) async throws -> Response {
        let visit = await services.visit(request)
        let attempt = LoginAttempt(
            next: ShopPath.own(request.query("next")), popup: request.query("popup").flatMap(ShopPath.windowName),
            session: visit.sessionID)
        let address: String
        do throws(LoginFailure) {
            guard let openID = services.openID else { throw .notOffered }
            address = try await openID.address(for: attempt, language: visit.language)
        } catch { return try failed(error, visit, attempt) }
        let browser = services.cookies.read(.login, of: request) ?? Secret.make()
        await services.sessions.depart(attempt, from: browser)
        var response = Response.goTo(address)
        services.cookies.set(.login, browser, on: &response)
        return response
    }

    /// The provider sends the browser back. Whatever it brings counts only for the login that this browser began.
    private func callback(_ request: Request) async throws -> Response {
        var visit = await services.visit(request)
        let browser = services.cookies.read(.login, of: request)
        guard let attempt = await services.sessions.arrive(request.query("state"), at: browser) else {
            return try failed(.stale, visit, nil)
        }
        let person: OpenIDClient.Person
        do {
            person = try await self.person(attempt, request.query)
        } catch { return try failed(error, visit, attempt) }
        let account = await services.accounts.logIn(person)
        logger.info("logged in", metadata: ["account": "\(account.id)", "by": "openid"])
        visit.account = account
        // Not a redirect: this request was started by another site, and the browser would keep the strict cookie back
        // from whatever a redirect led to.
        return try landed(visit, session: await services.sessions.logIn(account.id, from: attempt.session), attempt)
    }

    private func person(
        _ attempt: LoginAttempt, _ value: (String) -> String?
    ) async throws(LoginFailure) -> OpenIDClient.Person {
        guard let openID = services.openID else { throw .notOffered }
        guard try await openID.accepts(issuer: value("iss")) else { throw .mistrusted("iss is another provider") }
        if let error = value("error") {
            throw error == "access_denied" ? .cancelled : .refused(error, value("error_description") ?? "")
        }
        guard let code = value("code") else { throw .mistrusted("neither code nor error") }
        return try await openID.person(code: code, of: attempt)
    }

    private func landed(_ visit: Visit, session: String, _ attempt: LoginAttempt) throws -> Response {
        var response = try pages.write(.landed, visit, Self.values(of: attempt))
        services.cookies.set(.session, session, on: &response)
        return response
    }

    private static func values(of attempt: LoginAttempt) -> [String: Any] {
        var values: [String: Any] = ["next": attempt.next]
        values["popup"] = attempt.popup
        return values
    }

    private func failed(_ failure: LoginFailure, _ visit: Visit, _ attempt: LoginAttempt?) throws -> Response {
        logger.notice("nobody is logged in", metadata: ["reason": "\(failure.detail)"])
        let name: String
        var detail = ""
        var status = HTTPResponse.Status.badRequest
        switch failure {
        case .cancelled: (name, status) = ("cancelled", .ok)
        case .stale: name = "stale"
        case .unreachable: (name, status) = ("unreachable", .badGateway)
        case .refused(let code, _): (name, detail, status) = ("refused", code, .badGateway)
        case .mistrusted: (name, status) = ("mistrusted", .badGateway)
        case .notOffered: (name, status) = ("missing", .notFound)
        }
        var values = attempt.map(Self.values) ?? [:]
        values["error"] = name
        values["retry"] = "/login?next=\(attempt?.next ?? "/")"
        return try pages.notice(name, visit, detail: detail, values, status: status)
    }

    // MARK: - By the shop's app

    /// Redeems the app's token in the operators' dialect. The reply has a session and the number masked.
    private func token(_ request: Request) async throws -> Response {
        struct Body: Decodable { var token: String }
        struct Answer: Encodable {
            var loggedIn: Bool
            var number: String?
            var code: String?
        }
        let body = try await request.json(Body.self)
        let visit = await services.visit(request)
        let number: String
        do throws(LoginFailure) {
            guard let client = services.operatorClient else { throw .notOffered }
            number = try await client.number(of: body.token)
        } catch {
            logger.notice("nobody is logged in", metadata: ["reason": "\(error.detail)"])
            switch error {
            case .refused(let code, _): return try Self.json(Answer(loggedIn: false, code: code), .forbidden)
            case .notOffered: return try Self.json(Answer(loggedIn: false), .notFound)
            default: return try Self.json(Answer(loggedIn: false), .badGateway)
            }
        }
        let account = await services.accounts.logIn(number: number)
        logger.info("logged in", metadata: ["account": "\(account.id)", "by": "token"])
        var response = try Self.json(Answer(loggedIn: true, number: account.mask), .ok)
        services.cookies.set(.session, await services.sessions.logIn(account.id, from: visit.sessionID), on: &response)
        return response
    }

    private static func json(_ value: some Encodable, _ status: HTTPResponse.Status) throws -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(data: try JSONEncoder().encode(value))))
    }

    private func logout(_ request: Request) async throws -> Response {
        await services.sessions.end(services.cookies.read(.session, of: request))
        var response = Response.goTo("/")
        services.cookies.set(.session, nil, on: &response)
        return response
    }
}
