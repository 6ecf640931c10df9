import BenjiProtocol

/// The last challenge that a server gave for attestations, shared by the calls of an engine.
struct ChallengeMemory: Sendable {
    /// Half of a challenge's lifetime: an attestation made with it is then valid for at least the other half.
    private static let freshness: Duration = .seconds(43200)

    private let last = Locked<(text: String, at: Timestamp)?>(nil)

    func keep(_ text: String, now: Timestamp) { last.withLock { $0 = (text, now) } }

    func fresh(now: Timestamp) -> String? {
        last.withLock { last in
            last.flatMap { Self.isFresh($0.at, now: now) ? $0.text : nil }
        }
    }

    /// Whether something new may still be made with a challenge that was taken at `moment`.
    static func isFresh(_ moment: Timestamp, now: Timestamp) -> Bool {
        now >= moment && now - moment < freshness
    }

    func forget() { last.withLock { $0 = nil } }
}
