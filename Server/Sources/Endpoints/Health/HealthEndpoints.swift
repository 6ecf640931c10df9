import BenjiProtocol
import HTTPTypes
import Hummingbird
import NIOCore

/// What an operator's machines ask: is it alive, can it serve, how is it doing. For a listener of its own, never the
/// public one.
package struct HealthEndpoints: Sendable {
    /// Something that must work before requests are worth taking: the store, the gateway.
    package struct Check: Sendable {
        package var name: String
        /// Returns what is wrong in a few words without values, or `nil`.
        package var problem: @Sendable () async -> String?
        /// Returns what an operator should look after although requests are worth taking.
        package var warnings: @Sendable () async -> [String]

        package init(
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
    private let hosts: Set<String>

    /// - Parameters:
    ///   - hosts: names by which callers may ask, in lower case, besides addresses and localhost. There is no
    ///     authentication here, so a page in a browser inside must not reach it under a name of its own (DNS rebinding).
    ///   - metrics: the counters in Prometheus' text format, version 0.0.4.
    package init(checks: [Check], hosts: Set<String> = [], metrics: @escaping @Sendable () async -> String) {
        self.checks = checks
        self.hosts = hosts
        self.metrics = metrics
    }

    /// Whether a request under this `Host` is answered. Browsers always name the host that they believe to speak to; what
    /// names none is no browser.
    func admits(host: String?) -> Bool {
        guard var name = host?.lowercased() else { return true }
        if name.hasPrefix("["), let end = name.firstIndex(of: "]") {
            return InternetAddress(name[name.index(after: name.startIndex)..<end]) != nil
        }
        name = String(name.prefix { $0 != ":" })
        return name == "localhost" || InternetAddress(name) != nil || hosts.contains(name)
    }

    package var routes: [EndpointRoute] {
        [
            // Alive means that this process answers; whether what it depends on works is the other question.
            route("/health/live") { Response(JSON.object(["status": "live"])) },
            route("/health/ready") { await ready() },
            route("/metrics") {
                Response(
                    status: .ok,
                    headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: await metrics())))
            },
        ]
    }

    private func route(_ path: String, _ answer: @escaping @Sendable () async -> Response) -> EndpointRoute {
        EndpointRoute(.get, path) { request, _ in
            guard admits(host: request.head.authority) else {
                return Response(
                    JSON.object(["error": "this listener does not answer to this host; see the setting admin.hosts"]),
                    status: .misdirectedRequest)
            }
            return await answer()
        }
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
