import BenjiProtocol
import HTTPTypes
package import Hummingbird
import HummingbirdCore
package import Logging
package import Metrics
import NIOCore

/// Builds the listeners from routes: one for phones, one for app servers, one for operators, each on its own address.
package enum PublicServer {
    /// A router that logs, counts and codes every answer of `routes`. More routes may be added to it; they are
    /// covered as well.
    ///
    /// - Parameters:
    ///   - name: the listener in logs and counters: "device", "server", "admin".
    ///   - namesPeers: whether log lines name the caller's address. Only for listeners that phones do not use.
    ///   - metrics: where requests are counted; the process's own factory unless a test says otherwise.
    package static func router(
        _ name: String, routes: [EndpointRoute], namesPeers: Bool = false,
        metrics: any MetricsFactory = MetricsSystem.factory
    ) -> Router<EndpointContext> {
        let router = Router(context: EndpointContext.self)
        router.add(
            middleware: AccessLog(
                listener: name, paths: Set(routes.map(\.path)), namesPeers: namesPeers,
                meters: RequestMeters(listener: name, factory: metrics)))
        router.add(middleware: CodedErrors(routes))
        router.add(routes)
        return router
    }

    /// A listener, ready to run as a service.
    ///
    /// - Parameters:
    ///   - tls: the listener's certificate, or `nil` for plain HTTP behind a proxy or in the sandbox.
    ///   - draining: whether answers close their connections by now.
    ///   - onListening: called once the socket listens, with its port: how a caller that asked for port 0 learns it.
    package static func application(
        _ router: Router<EndpointContext>, address: BindAddress, limits: ServerLimits = ServerLimits(),
        tls: RenewableTLS? = nil, draining: Draining? = nil, eventLoopGroup: EventLoopGroupProvider = .singleton,
        logger: Logger,
        onListening: @escaping @Sendable (Int?) async -> Void = { _ in }
    ) -> Application<RouterResponder<EndpointContext>> {
        let limiter = ConnectionLimiter(
            limit: limits.connectionsPerAddress, closesOldest: limits.closesOldestPerAddress)
        let responder = router.buildResponder()
        let answer = answer(by: responder, draining: draining, logger: logger)
        let server = HTTPServerBuilder { responder in
            let connection = EndpointConnection(
                base: HTTP1Channel(responder: responder), limits: limits, limiter: limiter, answer: answer)
            return if let tls { RenewableTLSConnection(base: connection, tls: tls) } else { connection }
        }
        return Application(
            responder: responder, server: server,
            configuration: ApplicationConfiguration(
                address: address, serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections)),
            onServerRunning: { channel in await onListening(channel.localAddress?.port) },
            eventLoopGroupProvider: eventLoopGroup, logger: logger)
    }

    /// Runs a listener on a thread of those that connections have. Otherwise each connection begins and ends on one of
    /// Swift's shared pool, which is woken for it.
    package static func onEventLoop<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        let executor = EventLoopTaskExecutor(EventLoopGroupProvider.singleton.eventLoopGroup.any())
        return try await withTaskExecutorPreference(executor) { try await body() }
    }

    /// Does the work of Hummingbird's `Application`, except for reading a request and writing its answer.
    private static func answer(
        by responder: RouterResponder<EndpointContext>, draining: Draining?, logger: Logger
    ) -> WholeRequestHandler.Answer {
        let date = SecondText.header()
        return { request, channel in
            var logger = logger
            logger[metadataKey: "hb.request.id"] = .stringConvertible(RequestID())
            let context = EndpointContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
            var response: Response
            do { response = try await responder.respond(to: request, context: context) } catch {
                response = Response(status: .internalServerError)
            }
            response.headers[.date] = date.text(of: SystemWallClock().now.seconds)
            if draining?.isUnderWay == true { response.headers[.connection] = "close" }
            return response
        }
    }
}

extension Router where Context == EndpointContext {
    package func add(_ routes: [EndpointRoute]) {
        for route in routes {
            on(RouterPath(route.path), method: route.method) { request, context in
                try await route.handler(request, context)
            }
            guard route.method == .get, route.answersHead else { continue }
            on(RouterPath(route.path), method: .head) { request, context in
                var head = request.head
                head.method = .get
                return try await route.handler(Request(head: head, body: request.body), context).createHeadResponse()
            }
        }
    }
}
