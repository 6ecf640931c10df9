internal import BenjiProtocol
internal import Foundation

/// Counts calls by name in bounded memory, so many in any window of time: how often one device may ask for a masked number.
final class RateLimiter: @unchecked Sendable {
    // Sound: every access to the variables below is inside `lock`.
    private let lock = NSLock()
    /// When calls of a name were admitted, oldest first. A name moves to the newer half with each call, and the older one
    /// goes as a whole: after a window nothing in it counts any more.
    private var newer: [String: [Timestamp]] = [:]
    private var older: [String: [Timestamp]] = [:]
    private var turnedAt = Timestamp(milliseconds: 0)

    private let limit: Int
    private let window: Duration
    private let capacity: Int

    init(limit: Int, window: Duration, capacity: Int) {
        self.limit = limit
        self.window = window
        self.capacity = capacity
    }

    /// Whether ``admits(_:now:)`` would say yes, without counting.
    func mayAdmit(_ name: String, now: Timestamp) -> Bool {
        lock.withLock { (newer[name] ?? older[name] ?? []).count { now - $0 < window } < limit }
    }

    func admits(_ name: String, now: Timestamp) -> Bool {
        lock.withLock {
            if now < turnedAt || now - turnedAt >= window { turn(now) }
            var calls = newer.removeValue(forKey: name) ?? older.removeValue(forKey: name) ?? []
            calls.removeFirst(calls.prefix { now - $0 >= window }.count)
            let isAdmitted = calls.count < limit && newer.count + older.count < capacity
            if isAdmitted { calls.append(now) }
            if !calls.isEmpty { newer[name] = calls }
            return isAdmitted
        }
    }

    private func turn(_ now: Timestamp) {
        older = turnedAt <= now && now - turnedAt < window + window ? newer : [:]
        newer = [:]
        turnedAt = now
    }
}
