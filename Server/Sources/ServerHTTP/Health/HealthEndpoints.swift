import BenjiProtocol
import HTTPTypes
import Hummingbird
package import Metrics
import NIOCore
import Synchronization

/// The answers for an operator's machines: liveness, readiness and metrics. For a listener of its own, never the public
/// one.
package struct HealthEndpoints: Sendable {
    /// Something that must work before requests are worth taking: the store, the gateway.
    package struct Check: Sendable {
        package var name: String
        /// Returns the problem in a few words without values, or `nil`.
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

    private let examinations: Examinations
    private let metrics: @Sendable () async -> String
    private let hosts: AdmittedHosts
    private let meters: HealthMeters

    /// - Parameters:
    ///   - hosts: names by which callers may ask, in lower case, besides addresses and localhost. There is no
    ///     authentication here, so a page in a browser inside must not reach it under a name of its own (DNS
    ///     rebinding).
    ///   - metrics: the counters in Prometheus' text format, version 0.0.4.
    ///   - factory: where the checks are measured, each time that the counters are read.
    package init(
        checks: [Check], hosts: Set<String> = [],
        factory: any MetricsFactory = MetricsSystem.factory, metrics: @escaping @Sendable () async -> String
    ) {
        examinations = Examinations(checks)
        self.hosts = AdmittedHosts(hosts)
        self.metrics = metrics
        meters = HealthMeters(checks.map(\.name), factory: factory)
    }

    package var routes: [EndpointRoute] {
        [
            // Alive means that this process answers; whether what it depends on works is the other question.
            route("/health/live") { Response(JSON.object(["status": "live"])) },
            route("/health/ready") { await ready() },
            route("/metrics") {
                for finding in await examine() { meters.record(finding) }
                return Response(
                    status: .ok,
                    headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: await metrics())))
            },
        ]
    }

    private func route(_ path: String, _ answer: @escaping @Sendable () async -> Response) -> EndpointRoute {
        EndpointRoute(.get, path) { request, _ in
            guard hosts.admit(request.head.authority) else { return AdmittedHosts.refusal(setting: "admin.hosts") }
            return await answer()
        }
    }

    /// The result of a check.
    package struct Finding: Sendable {
        package var name: String
        package var problem: String?
        package var warnings: [String]
    }

    private func examine() async -> [Finding] { await examinations.next() }

    /// Runs the checks and returns their results.
    package static func examine(_ checks: [Check]) async -> [Finding] {
        let problems = await withTaskGroup(of: (Int, String?).self) { group in
            for (index, check) in checks.enumerated() { group.addTask { (index, await check.problem()) } }
            var problems = [String?](repeating: nil, count: checks.count)
            for await (index, problem) in group { problems[index] = problem }
            return problems
        }
        var findings: [Finding] = []
        for (check, problem) in zip(checks, problems) {
            findings.append(Finding(name: check.name, problem: problem, warnings: await check.warnings()))
        }
        return findings
    }

    private func ready() async -> Response {
        let findings = await examine()
        let isReady = findings.allSatisfy { $0.problem == nil }
        let members = findings.map { JSON.Member($0.name, .string($0.problem ?? "ok")) }
        let warnings = findings.flatMap { finding in finding.warnings.map { JSON.string("\(finding.name): \($0)") } }
        var answer: [JSON.Member] = [
            JSON.Member("status", .string(isReady ? "ready" : "not ready")), JSON.Member("checks", .object(members)),
        ]
        if !warnings.isEmpty { answer.append(JSON.Member("warnings", .array(warnings))) }
        return Response(.object(answer), status: isReady ? .ok : .serviceUnavailable)
    }
}

extension HealthEndpoints {
    /// One examination for all who ask before it begins. So a flood of questions is not a flood of work.
    final class Examinations: Sendable {
        private struct State {
            var isUnderWay = false
            var waiting: [CheckedContinuation<[HealthEndpoints.Finding], Never>] = []
        }

        private let checks: [HealthEndpoints.Check]
        private let state = Mutex(State())

        init(_ checks: [HealthEndpoints.Check]) { self.checks = checks }

        /// For tests: how many wait for an examination that has not begun.
        var waiting: Int { state.withLock { $0.waiting.count } }

        func next() async -> [HealthEndpoints.Finding] {
            await withCheckedContinuation { continuation in
                let starts = state.withLock { state in
                    state.waiting.append(continuation)
                    defer { state.isUnderWay = true }
                    return !state.isUnderWay
                }
                // Not as a part of the request: its caller has proved nothing, and this work must not wait.
                if starts { Task.detached { await self.work() } }
            }
        }

        private func work() async {
            while true {
                let waiting = state.withLock { state in
                    let waiting = state.waiting
                    state.waiting = []
                    state.isUnderWay = !waiting.isEmpty
                    return waiting
                }
                if waiting.isEmpty { return }
                let findings = await HealthEndpoints.examine(checks)
                for each in waiting { each.resume(returning: findings) }
            }
        }
    }
}
