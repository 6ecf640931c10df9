package import BenjiProtocol
import Foundation

/// Counts calls by name in bounded memory, so many in any window of time: how often one device may ask for a masked
/// number.
///
/// When more names come than fit in memory, those that were inactive longest are forgotten. So a new name is never
/// refused because others came. A name is remembered for a whole window while fewer than half of `capacity` are active
/// in it.
package final class RateLimiter: @unchecked Sendable {
    /// The default count of remembered names: 500,000 new ones in each window, some 200 bytes each.
    package static let usualCapacity = 1_000_000

    // Sound: every access to the variables below is inside `lock`.
    private let lock = NSLock()
    /// Times at which calls of a name were admitted, oldest first. A call moves its name to the newer half. The older
    /// half is dropped as a whole: after a window, when nothing in it counts, or to make room.
    private var newer: [String: [Timestamp]] = [:]
    private var older: [String: [Timestamp]] = [:]
    private var turnedAt = Timestamp(milliseconds: 0)

    private let limit: Int
    private let window: Duration
    private let half: Int

    package init(limit: Int, window: Duration, capacity: Int = usualCapacity) {
        self.limit = limit
        self.window = window
        half = max(1, capacity / 2)
    }

    /// Whether ``admits(_:now:)`` would say yes, without counting.
    package func mayAdmit(_ name: String, now: Timestamp) -> Bool {
        lock.withLock { (newer[name] ?? older[name] ?? []).count { now - $0 < window } < limit }
    }

    package func admits(_ name: String, now: Timestamp) -> Bool {
        lock.withLock {
            if now < turnedAt || now - turnedAt >= window { turn(now) }
            var calls = newer.removeValue(forKey: name) ?? older.removeValue(forKey: name) ?? []
            calls.removeFirst(calls.prefix { now - $0 >= window }.count)
            let isAdmitted = calls.count < limit
            if isAdmitted { calls.append(now) }
            guard !calls.isEmpty else { return isAdmitted }
            if newer.count >= half { makeRoom(now) }
            newer[name] = calls
            return isAdmitted
        }
    }

    private func turn(_ now: Timestamp) {
        older = turnedAt <= now && now - turnedAt < window + window ? newer : [:]
        newer = [:]
        turnedAt = now
    }

    /// Forgets the half that was not heard of for longer. What moves to it still counts.
    private func makeRoom(_ now: Timestamp) {
        older = newer
        newer = [:]
        turnedAt = now
    }
}
