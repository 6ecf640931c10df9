import BenjiProtocol
import HTTPTypes
import Hummingbird
import Logging
import Store

/// One line and two measurements for every request: which route, which status and code, how long.
///
/// No query, no body, no header, and of the path only whether it is one of ours: a mistyped address may hold a number.
/// An app is named once the authority has found that it is registered, a login by its trace.
struct AccessLog: RouterMiddleware {
    /// Name of the listener: "device", "server", "admin".
    let listener: String
    let paths: Set<String>
    /// Whether lines name the caller's address. It helps operators with app servers; a phone's address is personal.
    let namesPeers: Bool
    let meters: RequestMeters

    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .delete, .patch, .options]

    func handle(
        _ request: Request, context: EndpointContext,
        next: (Request, EndpointContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let subject = RequestSubject(listener: listener)
        do {
            let response = try await RequestSubject.$current.withValue(subject) { try await next(request, context) }
            record(
                request, context, subject, status: response.status.code, duration: ContinuousClock.now - start)
            return response
        } catch {
            // Only broken HTTP gets here: the client went away, or its time was over. Hummingbird answers 400 and
            // closes.
            record(request, context, subject, status: 400, duration: ContinuousClock.now - start)
            throw error
        }
    }

    private func record(
        _ request: Request, _ context: EndpointContext, _ subject: RequestSubject, status: Int, duration: Duration
    ) {
        let forwarded = context.outcome.route
        let route = forwarded?.path ?? route(of: request, context)
        let code = context.outcome.code ?? ""
        meters.record(route: route, status: status, code: code, duration: duration)
        guard context.logger.logLevel <= .info else { return }
        var metadata = Logger.Metadata(minimumCapacity: 10)
        metadata["listener"] = .string(listener)
        metadata["method"] = .string(
            forwarded?.method
                ?? (Self.methods.contains(request.method) ? request.method.rawValue : "other"))
        metadata["route"] = .string(route)
        metadata["status"] = .stringConvertible(status)
        metadata["code"] = .string(code)
        metadata["milliseconds"] = .stringConvertible(duration.wholeMilliseconds)
        if let app = subject.app { metadata["app"] = .string(app.rawValue) }
        if let actor = context.outcome.actor { metadata["actor"] = .string(actor) }
        if let trace = context.outcome.trace { metadata["trace"] = .string(trace.rawValue) }
        if namesPeers, let peer = context.peer { metadata["peer"] = "\(peer.address)" }
        context.logger.info("request", metadata: metadata)
    }

    /// The router's own name for the address; for a wrong method there is none, so the address itself if it is one of
    /// ours.
    private func route(of request: Request, _ context: EndpointContext) -> String {
        if let pattern = context.endpointPath, pattern != "NotFound" { return pattern }
        return paths.contains(request.uri.path) ? request.uri.path : "unmatched"
    }
}
