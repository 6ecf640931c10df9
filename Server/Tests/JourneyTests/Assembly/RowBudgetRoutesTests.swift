import Foundation
import Logging
import OpenIDProvider
import ServerTestKit
import ServiceLifecycle
import Store
import Synchronization
import Testing

@testable import Authority
@testable import BenjiCommand
@_spi(Server) @testable import BenjiProtocol
@testable import ServerHTTP
@testable import ServerRuntime

/// The routes that a whole server has are those of which `docs/generated/row-budget.md` says what they leave.
@Suite("The report on rows names every route that a stranger can call")
struct RowBudgetRoutesTests {
    private final class Routes: Sendable {
        private let state = Mutex<Set<String>>([])
        var all: Set<String> { state.withLock { $0 } }
        func add(_ routes: [EndpointRoute]) {
            state.withLock { state in for route in routes { state.insert("\(route.method) \(route.path)") } }
        }
    }

    @Test("a route of phones or of apps' servers that has no line is a fault, and so is a line without its route")
    func routes() async throws {
        let folder = NSTemporaryDirectory() + "rows-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var configuration = try DemoStage.configuration(dataDirectory: folder + "/data", ports: (0, 0, 0, 0))
        configuration.openID = OpenIDProvider.Configuration(
            issuer: "http://127.0.0.1:1", pages: "http://127.0.0.1:2")
        configuration.showsOwnLog = true
        #if Face
        configuration.face = FaceStoriesTests.face("/nowhere")
        #endif
        let found = Routes()
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        var assembly = ServerAssembly(configuration: configuration, metrics: { "" }, logger: logger)
        assembly.middleware.routes = { routes, listener in
            // The others are for operators, and for those who have a certificate of the link.
            if [.device, .server].contains(listener) { found.add(routes) }
            return routes
        }
        let assembled = try await assembly.open()
        // The assembly closes in order only if its services ran.
        let server = ServiceGroup(services: assembled.services, logger: logger)
        async let running: Void = server.run()
        _ = await assembled.ports.port(.device)
        await server.triggerGracefulShutdown()
        try await running
        await assembled.close()
        let written = try RowBudgetReport.routes()
        #expect(found.all.subtracting(written) == [], "routes of which nobody knows what they leave")
        #if Face
        #expect(written.subtracting(found.all) == [], "lines of routes that are no more")
        #endif
    }
}
