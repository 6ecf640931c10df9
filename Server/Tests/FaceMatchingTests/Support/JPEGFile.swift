/// Makes JPEG files byte by byte, and changes such that cameras wrote.
enum JPEGFile {
    /// A grey picture of 64 × 64, progressive: the same scan of its means, again and again, as the standard allows.
    static func grey(scans: Int = 1, colors: UInt8 = 1) -> [UInt8] {
        var file: [UInt8] = [0xff, 0xd8]
        file += segment(0xdb, [0] + [UInt8](repeating: 1, count: 64))
        file += segment(0xc2, [8, 0, 64, 0, 64, colors] + (1...colors).flatMap { [$0, 0x11, 0] })
        // One code, a single 0 bit: the mean is that of the block before.
        file += segment(0xc4, [0, 1] + [UInt8](repeating: 0, count: 15) + [0])
        let scan = segment(0xda, [colors] + (1...colors).flatMap { [$0, 0] } + [0, 0, 0])
        for _ in 0..<scans { file += scan + [UInt8](repeating: 0, count: 8 * Int(colors)) }
        return file + [0xff, 0xd9]
    }

    /// With an EXIF orientation before everything else.
    static func oriented(_ file: [UInt8], _ orientation: UInt8) -> [UInt8] {
        Array(file.prefix(2)) + segment(0xe1, Array("Exif\0\0".utf8) + exif(orientation)) + file.dropFirst(2)
    }

    /// A TIFF structure that states nothing but an orientation.
    static func exif(_ orientation: UInt8) -> [UInt8] {
        Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
    }

    /// With another frame header. `change` gets what follows its length: precision, height, width, components.
    static func reframed(_ file: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var at = 2
        while at + 4 <= file.count, file[at] == 0xff {
            let length = Int(file[at + 2]) << 8 | Int(file[at + 3])
            if (0xc0...0xc2).contains(file[at + 1]) {
                var frame = Array(file[at + 4..<at + 2 + length])
                change(&frame)
                return Array(file[..<at]) + segment(file[at + 1], frame) + file[(at + 2 + length)...]
            }
            at += 2 + length
        }
        return file
    }

    static func segment(_ mark: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return [0xff, mark, UInt8(length >> 8), UInt8(length & 255)] + content
    }
}
