import BenjiProtocol
import Requests
import Synchronization

/// Counts the requests with frames that are being read or looked at: megabytes of each are in memory.
///
/// A place is taken before a request is read, which bounds memory, and a slow sender holds it for long. So senders with
/// a proven number have places of their own. All others share a quarter, and no sender has more than a few.
final class FramePlaces: Sendable {
    /// The sender of frames, as far as it is known before they are read.
    enum Sender: Hashable {
        /// Of a session whose number was proven: the number of the subscription.
        case subscription(Int64)
        /// Of a search. Of an address of IPv6 its /64 counts; `nil` where no address is known, which is not counted by
        /// itself.
        case stranger(SourceLimiter.Source?)

        fileprivate var isStranger: Bool { if case .stranger = self { true } else { false } }
    }

    /// Requests of one subscription at a time. A phone sends one, and the next when a connection broke.
    static let perSubscription = 2

    private struct State {
        var taken = 0
        var strangers = 0
        var bySender: [Sender: Int] = [:]
    }

    private let limit: Int
    private let strangers: Int
    private let perAddress: Int
    private let state = Mutex(State())

    /// - Parameter limit: All places. Senders without a proven number share a quarter, and one address half of that.
    init(limit: Int) {
        self.limit = limit
        strangers = max(limit / 4, 1)
        perAddress = max(strangers / 2, 1)
    }

    /// `false` when there is no place for this sender. A caller that got `true` calls ``leave(_:)`` afterwards.
    func enter(_ sender: Sender) -> Bool {
        state.withLock { state in
            guard state.taken < limit, !sender.isStranger || state.strangers < strangers else { return false }
            if sender != .stranger(nil) {
                let most = sender.isStranger ? perAddress : Self.perSubscription
                guard state.bySender[sender, default: 0] < most else { return false }
                state.bySender[sender, default: 0] += 1
            }
            state.taken += 1
            if sender.isStranger { state.strangers += 1 }
            return true
        }
    }

    func leave(_ sender: Sender) {
        state.withLock { state in
            state.taken -= 1
            if sender.isStranger { state.strangers -= 1 }
            guard let count = state.bySender[sender] else { return }
            state.bySender[sender] = count > 1 ? count - 1 : nil
        }
    }

    /// Counts a request while `work` runs.
    /// - Throws: a refusal to try again when there is no place, and what `work` throws.
    func admit<Answer>(_ sender: Sender, _ work: () async throws -> Answer) async throws -> Answer {
        guard enter(sender) else { throw Refusal(.overloaded, "too many frames at once; try again") }
        defer { leave(sender) }
        return try await work()
    }
}
