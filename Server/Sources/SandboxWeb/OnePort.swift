import BenjiClient
import Endpoints
import HTTPTypes
import Hummingbird
import NIOCore
import Sandbox
import ServerHTTP

/// Leads to the phones' windows and to the servers on the port of the sandbox's page, for callers who can reach no
/// other:
///
/// - a browser by a window's name, such as `login.phone-1.localhost`;
/// - an app by `/phones/phone-1/gateway`, with the gateway's own path behind it;
/// - an app's server by `/server`, likewise;
/// - a browser that is signed in to the console by `/console`.
struct OnePort: RouterMiddleware {
    let world: SandboxWorld

    func handle(
        _ request: Request, context: EndpointContext, next: (Request, EndpointContext) async throws -> Response
    ) async throws -> Response {
        let response =
            Self.namesOneHost(request)
            ? try await lead(request, context, next)
            : Response(problem: "malformed_request", "the request must name one host, in Host alone", .badRequest)
        // RFC 9110 §9.3.2: a client that sends HEAD would take a body for the beginning of the next answer.
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// A proxy in front may go by another host than this listener.
    private static func namesOneHost(_ request: Request) -> Bool {
        request.head.path?.first == "/" && request.headers[.host] == nil
    }

    private func lead(
        _ request: Request, _ context: EndpointContext, _ next: (Request, EndpointContext) async throws -> Response
    ) async throws -> Response {
        let target = request.uri.string
        if let label = request.head.authority.flatMap(WindowLabel.init(host:)) {
            return try await answer(request, target) { request in try await world.exchange(request, at: label) }
        }
        // The paths below are for programs and for the console. Pages of other sites may not use them.
        guard LoopbackCaller.problem("the sandbox", request) == nil else { return try await next(request, context) }
        if target.hasPrefix(SandboxServers.pathForServers + "/") {
            return try await answer(request, String(target.dropFirst(SandboxServers.pathForServers.count))) { request in
                await world.exchangeOfServer(request)
            }
        }
        // The `type` of a problem is this path.
        if request.uri.path == "/codes" || target.hasPrefix("/codes/") {
            return try await answer(request, target) { request in await world.exchangeOfServer(request) }
        }
        // POST /console is a route of the sandbox's page: it signs in.
        if world.servers.areOnOnePort(request.origin),
            request.uri.path.hasPrefix("/console/") || request.uri.path == "/console" && request.method == .get
        {
            return try await answer(request, target) { modem in
                await world.exchangeOfConsole(modem, seenAt: request.origin)
            }
        }
        let parts = target.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: true)
        if parts.count == 4, let authority = request.head.authority,
            target.hasPrefix(SandboxServers.pathForApps(on: String(parts[1])) + "/")
        {
            return try await answer(request, "/" + parts[3]) { request in
                let phone = String(parts[1])
                return try await world.exchangeOfApp(
                    request, on: phone, calledAt: authority + SandboxServers.pathForApps(on: phone))
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
