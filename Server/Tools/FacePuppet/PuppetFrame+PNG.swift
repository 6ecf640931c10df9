extension PuppetFrame {
    /// The frame as a PNG file, not compressed.
    package var png: [UInt8] {
        func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            let checked = Array(name.utf8) + content
            return number(UInt32(content.count)) + checked + number(Self.crc(checked))
        }
        var rows: [UInt8] = []
        rows.reserveCapacity((width * 3 + 1) * height)
        for y in 0..<height {
            rows.append(0)
            rows += pixels[y * width * 3..<(y + 1) * width * 3]
        }
        var packed: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: rows.count, by: 65535) {
            let part = rows[start..<min(start + 65535, rows.count)]
            let count = UInt16(part.count)
            packed.append(start + part.count == rows.count ? 1 : 0)
            packed += [UInt8(count & 0xff), UInt8(count >> 8), UInt8(~count & 0xff), UInt8(~count >> 8)]
            packed += part
        }
        packed += number(Self.adler(rows))
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", number(UInt32(width)) + number(UInt32(height)) + [8, 2, 0, 0, 0])
            + chunk("IDAT", packed) + chunk("IEND", [])
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    package static func crc(_ bytes: [UInt8]) -> UInt32 {
        var value = UInt32.max
        for byte in bytes { value = table[Int((value ^ UInt32(byte)) & 0xff)] ^ value >> 8 }
        return ~value
    }

    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var (one, two): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            one = (one + UInt32(byte)) % 65521
            two = (two + one) % 65521
        }
        return two << 16 | one
    }
}
