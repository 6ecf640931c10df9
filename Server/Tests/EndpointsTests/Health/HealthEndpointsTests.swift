import HTTPTypes
import Hummingbird
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints

@Suite("Health")
struct HealthEndpointsTests {
    private func router(store: String?) -> Router<EndpointContext> {
        let endpoints = HealthEndpoints(
            checks: [.init("store") { store }, .init("gateway") { nil }], metrics: { "benji_up 1\n" })
        return PublicServer.router("admin", routes: endpoints.routes)
    }

    @Test("ready when every check passes, and says which one does not")
    func ready() async throws {
        let good = try await Exchange.send(router(store: nil), .get, "/health/ready")
        #expect(good.status == .ok)
        #expect(good.body == #"{"status":"ready","checks":{"store":"ok","gateway":"ok"}}"#)
        let bad = try await Exchange.send(router(store: "disk full"), .get, "/health/ready")
        #expect(bad.status == .serviceUnavailable)
        #expect(bad.body == #"{"status":"not ready","checks":{"store":"disk full","gateway":"ok"}}"#)
    }

    @Test("alive whether or not it is ready")
    func live() async throws {
        let answer = try await Exchange.send(router(store: "disk full"), .get, "/health/live")
        #expect(answer.status == .ok)
        #expect(answer.json["status"] == "live")
    }

    @Test("metrics come in Prometheus' text format")
    func metrics() async throws {
        let answer = try await Exchange.send(router(store: nil), .get, "/metrics")
        #expect(answer.body == "benji_up 1\n")
        #expect(answer.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
    }
}
