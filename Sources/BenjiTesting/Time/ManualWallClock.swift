public import BenjiProtocol
import Foundation

/// A wall clock that stands still until it is set.
public final class ManualWallClock: WallClock, @unchecked Sendable {
    // Sendable: `moment` is only touched while `lock` is held.
    private let lock = NSLock()
    private var moment: Timestamp

    /// - Parameter now: 2026-09-21T14:13:20Z unless told.
    public init(now: Timestamp = Timestamp(seconds: 1_790_000_000)) { moment = now }

    public var now: Timestamp {
        get { lock.withLock { moment } }
        set { lock.withLock { moment = newValue } }
    }

    public func advance(by duration: Duration) { lock.withLock { moment = moment + duration } }
}
