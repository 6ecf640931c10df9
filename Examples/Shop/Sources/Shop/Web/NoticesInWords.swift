import HTTPTypes
import Hummingbird

/// Shows errors to people in words; apps see the status.
struct NoticesInWords: RouterMiddleware {
    typealias Context = BasicRequestContext
    let services: ShopServices
    let pages: PageWriter

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do { return try await next(request, context) } catch let error as HTTPError
            where [.notFound, .forbidden].contains(error.status)
            && request.headers[.accept]?.contains("text/html") == true
        {
            let visit = await services.visit(request)
            let name = error.status == .notFound ? "missing" : "forbidden"
            return try pages.notice(name, visit, status: error.status)
        }
    }
}
