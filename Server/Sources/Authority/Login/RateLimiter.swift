internal import BenjiProtocol
internal import Foundation

/// Counts calls by name in fixed windows, in bounded memory: how often one device may ask for a masked number.
final class RateLimiter: @unchecked Sendable {
    // Sound: every access to the variables below is inside `lock`.
    private let lock = NSLock()
    private var counts: [String: Int] = [:]
    private var windowStart = Timestamp(milliseconds: 0)

    private let limit: Int
    private let window: Duration
    private let capacity: Int

    init(limit: Int, window: Duration, capacity: Int) {
        self.limit = limit
        self.window = window
        self.capacity = capacity
    }

    func admits(_ name: String, now: Timestamp) -> Bool {
        lock.withLock {
            if now - windowStart >= window || now < windowStart {
                counts.removeAll(keepingCapacity: true)
                windowStart = now
            }
            let count = counts[name, default: 0]
            guard count < limit, count > 0 || counts.count < capacity else { return false }
            counts[name] = count + 1
            return true
        }
    }
}
