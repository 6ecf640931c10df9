import BenjiProtocol

/// The last challenge that a server gave for attestations, shared by the calls of an engine.
struct ChallengeMemory: Sendable {
    /// Half of the time that a challenge counts: what is made with it then lives for the other half at least.
    private static let freshness: Duration = .seconds(43200)

    private let last = Locked<(text: String, at: Timestamp)?>(nil)

    func keep(_ text: String, now: Timestamp) { last.withLock { $0 = (text, now) } }

    func fresh(now: Timestamp) -> String? {
        last.withLock { last in
            guard let last, now >= last.at, now - last.at < Self.freshness else { return nil }
            return last.text
        }
    }

    func forget() { last.withLock { $0 = nil } }
}
