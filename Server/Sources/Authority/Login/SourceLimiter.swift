@_spi(Server) package import BenjiProtocol
internal import Synchronization

/// Bounds how often a source address may ask, at a steady rate with some room for a burst. A device key costs nothing, an
/// address does: of IPv4 one counts, of IPv6 a /64.
///
/// Memory is bounded too. When it is full, the sources that were quiet longest are forgotten, so that many strangers never keep
/// another one out.
package final class SourceLimiter: Sendable {
    private struct Source: Hashable {
        var family: InternetAddress.Family
        var prefix: UInt64
        var app: AppID?

        init(_ address: InternetAddress, _ app: AppID?) {
            family = address.family
            prefix = address.family == .v4 ? address.lowerHalf : address.upperHalf
            self.app = app
        }
    }
    private struct Bucket {
        var calls: Double
        var at: Timestamp
    }

    private let burst: Double
    private let perSecond: Double
    private let capacity: Int
    private let buckets = Mutex<(newer: [Source: Bucket], older: [Source: Bucket])>(([:], [:]))

    /// - Parameters:
    ///   - calls: in ten minutes; as many at once.
    ///   - capacity: sources that are remembered.
    package init(calls: Int, capacity: Int = 200_000) {
        burst = Double(calls)
        perSecond = Double(calls) / 600
        self.capacity = capacity
    }

    /// Whether one more call may be answered. What has no source, such as a call that a gateway passed on, may.
    /// - Parameter app: counted apart from the source's calls for other apps; `nil` counts all of them together.
    package func admits(_ address: InternetAddress?, _ app: AppID? = nil, now: Timestamp) -> Bool {
        guard let address else { return true }
        let source = Source(address, app)
        return buckets.withLock { buckets in
            var bucket = filled(buckets.newer[source] ?? buckets.older.removeValue(forKey: source), now: now)
            let isAdmitted = bucket.calls >= 1
            if isAdmitted { bucket.calls -= 1 }
            if buckets.newer[source] == nil, buckets.newer.count >= max(capacity / 2, 1) {
                buckets = ([:], buckets.newer)
            }
            buckets.newer[source] = bucket
            return isAdmitted
        }
    }

    /// Whether ``admits(_:_:now:)`` would say no, without counting.
    package func isSpent(_ address: InternetAddress, _ app: AppID? = nil, now: Timestamp) -> Bool {
        let source = Source(address, app)
        return buckets.withLock { filled($0.newer[source] ?? $0.older[source], now: now).calls < 1 }
    }

    /// Sources that are remembered now.
    var count: Int { buckets.withLock { $0.newer.count + $0.older.count } }

    private func filled(_ bucket: Bucket?, now: Timestamp) -> Bucket {
        guard let bucket else { return Bucket(calls: burst, at: now) }
        // A clock that was put back gives nothing.
        let seconds = Double(max((now - bucket.at).wholeMilliseconds, 0)) / 1000
        return Bucket(calls: min(burst, bucket.calls + seconds * perSecond), at: now)
    }
}
