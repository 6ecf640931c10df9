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
    private let seen: Mutex<RecentMemory<Key, Timestamp>>

    init(life: Duration, capacity: Int) {
        self.life = life
        seen = Mutex(RecentMemory(capacity: capacity))
    }

    func note(_ key: Key, at moment: Timestamp) { seen.withLock { $0.keep(moment, of: key) } }

    func isFresh(_ key: Key, now: Timestamp) -> Bool {
        guard let moment = seen.withLock({ $0.value(of: key) }) else { return false }
        return moment <= now && now - moment <= life
    }
}
