import BenjiProtocol
import Requests
import Store
import Synchronization

/// How fast clients ask whether a person has decided. Each process counts for itself: a client that asks several nodes
/// asks each of them less often.
final class PollingPace: Sendable {
    /// Seconds that a client waits at least from one question to the next, as it is told. A question that comes earlier
    /// makes them longer by as much (OpenID Connect CIBA Core 1.0 §11).
    static let interval: Int64 = 5
    private static let longest: Int64 = 60
    /// The time by which the network may shorten a wait.
    private static let leeway = Duration.milliseconds(500)

    private struct Poll: Sendable {
        var at: Timestamp
        var interval: Int64
    }

    private let polls: Mutex<RecentMemory<CredentialHash, Poll>>

    init(capacity: Int) { polls = Mutex(RecentMemory(capacity: capacity)) }

    /// Whether a question comes late enough after the one before.
    func admits(_ request: CredentialHash, now: Timestamp) -> Bool {
        polls.withLock { polls in
            guard let last = polls.take(request) else {
                polls.keep(Poll(at: now, interval: Self.interval), of: request)
                return true
            }
            let isLate = now + Self.leeway >= last.at + .seconds(last.interval) || now < last.at
            let interval = isLate ? last.interval : min(last.interval + Self.interval, Self.longest)
            polls.keep(Poll(at: now, interval: interval), of: request)
            return isLate
        }
    }
}
