#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where the time comes from. Passed in everywhere, so that tests set it and never sleep (decision 1).
public protocol WallClock: Sendable {
    var now: Timestamp { get }
}

/// The machine's own clock.
public struct SystemWallClock: WallClock {
    public init() {}
    public var now: Timestamp { Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))) }
}
