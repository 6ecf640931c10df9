@_spi(Server) internal import BenjiProtocol
internal import Store
internal import Synchronization

/// Bounds how often a source address may ask for an app, at a steady rate with some room for a burst. A device key costs nothing, an
/// address does: of IPv4 one counts, of IPv6 a /64.
///
/// Memory is bounded too. When it is full, the sources that were quiet longest are forgotten, so that many strangers never keep
/// another one out.
final class FaceSources: Sendable {
    private struct Source: Hashable {
        var family: InternetAddress.Family
        var prefix: UInt64
        var app: AppID
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
    init(calls: Int, capacity: Int = 200_000) {
        burst = Double(calls)
        perSecond = Double(calls) / 600
        self.capacity = capacity
    }

    /// Whether one more call may be answered. What has no source, such as a call that a gateway passed on, may.
    func admits(_ device: DeviceCall, _ app: AppID, now: Timestamp) -> Bool {
        guard let address = device.source else { return true }
        let source = Source(
            family: address.family, prefix: address.family == .v4 ? address.lowerHalf : address.upperHalf, app: app)
        return buckets.withLock { buckets in
            var bucket =
                buckets.newer[source] ?? buckets.older.removeValue(forKey: source) ?? Bucket(calls: burst, at: now)
            // A clock that was put back gives nothing.
            let seconds = Double(max((now - bucket.at).wholeMilliseconds, 0)) / 1000
            bucket.calls = min(burst, bucket.calls + seconds * perSecond)
            bucket.at = now
            let isAdmitted = bucket.calls >= 1
            if isAdmitted { bucket.calls -= 1 }
            if buckets.newer[source] == nil, buckets.newer.count >= max(capacity / 2, 1) {
                buckets = ([:], buckets.newer)
            }
            buckets.newer[source] = bucket
            return isAdmitted
        }
    }
}
