internal import BenjiProtocol
internal import Foundation

/// Lets so many calls of a name through in a second, and some at once (a token bucket). Whatever comes, it goes on letting
/// that many through, whoever comes first.
///
/// Memory is bounded as ``RateLimiter``'s is: names that stayed away longest are forgotten, and begin anew.
final class RateBucket: @unchecked Sendable {
    private struct Level {
        /// Calls that may still come at once.
        var left: Double
        var at: Timestamp
    }

    // Sound: every access to the variables below is inside `lock`.
    private let lock = NSLock()
    private var newer: [String: Level] = [:]
    private var older: [String: Level] = [:]

    private let perSecond: Double
    private let burst: Double
    private let half: Int

    init(perSecond: Int, burst: Int, capacity: Int = RateLimiter.usualCapacity) {
        self.perSecond = Double(perSecond)
        self.burst = Double(burst)
        half = max(1, capacity / 2)
    }

    func admits(_ name: String, now: Timestamp) -> Bool {
        lock.withLock {
            var level = newer[name] ?? older.removeValue(forKey: name) ?? Level(left: burst, at: now)
            // A clock that is put back gives nothing and takes nothing.
            let passed = max(0, Double((now - level.at).wholeMilliseconds) / 1000)
            level.left = min(burst, level.left + passed * perSecond)
            level.at = now
            let isAdmitted = level.left >= 1
            if isAdmitted { level.left -= 1 }
            if newer[name] == nil, newer.count >= half {
                older = newer
                newer = [:]
            }
            newer[name] = level
            return isAdmitted
        }
    }
}
