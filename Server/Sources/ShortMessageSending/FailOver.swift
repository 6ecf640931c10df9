import ShortMessages

/// Which sender is asked next, as a value. Each is named by its place in the list.
///
/// A sender that had a fault is passed over for a while: it is asked after all the others, not never. Where all have
/// faults, asking loses nothing.
struct FailOver: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// After a fault, or a message whose fate is unknown.
    static let pauseAfterFault: Duration = .seconds(15)
    /// After the sender said that it is asked too often.
    static let pauseAfterThrottling: Duration = .seconds(1)

    private var passedOverUntil: [Instant?]

    init(count: Int) { passedOverUntil = Array(repeating: nil, count: count) }

    func order(at now: Instant) -> [Int] {
        let isPassedOver = passedOverUntil.map { $0.map { $0 > now } ?? false }
        return isPassedOver.indices.filter { !isPassedOver[$0] } + isPassedOver.indices.filter { isPassedOver[$0] }
    }

    mutating func note(_ outcome: SubmissionOutcome, of index: Int, at now: Instant) {
        passedOverUntil[index] =
            switch outcome {
            case .unknown, .notTaken(.unavailable): now + Self.pauseAfterFault
            case .notTaken(.throttled): now + Self.pauseAfterThrottling
            case .accepted, .notTaken(.destination), .notTaken(.refused): nil
            }
    }

    /// Whether the next sender is asked. Only a fault of the sender allows it, which is no verdict on the message.
    ///
    /// `destination` and `refused` are verdicts about the number or the text. Another route would evade a block, a
    /// subscriber's wish or a rule about texts, for which networks punish senders. It would also double the cost that
    /// an unknown caller can cause with invalid numbers. After `unknown` the message may be on its way.
    static func asksNext(after outcome: SubmissionOutcome) -> Bool {
        switch outcome {
        case .notTaken(.throttled), .notTaken(.unavailable): true
        case .notTaken(.destination), .notTaken(.refused), .accepted, .unknown: false
        }
    }
}
