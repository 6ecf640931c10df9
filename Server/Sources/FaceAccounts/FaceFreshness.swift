import Authority
import BenjiProtocol
import Store
import Synchronization

/// When a device has last shown an account's face in a challenge, in memory: what cannot be taken back wants it to be a moment ago.
///
/// Only a passed challenge writes here, so that nobody fills it; with one entry more than it holds, the oldest go.
final class FaceFreshness: Sendable {
    struct Key: Hashable, Sendable {
        var account: Int64
        var app: AppID
        var deviceKey: String
    }

    private let life: Duration
    private let capacity: Int
    private let seen = Mutex<(newer: [Key: Timestamp], older: [Key: Timestamp])>(([:], [:]))

    init(life: Duration, capacity: Int) {
        self.life = life
        self.capacity = capacity
    }

    func note(_ key: Key, at moment: Timestamp) {
        seen.withLock { seen in
            if seen.newer.count >= max(capacity / 2, 1) { seen = ([:], seen.newer) }
            seen.newer[key] = moment
        }
    }

    func isFresh(_ key: Key, now: Timestamp) -> Bool {
        guard let moment = seen.withLock({ $0.newer[key] ?? $0.older[key] }) else { return false }
        return moment <= now && now - moment <= life
    }
}
