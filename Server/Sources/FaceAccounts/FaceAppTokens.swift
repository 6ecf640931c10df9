import Authority
import BenjiProtocol
import Store
import Synchronization

/// App tokens, in memory. Each phone gets one at every start, and fetches the next if it loses one.
///
/// Each kind of holder has room of its own, so unknown callers of any number displace only each other's tokens.
final class FaceAppTokens: Sendable {
    enum Kind: Hashable, Sendable, CaseIterable {
        /// The device key has an attester's statement, or its install has an account.
        case own
        case shared
        /// Given out above an address's budget.
        case brief
    }
    struct Holder: Hashable, Sendable {
        var app: AppID
        var deviceKey: String
    }
    struct Entry: Sendable {
        var holder: Holder
        /// Whether an attester vouched for the key when it was given out.
        var isAttested: Bool
        var kind: Kind
        var expiresAt: Timestamp
    }
    private struct Queue {
        var order: [CredentialHash] = []
        var head = 0
    }
    private struct State {
        var entries: [CredentialHash: Entry] = [:]
        var queues: [Kind: Queue] = [:]
        /// The newest token of each holder.
        var newest: [Holder: CredentialHash] = [:]

        /// Call it where there is a token of this kind.
        mutating func forgetOldest(_ kind: Kind) {
            guard var queue = queues[kind] else { return }
            let oldest = queue.order[queue.head]
            if let entry = entries.removeValue(forKey: oldest), newest[entry.holder] == oldest {
                newest[entry.holder] = nil
            }
            queue.head += 1
            if queue.head * 2 > queue.order.count {
                queue.order.removeFirst(queue.head)
                queue.head = 0
            }
            queues[kind] = queue
        }
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: how many of each kind are kept; with one more, the oldest is forgotten.
    init(capacity: Int) { self.capacity = capacity }

    /// Holders of whom something is remembered.
    var holderCount: Int { state.withLock { $0.newest.count } }

    func insert(_ token: String, _ entry: Entry) {
        let hash = CredentialHash(of: token)
        state.withLock { state in
            if let queue = state.queues[entry.kind], queue.order.count - queue.head >= capacity {
                state.forgetOldest(entry.kind)
            }
            state.entries[hash] = entry
            state.queues[entry.kind, default: Queue()].order.append(hash)
            state.newest[entry.holder] = hash
        }
    }

    /// Returns the entry of this token, if it is valid for this device key.
    func entry(of token: String, deviceKey: String, now: Timestamp) -> Entry? {
        let entry = state.withLock { $0.entries[CredentialHash(of: token)] }
        guard let entry, entry.holder.deviceKey == deviceKey, now < entry.expiresAt else { return nil }
        return entry
    }

    /// The kind of this holder's newest token, if it is there and holds.
    func kind(of holder: Holder, now: Timestamp) -> Kind? {
        let entry = state.withLock { state in state.newest[holder].flatMap { state.entries[$0] } }
        return entry.flatMap { now < $0.expiresAt ? $0.kind : nil }
    }
}
