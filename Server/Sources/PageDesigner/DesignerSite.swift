import HTTPTypes
import Hummingbird
package import Logging
import ServerHTTP
package import ServiceLifecycle

/// The designer by itself, on the loopback, for `benji page design`.
///
/// Its addresses begin with a token of this run, so that other programs and people of this machine do not find it. It
/// answers to the loopback's names and to its own pages alone.
package struct DesignerSite: Service {
    private let application: any Service

    /// - Parameters:
    ///   - token: the first part of every address: at least 128 bits, in letters, digits, `-` and `_`.
    ///   - port: of 127.0.0.1; 0 lets the system choose.
    ///   - onListening: told the port, once it listens.
    package init(
        token: String, port: UInt16, start: @escaping @Sendable () async throws -> String, file: String,
        save: @escaping PageDesigner.Taker, logger: Logger, onListening: @escaping @Sendable (Int?) async -> Void
    ) {
        let designer = PageDesigner(at: "/\(token)/", startingWith: start, file: file, save: save)
        let router = Router(context: EndpointContext.self)
        router.add(middleware: DesignerGuard())
        router.add(designer.routes)
        application = PublicServer.application(
            router, address: .hostname("127.0.0.1", port: Int(port)),
            limits: ServerLimits(connections: 64, connectionsPerAddress: 64), logger: logger, onListening: onListening)
    }

    package func run() async throws { try await application.run() }
}

/// Keeps other sites' pages out.
private struct DesignerGuard: RouterMiddleware {
    func handle(
        _ request: Request, context: EndpointContext, next: (Request, EndpointContext) async throws -> Response
    ) async throws -> Response {
        if LoopbackCaller.problem("the page designer", request) != nil { return Response(status: .forbidden) }
        var response: Response
        do { response = try await next(request, context) } catch let error as HTTPError where error.status == .notFound
        {
            response = Response(status: .notFound)
        }
        response.headers[.resourcePolicy] = "same-origin"
        response.headers[.openerPolicy] = "same-origin"
        return response
    }
}
