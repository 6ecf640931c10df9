/// A random source that repeats: a failing fuzz test is reproduced by its seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }

    /// `bytes` with one to four small changes: a byte replaced, removed, doubled or inserted, or the end cut off.
    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        let interesting = Array("\r\n\0 \t:;,-+0123456789afF\u{7f}/?#%@[].".utf8) + [0xff, 0x80]
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &self)
            let byte =
                Bool.random(using: &self)
                ? interesting[Int.random(in: interesting.indices, using: &self)]
                : UInt8.random(in: .min ... .max, using: &self)
            switch Int.random(in: 0..<10, using: &self) {
            case 0..<4: bytes[index] = byte
            case 4..<6: bytes.insert(byte, at: index)
            case 6..<8: bytes.remove(at: index)
            case 8: bytes.insert(contentsOf: bytes[index...].prefix(16), at: index)
            default: bytes.removeSubrange(index...)
            }
        }
        return bytes
    }
}
