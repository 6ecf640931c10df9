import Foundation
import HTTPTypes
import Hummingbird

/// The pages of the shop itself: teas, basket, orders.
struct ShopRoutes: Sendable {
    let services: ShopServices
    let pages: PageWriter

    /// More of one tea than this is a mistake.
    private static let maximumCount = 99

    func add(to router: Router<BasicRequestContext>) {
        router.get("/") { request, _ in try await front(request) }
        router.get("/basket") { request, _ in try await basket(request) }
        router.post("/basket/add") { request, _ in try await change(request, by: 1) }
        router.post("/basket/remove") { request, _ in try await change(request, by: -1) }
        router.post("/order") { request, _ in try await order(request) }
        router.get("/account") { request, _ in try await account(request) }
        router.post("/language") { request, _ in try await language(request) }
    }

    private func front(_ request: Request) async throws -> Response {
        let visit = await services.visit(request)
        let teas = Tea.all.map { tea in Self.values(tea, visit.language) }
        return try pages.write(.front, visit, ["teas": teas])
    }

    private func basket(_ request: Request) async throws -> Response {
        let visit = await services.visit(request)
        let lines = visit.lines.map { line in
            Self.values(line.tea, visit.language).merging(
                ["count": line.count, "sum": Tea.price(line.tea.price * line.count)]) { $1 }
        }
        let total = visit.lines.reduce(0) { $0 + $1.tea.price * $1.count }
        return try pages.write(
            .basket, visit, ["lines": lines, "isEmpty": lines.isEmpty, "total": Tea.price(total)])
    }

    private func change(_ request: Request, by step: Int) async throws -> Response {
        let visit = await services.visit(request)
        guard let tea = Tea.find(try await request.form()["tea"] ?? "") else { throw HTTPError(.badRequest) }
        let id = await services.sessions.change(visit.sessionID) { session in
            let count = min((session.basket[tea.id] ?? 0) + step, Self.maximumCount)
            session.basket[tea.id] = count > 0 ? count : nil
        }
        var response = Response.goTo("/basket")
        services.cookies.set(.session, id, on: &response)
        return response
    }

    private func order(_ request: Request) async throws -> Response {
        let visit = await services.visit(request)
        guard let account = visit.account else { return .goTo("/login?next=/basket") }
        guard await services.accounts.place(visit.lines, for: account.id) != nil else { return .goTo("/basket") }
        _ = await services.sessions.change(visit.sessionID) { $0.basket = [:] }
        return .goTo("/account")
    }

    private func account(_ request: Request) async throws -> Response {
        let visit = await services.visit(request)
        guard let account = visit.account else { return .goTo("/login?next=/account") }
        let words = Words.all(visit.language)
        let recognised =
            switch account.context {
            case "urn:benji:net:digits": words["byDigits"]
            case "urn:benji:sms": words["bySMS"]
            case nil: words["byToken"]
            default: words["byNetwork"]
            }
        let orders = account.orders.map { order -> [String: Any] in
            [
                "id": order.id, "sum": Tea.price(order.total),
                "lines": order.lines.map { ["name": visit.language.of($0.tea.name), "count": "\($0.count)"] },
            ]
        }
        return try pages.write(
            .account, visit,
            [
                "customer": account.id, "recognised": recognised ?? "", "orders": orders,
                "hasOrders": !orders.isEmpty,
            ])
    }

    private func language(_ request: Request) async throws -> Response {
        let form = try await request.form()
        var response = Response.goTo(ShopPath.own(form["back"]))
        guard let language = form["language"].flatMap(Language.init(rawValue:)) else { return response }
        services.cookies.set(.language, language.rawValue, on: &response)
        return response
    }

    private static func values(_ tea: Tea, _ language: Language) -> [String: Any] {
        [
            "id": tea.id, "name": language.of(tea.name), "about": language.of(tea.about),
            "price": Tea.price(tea.price),
        ]
    }
}
