package import BenjiProtocol
import Synchronization

/// A rate limit per name: so many calls a second, and a burst. It admits that many at any load, first come, first
/// served. Names that were inactive longest are forgotten, and start with a full bucket.
package final class RateBucket<Name: Hashable & Sendable>: Sendable {
    private let perSecond: Double
    private let burst: Double
    private let buckets: Mutex<RecentMemory<Name, TokenBucket>>

    package init(perSecond: Double, burst: Int, capacity: Int = RateLimiter.usualCapacity) {
        self.perSecond = perSecond
        self.burst = Double(burst)
        buckets = Mutex(RecentMemory(capacity: capacity))
    }

    package convenience init(perSecond: Int, burst: Int, capacity: Int = RateLimiter.usualCapacity) {
        self.init(perSecond: Double(perSecond), burst: burst, capacity: capacity)
    }

    /// Names that are remembered now.
    package var count: Int { buckets.withLock { $0.count } }

    package func admits(_ name: Name, now: Timestamp) -> Bool {
        buckets.withLock { buckets in
            var bucket = filled(buckets.take(name), now)
            let isAdmitted = bucket.take()
            buckets.keep(bucket, of: name)
            return isAdmitted
        }
    }

    /// Whether ``admits(_:now:)`` would say no, without counting.
    package func isSpent(_ name: Name, now: Timestamp) -> Bool {
        buckets.withLock { !filled($0.value(of: name), now).hasRoom }
    }

    private func filled(_ bucket: TokenBucket?, _ now: Timestamp) -> TokenBucket {
        guard var bucket else { return TokenBucket(burst: burst, now: now) }
        bucket.fill(perSecond: perSecond, burst: burst, now: now)
        return bucket
    }
}
