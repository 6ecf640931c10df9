import BenjiPage
import HTTPTypes
import Hummingbird
package import Logging
import NIOCore
import PageDesigner
import Requests
package import Sandbox
import ServerHTTP
import ServiceLifecycle

/// The sandbox in a browser: one page with every control and the timeline, and the same as JSON under `/api`
/// (docs/openapi/sandbox.yaml).
///
/// It has no log-in of its own. It listens on the loopback unless it is told otherwise, and refuses callers as
/// ``LoopbackCaller`` does.
package struct SandboxSite: Service {
    private let application: any Service
    private let timeline: Timeline

    /// - Parameters:
    ///   - address: where it listens; 127.0.0.1, or 0.0.0.0 in a container of which one port is published.
    ///   - port: 0 lets the system choose.
    ///   - onListening: told the port, once it listens.
    package init(
        world: SandboxWorld, address: String, port: UInt16, logger: Logger,
        onListening: @escaping @Sendable (Int?) async -> Void
    ) throws {
        timeline = world.wiring.timeline
        let router = Router(context: EndpointContext.self)
        let designer = PageDesigner(
            at: SandboxPages.designer,
            startingWith: {
                do { return try await world.page.json().text } catch { throw PageDesigner.Refusal(.absent, "\(error)") }
            },
            show: { text in
                do throws(PageError) { await world.show(try PageDescription(parsing: Array(text.utf8))) } catch {
                    throw PageDesigner.Refusal(.invalid, error.description)
                }
            })
        let routes = SandboxPages(world: world).routes + SandboxAPI(world: world).routes + designer.routes
        router.add(middleware: OnePort(world: world))
        router.add(middleware: SandboxGuard(methods: AllowedMethods(routes)))
        router.add(routes)
        var limits = ServerLimits(connections: 256, connectionsPerAddress: 256)
        limits.endsAbandonedWork = true
        application = PublicServer.application(
            router, address: .hostname(address, port: Int(port)), limits: limits, logger: logger,
            onListening: onListening)
    }

    package func run() async throws {
        // Answer the requests that wait for news, so that Ctrl-C does not have to wait for them.
        try await withGracefulShutdownHandler {
            try await application.run()
        } onGracefulShutdown: {
            timeline.end()
        }
    }
}
