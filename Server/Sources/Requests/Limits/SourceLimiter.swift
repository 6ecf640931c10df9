@_spi(Server) package import BenjiProtocol

/// Bounds how often a source address may ask, at a steady rate with some room for a burst. A device key costs nothing,
/// an address does: of IPv4 one counts, of IPv6 a /64.
///
/// Memory is bounded too. When it is full, the sources that were inactive longest are forgotten, so that many unknown
/// callers never keep another out.
package final class SourceLimiter: Sendable {
    /// The unit of counting: an address or an IPv6 /64, and an app if given.
    package struct Source: Hashable, Sendable {
        private var family: InternetAddress.Family
        private var prefix: UInt64
        private var app: AppID?

        package init(_ address: InternetAddress, _ app: AppID?) {
            family = address.family
            prefix = address.family == .v4 ? address.lowerHalf : address.upperHalf
            self.app = app
        }
    }

    private let buckets: RateBucket<Source>

    /// - Parameters:
    ///   - calls: in ten minutes; as many at once.
    ///   - capacity: sources that are remembered.
    package init(calls: Int, capacity: Int = 200_000) {
        buckets = RateBucket(perSecond: Double(calls) / 600, burst: calls, capacity: capacity)
    }

    /// Whether one more call may be answered. What has no source, such as a call that a gateway passed on, may.
    /// - Parameter app: counted apart from the source's calls for other apps; `nil` counts all of them together.
    package func admits(_ address: InternetAddress?, _ app: AppID? = nil, now: Timestamp) -> Bool {
        guard let address else { return true }
        return buckets.admits(Source(address, app), now: now)
    }

    /// Whether ``admits(_:_:now:)`` would say no, without counting.
    package func isSpent(_ address: InternetAddress, _ app: AppID? = nil, now: Timestamp) -> Bool {
        buckets.isSpent(Source(address, app), now: now)
    }

    /// Sources that are remembered now.
    package var count: Int { buckets.count }
}
