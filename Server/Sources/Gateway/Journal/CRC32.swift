/// The checksum of IEEE 802.3, as zlib and PNG compute it: finds damage, does not protect against tampering.
enum CRC32 {
    /// Eight tables, so that eight bytes are taken at once (Kounavis and Berry 2005).
    private static let tables: [UInt32] = {
        var tables = (0..<256).map { (index: Int) -> UInt32 in
            (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
        }
        for place in 256..<(8 * 256) {
            let shorter: UInt32 = tables[place - 256]
            tables.append(tables[Int(shorter & 0xff)] ^ (shorter >> 8))
        }
        return tables
    }()

    static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
        var value: UInt32 = 0xffff_ffff
        tables.withUnsafeBufferPointer { tables in
            bytes.withUnsafeBytes { bytes in
                var place = 0
                while place + 8 <= bytes.count {
                    let word =
                        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                        ^ UInt64(value)
                    value = 0
                    for byte in 0..<8 {
                        value ^= tables[(7 - byte) << 8 | Int(truncatingIfNeeded: word >> UInt64(8 * byte) & 0xff)]
                    }
                    place += 8
                }
                while place < bytes.count {
                    value = tables[Int((value ^ UInt32(bytes[place])) & 0xff)] ^ (value >> 8)
                    place += 1
                }
            }
        }
        return ~value
    }
}
