package import BenjiProtocol
package import Logging
import Requests
package import ServerHTTP
package import Sightings
package import Store
import Synchronization

/// The gateway's side of the link: an authority in other processes, asked over mutual TLS. It may have several nodes,
/// all over one store.
///
/// It never answers by itself. Any failure on the way is a refusal to the phone and an error to accounting (decision
/// 13). A node that cannot be reached or cannot serve is left alone for a while (``NodeChoice``). The call then goes to
/// the next node if the first surely did nothing, or if asking twice does no harm
/// (``ForwardedPath/mayBeRepeated``). No node is asked twice for one call.
///
/// Call ``shutdown()`` before the last reference goes.
package final class RemoteAuthority: RegisterService {
    /// Nodes that one call asks at most. Each may take the whole of its time.
    static let maximumTries = 3
    /// How long one node's answer is awaited by default: 2 s.
    package static let usualTimeout: Duration = .seconds(2)

    private struct State {
        var choice: NodeChoice
        /// Spreads calls that concern no subscription.
        var calls: UInt64 = 0
        /// Whether some node answered last, to log changes.
        var isAnswered = true
    }

    private let nodes: [AuthorityNode]
    private let logger: Logger
    private let uptime: @Sendable () -> Duration
    private let state: Mutex<State>

    /// - Parameters:
    ///   - urls: where each node listens for gateways: `https`, a host that its certificate names, a port, no path. One
    ///     at least.
    ///   - tls: this gateway's identity: as of ``LinkTLS/clientIdentity``.
    ///   - timeout: from the question to one node to its whole answer; by default ``usualTimeout``.
    ///   - clock: this gateway's, which is compared with each node's.
    ///   - uptime: a measure of time that no one sets.
    package init(
        urls: [String], tls: RenewableTLS, timeout: Duration = RemoteAuthority.usualTimeout,
        clock: any WallClock = SystemWallClock(), logger: Logger,
        uptime: @escaping @Sendable () -> Duration = RemoteAuthority.systemUptime
    ) throws(LinkConfigurationError) {
        // Before there is any node: one that is there must be shut down.
        var names: Set<String> = []
        for url in urls {
            let name = try AuthorityNode.name(of: url)
            guard names.insert(name).inserted else {
                throw LinkConfigurationError("\(name) is named twice; name each node once")
            }
        }
        let installation = PinnedInstallation(isNeeded: urls.count > 1)
        var nodes: [AuthorityNode] = []
        for url in urls {
            nodes.append(
                try AuthorityNode(
                    url: url, tls: tls, timeout: timeout, installation: installation, clock: clock, logger: logger))
        }
        self.nodes = nodes
        self.logger = logger
        self.uptime = uptime
        state = Mutex(State(choice: NodeChoice(nodes.map(\.name))))
    }

    private static let begin = ContinuousClock.now
    package static let systemUptime: @Sendable () -> Duration = { ContinuousClock.now - begin }

    /// Closes all connections. Requests under way fail.
    package func shutdown() async { for node in nodes { await node.shutdown() } }

    /// Sends large batches in parts. When a later part fails the whole throws, and asking again is harmless.
    package func observe(_ observations: [SubscriberObservation]) async throws(StoreError) -> [SubscriptionReference?] {
        var references: [SubscriptionReference?] = []
        for start in stride(from: 0, to: observations.count, by: ObservationBatch.maximumCount) {
            let end = min(start + ObservationBatch.maximumCount, observations.count)
            let batch = ObservationBatch(Array(observations[start..<end]))
            references += try await register(.observe, batch.json) { json throws(JSONError) in
                try ObservationAnswer(json, count: batch.observations.count).subscriptions
            }
        }
        return references
    }

    package func revoke(_ bindings: [BindingID]) async throws(StoreError) {
        for start in stride(from: 0, to: bindings.count, by: RevocationBatch.maximumCount) {
            let end = min(start + RevocationBatch.maximumCount, bindings.count)
            try await register(.revoke, RevocationBatch(Array(bindings[start..<end])).json, AuthorityNode.nothing)
        }
    }

    package func erasedSubscriptions() async throws(StoreError) -> [Int64] {
        try await register(.erased, nil) { json throws(JSONError) in try ErasedSubscriptions(json).rows }
    }

    // MARK: the nodes' health

    /// The problem if no node can serve this gateway now, in a few words, or `nil`. Asks the nodes that are not left
    /// alone. If none of them serves, it asks the others too.
    ///
    /// A clock that differs from every node's is this gateway's own: it is a problem, and no node is left alone for it.
    package func problem() async -> String? {
        let leftAlone = state.withLock { state in nodes.indices.filter(state.choice.isLeftAlone) }
        var problems = await examine(nodes.indices.filter { !leftAlone.contains($0) })
        if problems.allSatisfy({ $0.problem != nil }) { problems += await examine(leftAlone) }
        guard problems.allSatisfy({ $0.problem != nil }) else { return ownClockProblem }
        return problems.sorted { $0.node < $1.node }.compactMap { node, problem in
            problem.map { nodes.count == 1 ? $0 : "\(nodes[node].name): \($0)" }
        }.joined(separator: "; ")
    }

    /// The problems of single nodes while others serve, as far as known without asking.
    package var warnings: [String] {
        let leftAlone = state.withLock { state in nodes.indices.filter(state.choice.isLeftAlone) }
        let clocks = nodes.compactMap { node in node.clockText(of: .warning).map { "\(node.name): \($0)" } }
        guard leftAlone.count < nodes.count else { return clocks }
        return leftAlone.map { "\(nodes[$0].name) is left alone: \(nodes[$0].lastFault)" } + clocks
    }

    /// Asks nodes that have been left alone for their time whether they answer again. Call it every second or so.
    package func probe() async {
        let now = uptime()
        _ = await examine(state.withLock { $0.choice.due(at: now) })
    }

    private func examine(_ indices: [Int]) async -> [(node: Int, problem: String?)] {
        let answers = await withTaskGroup(of: (node: Int, asked: Duration, problem: String?).self) { group in
            for index in indices {
                group.addTask {
                    let asked = self.uptime()
                    return (index, asked, await self.nodes[index].problem())
                }
            }
            var found: [(node: Int, asked: Duration, problem: String?)] = []
            for await answer in group { found.append(answer) }
            return found
        }
        return answers.map { answer in
            let problem = answer.problem ?? clockProblem(of: answer.node)
            note(answer.node, asked: answer.asked, hasFailed: problem != nil)
            return (answer.node, problem)
        }
    }

    /// Why a node that answers is of no use, or `nil`: its clock is far from this gateway's, and another node's is not.
    private func clockProblem(of index: Int) -> String? {
        guard let problem = nodes[index].clockText(of: .unfit),
            nodes.contains(where: { $0.clockVerdict.map { $0 < .unfit } ?? false })
        else { return nil }
        return problem
    }

    /// Why this gateway is of no use although nodes answer, or `nil`: its clock is far from that of each node.
    private var ownClockProblem: String? {
        guard nodes.allSatisfy({ $0.clockVerdict.map { $0 == .unfit } ?? true }) else { return nil }
        return nodes.lazy.compactMap { $0.clockText(of: .unfit) }.first
    }

    // MARK: asking

    func register<Answer>(
        _ path: LinkPath, _ message: JSON?, _ read: (JSON) throws(JSONError) -> Answer
    ) async throws(StoreError) -> Answer {
        do {
            // Another node may be asked whatever became of the first question. The register goes by the time of an
            // observation, a revocation ends what has ended already, and a pair's message names what it has seen.
            return try await ask(key: nil, mayBeRepeated: true) { node throws(AuthorityNode.Failure) in
                try await node.ask(path, message, read)
            }
        } catch {
            switch error {
            case .fault(let fault): throw fault.storeError
            case .storeError(let error): throw error
            case .unable: throw StoreError(.unavailable, "the authority's store cannot be used")
            }
        }
    }

    /// Forwards a request of a phone or browser.
    /// - Parameters:
    ///   - message: the bytes of a ``ForwardedRequest``.
    ///   - key: requests with the same key go to the same node as long as it answers; `nil` spreads them.
    func forward(
        _ message: [UInt8], _ path: ForwardedPath, key: UInt64?
    ) async throws(AuthorityNode.Failure) -> ForwardedAnswer {
        do {
            return try await ask(key: key, mayBeRepeated: path.mayBeRepeated) { node throws(AuthorityNode.Failure) in
                try await node.forward(message, at: path.pace)
            }
        } catch {
            // No other node did better. It is the authority's answer all the same.
            if case .unable(let answer) = error { return answer }
            throw error
        }
    }

    /// One question, put to one node after the other as long as that may be done.
    private func ask<Answer>(
        key: UInt64?, mayBeRepeated: Bool, _ question: (AuthorityNode) async throws(AuthorityNode.Failure) -> Answer
    ) async throws(AuthorityNode.Failure) -> Answer {
        let key = state.withLock { state in
            state.calls &+= 1
            return key ?? state.calls
        }
        var tried: [Int] = []
        var last: AuthorityNode.Failure?
        while tried.count < Self.maximumTries,
            let index = state.withLock({ [tried] state in state.choice.next(for: key, after: tried) })
        {
            tried.append(index)
            let asked = uptime()
            do {
                let answer = try await question(nodes[index])
                // A leaving node is left alone before it is gone, so that no call is sent to it in that moment.
                let isLeaving = nodes[index].isLeaving.load(ordering: .relaxed)
                note(index, asked: asked, hasFailed: isLeaving)
                return answer
            } catch {
                last = error
                // The caller no longer waits; this is no evidence about the node.
                if Task.isCancelled { throw error }
                note(index, asked: asked, hasFailed: error.isInability)
                guard error.isInability, error.isUndone || mayBeRepeated else { throw error }
            }
        }
        throw last ?? .fault(LinkFault(.unreachable, "no node", isUndone: true))
    }

    private func note(_ node: Int, asked: Duration, hasFailed: Bool) {
        let now = uptime()
        let change: Bool? = state.withLock { state in
            if hasFailed {
                state.choice.failed(node, asked: asked, at: now)
            } else {
                state.choice.answered(node, at: now)
            }
            let isAnswered = !nodes.indices.allSatisfy(state.choice.isLeftAlone)
            defer { state.isAnswered = isAnswered }
            return state.isAnswered == isAnswered ? nil : isAnswered
        }
        switch change {
        case false?: logger.error("no authority answers; phones are refused and accounting is not answered")
        case true?: logger.notice("phones and accounting are answered again")
        case nil: break
        }
    }
}
