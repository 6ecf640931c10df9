/// A picture made by program: red, green and blue, row by row.
struct Pixels: Equatable {
    var width: Int
    var height: Int
    var bytes: [UInt8]

    init(_ width: Int, _ height: Int, _ color: (Int, Int) -> (UInt8, UInt8, UInt8) = { _, _ in (128, 128, 128) }) {
        self.width = width
        self.height = height
        bytes = []
        bytes.reserveCapacity(width * height * 3)
        for y in 0..<height {
            for x in 0..<width {
                let (red, green, blue) = color(x, y)
                bytes += [red, green, blue]
            }
        }
    }

    init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// Another picture of the same pixels, each taken from where `source` says.
    func moved(_ width: Int, _ height: Int, _ source: (Int, Int) -> (Int, Int)) -> Pixels {
        var result = [UInt8](repeating: 0, count: width * height * 3)
        bytes.withUnsafeBufferPointer { from in
            for y in 0..<height {
                for x in 0..<width {
                    let (column, row) = source(x, y)
                    guard (0..<self.width).contains(column), (0..<self.height).contains(row) else { continue }
                    for channel in 0..<3 {
                        result[(y * width + x) * 3 + channel] = from[(row * self.width + column) * 3 + channel]
                    }
                }
            }
        }
        return Pixels(width: width, height: height, bytes: result)
    }

    /// How it must be stored so that a reader that honours the EXIF orientation shows it as it is.
    func stored(for orientation: Int) -> Pixels {
        let (w, h) = (width, height)
        switch orientation {
        case 2: return moved(w, h) { (w - 1 - $0, $1) }
        case 3: return moved(w, h) { (w - 1 - $0, h - 1 - $1) }
        case 4: return moved(w, h) { ($0, h - 1 - $1) }
        case 5: return moved(h, w) { ($1, $0) }
        case 6: return moved(h, w) { (w - 1 - $1, $0) }
        case 7: return moved(h, w) { (w - 1 - $1, h - 1 - $0) }
        case 8: return moved(h, w) { ($1, h - 1 - $0) }
        default: return self
        }
    }

    func cropped(_ left: Int, _ top: Int, _ width: Int, _ height: Int) -> Pixels {
        moved(width, height) { ($0 + left, $1 + top) }
    }

    func mirrored() -> Pixels { stored(for: 2) }

    /// Side by side and below one another.
    func tiled(_ columns: Int, _ rows: Int) -> Pixels {
        moved(width * columns, height * rows) { ($0 % width, $1 % height) }
    }

    /// Every colour through a function.
    func mapped(_ change: (UInt8) -> UInt8) -> Pixels {
        let table = (0...255).map { change(UInt8($0)) }
        return Pixels(width: width, height: height, bytes: bytes.map { table[Int($0)] })
    }

    /// Each pixel the mean of the square around it.
    func blurred(_ radius: Int) -> Pixels {
        func pass(_ pixels: Pixels) -> Pixels {
            var result = pixels
            for y in 0..<pixels.height {
                for channel in 0..<3 {
                    func at(_ x: Int) -> Int {
                        Int(pixels.bytes[(y * pixels.width + min(max(x, 0), pixels.width - 1)) * 3 + channel])
                    }
                    var sum = (-radius...radius).reduce(0) { $0 + at($1) }
                    for x in 0..<pixels.width {
                        result.bytes[(y * pixels.width + x) * 3 + channel] = UInt8(sum / (2 * radius + 1))
                        sum += at(x + radius + 1) - at(x - radius)
                    }
                }
            }
            return result
        }
        let across = pass(self)
        return pass(across.stored(for: 5)).stored(for: 5)
    }
}

extension Pixels {
    /// With another picture on it, which lies inside.
    func pasted(_ other: Pixels, _ left: Int, _ top: Int) -> Pixels {
        var result = self
        for y in 0..<other.height {
            let row = ((top + y) * width + left) * 3
            result.bytes.replaceSubrange(
                row..<row + other.width * 3, with: other.bytes[y * other.width * 3..<(y + 1) * other.width * 3])
        }
        return result
    }
}
