import BenjiProtocol
import Requests
import Store
import Synchronization

/// In memory, when a device last showed an account's face in a challenge. Irreversible operations need a recent time.
///
/// Only a passed challenge adds an entry, so callers cannot fill the memory. The oldest entries make room for new ones.
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
