public import BenjiProtocol
import Foundation

/// The same bytes for the same seed, on every machine. Only for tests: any party that knows the seed knows the bytes.
public final class SeededRandomSource: RandomSource, @unchecked Sendable {
    // Sendable: `state` is only touched while `lock` is held.
    private let lock = NSLock()
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public func bytes(_ count: Int) -> [UInt8] {
        lock.withLock { (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 56) } }
    }

    /// SplitMix64 (Steele, Lea and Flood, 2014).
    private func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
