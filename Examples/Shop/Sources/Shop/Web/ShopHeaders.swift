import HTTPTypes
import Hummingbird

/// The headers of every answer: nothing from another host, no frame, no referrer, no caching.
struct ShopHeaders: RouterMiddleware {
    typealias Context = BasicRequestContext
    let isSecure: Bool

    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do { response = try await next(request, context) } catch let error as any HTTPResponseError {
            response = try error.response(from: request, context: context)
        }
        response.headers[.contentSecurityPolicy] = Self.policy
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[Self.name("Referrer-Policy")] = "no-referrer"
        response.headers[Self.name("X-Frame-Options")] = "DENY"
        response.headers[Self.name("Cross-Origin-Resource-Policy")] = "same-origin"
        response.headers[Self.name("Permissions-Policy")] = "camera=(), geolocation=(), microphone=()"
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        if isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
        return response
    }

    /// All are tokens of RFC 9110 §5.6.2.
    private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text)! }
}

/// Accepts forms only from this shop's own pages. Browsers state where a request comes from; an app does not. The app's
/// login needs JSON, which another site cannot send without a preflight request.
struct SameSiteForms: RouterMiddleware {
    typealias Context = BasicRequestContext
    let origin: String

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.method != .get, request.method != .head else { return try await next(request, context) }
        let site = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] } ?? "same-origin"
        let from = request.headers[.origin] ?? origin
        // A page whose referrer is withheld sends `null`; the other header speaks for it.
        guard ["same-origin", "none"].contains(site), [origin, "null"].contains(from) else {
            throw HTTPError(.forbidden, message: "not from this shop's pages")
        }
        return try await next(request, context)
    }
}
