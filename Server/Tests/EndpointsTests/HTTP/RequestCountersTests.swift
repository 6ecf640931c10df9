import HTTPTypes
import Hummingbird
import Metrics
import ServerTestKit
import Synchronization
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import ServerHTTP

@Suite("Counters of a listener")
struct RequestCountersTests {
    @Test("a request is counted under its route, status and code, and nothing that the caller wrote is a label")
    func labels() async throws {
        let metrics = CapturedMetrics()
        let endpoints = CMPassportEndpoints(service: ScriptedServerService(), clock: TestClock.document)
        let router = PublicServer.router("server", routes: endpoints.routes, metrics: metrics)
        let path = CMPassportEndpoints.Path.loginTokenValidate.rawValue
        _ = try await Exchange.send(router, .post, path + "?a=13800138000", body: Requests.login().serialized)
        _ = try await Exchange.send(router, .post, path, body: Array("{".utf8))
        _ = try await Exchange.send(router, .get, path)
        _ = try await Exchange.send(router, HTTPRequest.Method("X1")!, "/13800138000")
        #expect(
            metrics.counted == [
                "benji_http_requests_total listener=server route=\(path) status=200 code=103000",
                "benji_http_requests_total listener=server route=\(path) status=200 code=103112",
                "benji_http_requests_total listener=server route=\(path) status=405 code=method_not_allowed",
                "benji_http_requests_total listener=server route=unmatched status=404 code=not_found",
            ])
        #expect(
            metrics.timed == [
                "benji_http_request_duration listener=server route=\(path)",
                "benji_http_request_duration listener=server route=\(path)",
                "benji_http_request_duration listener=server route=\(path)",
                "benji_http_request_duration listener=server route=unmatched",
            ])
    }
}

/// Measurements that a test can read.
final class CapturedMetrics: MetricsFactory {
    private let state = Mutex<(counted: [String], timed: [String], recorded: [String: Double])>(([], [], [:]))

    var counted: [String] { state.withLock { $0.counted } }
    var timed: [String] { state.withLock { $0.timed } }
    /// The last value of each gauge.
    var recorded: [String: Double] { state.withLock { $0.recorded } }

    private final class Counting: CounterHandler {
        let count: @Sendable () -> Void
        init(_ count: @escaping @Sendable () -> Void) { self.count = count }
        func increment(by amount: Int64) { count() }
        func reset() {}
    }

    private final class Recording: RecorderHandler {
        let keep: @Sendable (Double) -> Void
        init(_ keep: @escaping @Sendable (Double) -> Void) { self.keep = keep }
        func record(_ value: Int64) { keep(Double(value)) }
        func record(_ value: Double) { keep(value) }
    }

    private final class Timing: TimerHandler {
        let time: @Sendable () -> Void
        init(_ time: @escaping @Sendable () -> Void) { self.time = time }
        func recordNanoseconds(_ duration: Int64) { time() }
    }

    private func name(_ label: String, _ dimensions: [(String, String)]) -> String {
        ([label] + dimensions.map { "\($0.0)=\($0.1)" }).joined(separator: " ")
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        let name = name(label, dimensions)
        return Counting { self.state.withLock { $0.counted.append(name) } }
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        let name = name(label, dimensions)
        return Timing { self.state.withLock { $0.timed.append(name) } }
    }

    func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
        NOOPMetricsHandler.instance
    }
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        let name = name(label, dimensions)
        return Recording { value in self.state.withLock { $0.recorded[name] = value } }
    }
    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { NOOPMetricsHandler.instance }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
