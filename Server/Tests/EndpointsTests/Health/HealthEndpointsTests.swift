import HTTPTypes
import Hummingbird
import ServerTestKit
import Synchronization
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import ServerHTTP

@Suite("Health")
struct HealthEndpointsTests {
    private func router(store: String?) -> Router<EndpointContext> {
        let endpoints = HealthEndpoints(
            checks: [.init("store") { store }, .init("gateway") { nil }], hosts: ["id.example.com"],
            metrics: { "benji_up 1\n" })
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

    @Test("questions that come during an examination share the next one, which begins after them")
    func shared() async throws {
        let count = Mutex(0)
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (begun, begins) = AsyncStream.makeStream(of: Void.self)
        let examinations = HealthEndpoints.Examinations([
            .init("store") {
                let isFirst = count.withLock { count in
                    count += 1
                    return count == 1
                }
                begins.yield()
                if isFirst { for await _ in gate { break } }
                return isFirst ? "it failed" : nil
            }
        ])
        let first = Task { await examinations.next().first?.problem }
        for await _ in begun { break }
        let later = (0..<100).map { _ in Task { await examinations.next().first?.problem } }
        try await until { examinations.waiting == later.count }
        open.yield()
        #expect(await first.value == "it failed")
        for each in later { #expect(await each.value == nil) }
        // A naive listener examines once for each.
        let naive = 1 + later.count
        #expect(count.withLock { $0 } == 2 && naive > 2)
    }

    @Test("alive whether or not it is ready")
    func live() async throws {
        let answer = try await Exchange.send(router(store: "disk full"), .get, "/health/live")
        #expect(answer.status == .ok)
        #expect(answer.json["status"] == "live")
    }

    @Test("whoever reads the metrics learns which checks fail and how many warnings there are")
    func measured() async throws {
        let metrics = CapturedMetrics()
        let endpoints = HealthEndpoints(
            checks: [
                .init("store") { "disk full" }, .init("gateway", warnings: { ["one", "two"] }) { nil },
            ], hosts: ["id.example.com"], factory: metrics, metrics: { "" })
        #expect(metrics.recorded.isEmpty)
        _ = try await Exchange.send(PublicServer.router("admin", routes: endpoints.routes), .get, "/metrics")
        #expect(
            metrics.recorded == [
                "benji_health_check check=store": 0, "benji_health_warnings check=store": 0,
                "benji_health_check check=gateway": 1, "benji_health_warnings check=gateway": 2,
            ])
    }

    @Test("metrics come in Prometheus' text format")
    func metrics() async throws {
        let answer = try await Exchange.send(router(store: nil), .get, "/metrics")
        #expect(answer.body == "benji_up 1\n")
        #expect(answer.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
    }

    @Test(
        "addresses, localhost and the names of the configuration are answered; a name that only DNS gives it is not",
        arguments: [
            ("127.0.0.1:8082", true), ("[::1]:8082", true), ("localhost", true), ("LOCALHOST:1", true),
            ("10.0.0.7", true),
            ("metrics.internal:8082", true), (nil, true), ("attacker.example:8082", false), ("", false),
            ("127.0.0.1.attacker.example", false), ("[attacker]", false), ("metrics.internal.attacker.example", false),
        ])
    func hosts(_ host: String?, _ admitted: Bool) {
        #expect(AdmittedHosts(["metrics.internal"]).admit(host) == admitted)
        // A listener that admits the attacker's own name answers the attacker's page.
        #expect(AdmittedHosts(["attacker.example"]).admit("attacker.example"))
    }

    @Test("a page that reaches the listener under its own name learns nothing from any address of it")
    func rebinding() async throws {
        for path in ["/health/live", "/health/ready", "/metrics"] {
            let honest = try await Exchange.send(router(store: nil), .get, path, authority: "127.0.0.1:8082")
            #expect(honest.status == .ok)
            let attack = try await Exchange.send(router(store: nil), .get, path, authority: "attacker.example")
            #expect(attack.status == .misdirectedRequest)
            #expect(!attack.body.contains("benji_up") && attack.body.contains("admin.hosts"))
        }
    }
}
