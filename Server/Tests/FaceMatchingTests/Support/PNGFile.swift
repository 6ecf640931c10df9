/// Writes PNG files, valid and invalid ones. Nothing is compressed.
struct PNGFile {
    var width: UInt32
    var height: UInt32
    var depth: UInt8 = 8
    /// 0 grey, 2 colour, 3 palette, 6 colour and transparency.
    var color: UInt8 = 2
    var isInterlaced = false
    /// Rows, each with its filter's byte before it.
    var rows: [UInt8]
    /// Chunks before the image data.
    var chunks: [(name: String, content: [UInt8])] = []

    init(_ pixels: Pixels) {
        width = UInt32(pixels.width)
        height = UInt32(pixels.height)
        rows = []
        rows.reserveCapacity(pixels.height * (pixels.width * 3 + 1))
        for y in 0..<pixels.height {
            rows.append(0)
            rows += pixels.bytes[y * pixels.width * 3..<(y + 1) * pixels.width * 3]
        }
    }

    init(width: UInt32, height: UInt32, rows: [UInt8]) {
        self.width = width
        self.height = height
        self.rows = rows
    }

    var bytes: [UInt8] {
        var header = Self.word(width) + Self.word(height)
        header += [depth, color, 0, 0, isInterlaced ? 1 : 0]
        var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + Self.chunk("IHDR", header)
        for (name, content) in chunks { file += Self.chunk(name, content) }
        return file + Self.chunk("IDAT", Self.zlib(rows)) + Self.chunk("IEND", [])
    }

    static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return word(UInt32(content.count)) + body + word(crc(body))
    }

    static func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

    /// Stored blocks in the frame of RFC 1950.
    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65535)
            rest = rest.dropFirst(block.count)
            let size = UInt16(block.count)
            result += [rest.isEmpty ? 1 : 0]
            for value in [size, ~size] { result += [UInt8(value & 255), UInt8(value >> 8)] }
            result += block
        } while !rest.isEmpty
        var sums: (UInt32, UInt32) = (1, 0)
        bytes.withUnsafeBufferPointer { bytes in
            for byte in bytes {
                sums.0 = (sums.0 &+ UInt32(byte)) % 65521
                sums.1 = (sums.1 &+ sums.0) % 65521
            }
        }
        return result + word(sums.1 << 16 | sums.0)
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        let table = table
        return ~bytes.withUnsafeBufferPointer { bytes in
            bytes.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 255)] ^ ($0 >> 8) }
        }
    }
}
