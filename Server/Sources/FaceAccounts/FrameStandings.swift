import BenjiProtocol
import Requests
import Synchronization

/// The standing of a device key at the arrival of a request with frames, before the body is read.
package enum FrameStanding: Hashable, Sendable {
    /// The key has begun no challenge in a session that lives.
    case none
    /// Its session searches for a face among many, so its holder is still unknown.
    case stranger
    /// The number of the subscription whose session it is, by a proven number.
    case known(Int64)
}

/// The standing of each device key that has begun a challenge lately, in memory.
final class FrameStandings: Sendable {
    private struct Entry {
        var standing: FrameStanding
        var until: Timestamp
    }

    private let entries: Mutex<RecentMemory<String, Entry>>

    init(capacity: Int) { entries = Mutex(RecentMemory(capacity: capacity)) }

    /// A challenge was begun; the newest of a key counts.
    func note(_ standing: FrameStanding, of deviceKey: String, until: Timestamp) {
        entries.withLock { $0.keep(Entry(standing: standing, until: until), of: deviceKey) }
    }

    func standing(of deviceKey: String, now: Timestamp) -> FrameStanding {
        guard let entry = entries.withLock({ $0.value(of: deviceKey) }), now < entry.until else { return .none }
        return entry.standing
    }
}

extension FaceProvider {
    /// The standing of the device key with this thumbprint, before its frames are read.
    package func frameStanding(of deviceKey: String) -> FrameStanding {
        standings.standing(of: deviceKey, now: now)
    }
}
