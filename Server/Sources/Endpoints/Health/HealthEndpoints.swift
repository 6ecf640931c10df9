internal import BenjiProtocol
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// What an operator's machines ask: is it alive, can it serve, how is it doing. For a listener of its own, never the
/// public one.
public struct HealthEndpoints: Sendable {
    /// Something that must work before requests are worth taking: the store, the gateway.
    public struct Check: Sendable {
        public var name: String
        /// Returns what is wrong in a few words without values, or `nil`.
        public var problem: @Sendable () async -> String?
        /// Returns what an operator should look after although requests are worth taking.
        public var warnings: @Sendable () async -> [String]

        public init(
            _ name: String, warnings: @escaping @Sendable () async -> [String] = { [] },
            problem: @escaping @Sendable () async -> String?
        ) {
            self.name = name
            self.warnings = warnings
            self.problem = problem
        }
    }

    private let checks: [Check]
    private let metrics: @Sendable () async -> String

    /// - Parameter metrics: the counters in Prometheus' text format, version 0.0.4.
    public init(checks: [Check], metrics: @escaping @Sendable () async -> String) {
        self.checks = checks
        self.metrics = metrics
    }

    public var routes: [EndpointRoute] {
        [
            // Alive means that this process answers; whether what it depends on works is the other question.
            EndpointRoute(.get, "/health/live") { _, _ in Response(JSON.object(["status": "live"])) },
            EndpointRoute(.get, "/health/ready") { _, _ in await ready() },
            EndpointRoute(.get, "/metrics") { _, _ in
                Response(
                    status: .ok,
                    headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: await metrics())))
            },
        ]
    }

    private func ready() async -> Response {
        let problems = await withTaskGroup(of: (Int, String?).self) { group in
            for (index, check) in checks.enumerated() { group.addTask { (index, await check.problem()) } }
            var problems = [String?](repeating: nil, count: checks.count)
            for await (index, problem) in group { problems[index] = problem }
            return problems
        }
        let isReady = problems.allSatisfy { $0 == nil }
        let members = zip(checks, problems).map { JSON.Member($0.name, .string($1 ?? "ok")) }
        var warnings: [JSON] = []
        for check in checks { warnings += await check.warnings().map { .string("\(check.name): \($0)") } }
        var answer: [JSON.Member] = [
            JSON.Member("status", .string(isReady ? "ready" : "not ready")), JSON.Member("checks", .object(members)),
        ]
        if !warnings.isEmpty { answer.append(JSON.Member("warnings", .array(warnings))) }
        return Response(.object(answer), status: isReady ? .ok : .serviceUnavailable)
    }
}
