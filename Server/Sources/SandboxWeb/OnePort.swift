import BenjiClient
import Endpoints
import HTTPTypes
import Hummingbird
import NIOCore
import Sandbox

/// Leads to the phones' windows and to the servers on the port of the sandbox's page, for callers who can reach no other:
///
/// - a browser by a window's name, such as `login.phone-1.localhost`;
/// - an app by `/phones/phone-1/gateway`, with the gateway's own path behind it;
/// - an app's server by `/server`, likewise.
struct OnePort: RouterMiddleware {
    let world: SandboxWorld

    /// Where an app's server calls, seen from the page.
    static let server = "/server"

    /// Whether programs are told the paths on the page's port: wherever the page is not called by 127.0.0.1.
    static func isUsed(at origin: String) -> Bool { (try? ServerURL(origin)).map { $0.host != "127.0.0.1" } ?? false }

    /// Where an app on a phone calls.
    static func gateway(of phone: String) -> String { "/phones/\(phone)/gateway" }

    func handle(
        _ request: Request, context: EndpointContext, next: (Request, EndpointContext) async throws -> Response
    ) async throws -> Response {
        let target = request.uri.string
        if let label = request.head.authority.flatMap(WindowLabel.init(host:)) {
            return try await answer(request, target) { request in try await world.exchange(request, at: label) }
        }
        // What follows is no page's: other sites' pages may not use it.
        guard LoopbackCaller.problem("the sandbox", request) == nil else { return try await next(request, context) }
        if target.hasPrefix(Self.server + "/") {
            return try await answer(request, String(target.dropFirst(Self.server.count))) { request in
                await world.exchangeOfServer(request)
            }
        }
        let parts = target.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: true)
        if parts.count == 4, let authority = request.head.authority,
            target.hasPrefix(Self.gateway(of: String(parts[1])) + "/")
        {
            return try await answer(request, "/" + parts[3]) { request in
                let phone = String(parts[1])
                return try await world.exchangeOfApp(
                    request, on: phone, calledAt: authority + Self.gateway(of: phone))
            }
        }
        return try await next(request, context)
    }

    private func answer(
        _ request: Request, _ target: String, _ exchange: (ModemRequest) async throws -> ModemOutcome
    ) async throws -> Response {
        let outcome: ModemOutcome
        do {
            let body = try await request.body.collect(upTo: ModemRequest.maximumBody)
            outcome = try await exchange(
                ModemRequest(
                    method: request.method.rawValue, target: target,
                    headers: HeaderFields(request.headers.map { HeaderFields.Field($0.name.rawName, $0.value) }),
                    body: Array(body.readableBytesView)))
        } catch let problem as SandboxWorld.Problem {
            return Response(problem: problem.code, problem.description, problem.status)
        } catch is NIOTooManyBytesError {
            return Response(
                problem: "body_too_large", "at most \(ModemRequest.maximumBody) bytes", .contentTooLarge)
        }
        guard case .answer(let status, let headers, let body) = outcome else {
            // A listener of the phone's own breaks the connection. This one is shared.
            var response = Response(problem: "lost", "the phone's network lost this request", .gatewayTimeout)
            response.headers[.connection] = "close"
            return response
        }
        var fields = HTTPFields()
        for field in headers.fields {
            if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
        }
        return Response(
            status: .init(code: status), headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}
