package import BenjiProtocol
package import Store

/// When an event is tried again, and when no more.
package struct DeliverySchedule: Sendable {
    /// Between one attempt and the next. After the last of them one more attempt follows.
    package let pauses: [Duration]

    /// Eleven attempts within 28 hours. The pauses: 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, 8 h and 12 h.
    package static let standard = DeliverySchedule(
        pauses: [5, 30, 120, 600, 1800, 3600, 7200, 14400, 28800, 43200].map { .seconds($0) })

    package init(pauses: [Duration]) { self.pauses = pauses }

    package var attempts: Int { pauses.count + 1 }

    /// Returns the state of an event after an attempt.
    ///
    /// - Parameters:
    ///   - attempts: how many have begun, this one too.
    ///   - random: by a fifth more or less than the pause, so that what failed together does not come back together.
    package func settle(
        _ outcome: DeliveryOutcome, attempts: Int, at now: Timestamp, random: some RandomSource
    ) -> OutboxSettlement {
        if outcome == .brokenOff {
            return OutboxSettlement(state: .waiting, dueAt: now, outcome: nil, at: now)
        }
        if outcome.isDelivered {
            return OutboxSettlement(state: .delivered, dueAt: now, outcome: outcome.word, at: now)
        }
        guard outcome != .answered(410), attempts >= 1, attempts <= pauses.count else {
            return OutboxSettlement(state: .dead, dueAt: now, outcome: outcome.word, at: now)
        }
        let pause = pauses[attempts - 1].wholeMilliseconds
        let draw = random.bytes(2).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let shifted = pause * 4 / 5 + pause * 2 / 5 * draw / 65535
        return OutboxSettlement(
            state: .waiting, dueAt: now + .milliseconds(shifted), outcome: outcome.word, at: now)
    }
}

/// The result of an attempt.
package enum DeliveryOutcome: Hashable, Sendable {
    /// The receiver answered with this HTTP status.
    case answered(Int)
    /// The name has no address.
    case noAddress
    /// None of the name's addresses may be called.
    case addressRefused
    /// Nothing answers at the address.
    case unreachable
    /// No TLS with a right certificate.
    case noTLS
    case timeOut
    /// The receiver closed the connection, or sent something other than HTTP.
    case noAnswer
    /// The app's secret does not open, or its callback is no longer allowed.
    case unsendable
    /// We ended it, because the process ends.
    case brokenOff

    package var isDelivered: Bool {
        guard case .answered(let status) = self else { return false }
        return (200...299).contains(status)
    }

    /// For lists and logs: nothing that the receiver wrote but its status.
    package var word: String {
        switch self {
        case .answered(let status): String(status)
        case .noAddress: "no address"
        case .addressRefused: "address refused"
        case .unreachable: "unreachable"
        case .noTLS: "no TLS"
        case .timeOut: "time-out"
        case .noAnswer: "no answer"
        case .unsendable: "unsendable"
        case .brokenOff: "broken off"
        }
    }
}

extension Duration {
    var wholeMilliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
