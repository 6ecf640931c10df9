/// Which of an authority's nodes is asked. One that failed is left alone for a while, unless no other answers.
///
/// Calls about one subscription go to the same node as long as it answers, because each node counts its limits for
/// itself. The subscriptions are spread over all nodes. A value: it receives events with their times, and returns the
/// node to ask. The times are measured by a clock that no one sets.
struct NodeChoice: Sendable {
    /// How long a node is left alone that has just failed. Each failure after that doubles it.
    static let firstPause: Duration = .seconds(1)
    static let longestPause: Duration = .seconds(16)

    private struct Pause {
        /// When the failure that counted last was noted.
        var since: Duration
        var length: Duration
        var end: Duration { since + length }
    }

    private struct Node {
        let seed: UInt64
        var answeredAt: Duration?
        /// `nil` while it answers, or was not asked yet.
        var pause: Pause?
    }

    private var nodes: [Node]

    /// - Parameter names: of the nodes. A gateway with the same names in another order chooses alike.
    init(_ names: [String]) {
        precondition(!names.isEmpty)
        nodes = names.map { name in
            // FNV-1a; the numbers must be the same in every process, which Hasher's are not.
            Node(seed: name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
        }
    }

    /// Whom a call asks next, or `nil` if it should give up.
    ///
    /// If all are left alone, the call asks only the node whose pause ends first, so that calls do not add up while
    /// none answers.
    /// - Parameters:
    ///   - key: calls with the same key ask the same node while it answers.
    ///   - tried: nodes that this call has asked already.
    func next(for key: UInt64, after tried: [Int] = []) -> Int? {
        let left = nodes.indices.filter { !tried.contains($0) }
        let answering = left.filter { nodes[$0].pause == nil }
        // Rendezvous hashing: when a node goes, only its own share moves.
        if let best = answering.max(by: { weight($0, key) < weight($1, key) }) { return best }
        guard tried.isEmpty else { return nil }
        return left.min { end(of: $0) < end(of: $1) }
    }

    /// Nodes that are left alone and may be asked again whether they answer.
    func due(at now: Duration) -> [Int] { nodes.indices.filter { nodes[$0].pause.map { $0.end <= now } ?? false } }

    func isLeftAlone(_ node: Int) -> Bool { nodes[node].pause != nil }

    mutating func answered(_ node: Int, at now: Duration) {
        nodes[node].answeredAt = now
        nodes[node].pause = nil
    }

    /// - Parameters:
    ///   - asked: when the call was sent that failed.
    ///   - now: when it failed.
    mutating func failed(_ node: Int, asked: Duration, at now: Duration) {
        // It has answered others since: what failed was this call, not the node.
        if let answeredAt = nodes[node].answeredAt, answeredAt >= asked { return }
        guard let pause = nodes[node].pause else {
            nodes[node].pause = Pause(since: now, length: Self.firstPause)
            return
        }
        // One failure, however many calls were under way.
        guard asked >= pause.since else { return }
        nodes[node].pause = Pause(since: now, length: min(pause.length * 2, Self.longestPause))
    }

    private func end(of node: Int) -> Duration { nodes[node].pause?.end ?? .zero }

    private func weight(_ node: Int, _ key: UInt64) -> UInt64 {
        // The mixing steps of SplitMix64.
        var mixed = nodes[node].seed ^ (key &* 0x9e37_79b9_7f4a_7c15)
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
