// A picture from an unknown sender. The checksums of a PNG are corrected first, because a fuzzer cannot guess them.
//
// Covers: Server/Sources/CFaceEngine/Decode.cpp
// Covers: Server/Sources/CFaceEngine/EXIF.cpp
// Covers: Server/Sources/CFaceEngine/Image.cpp
// Covers: Server/Sources/CFaceEngine/JPEG.cpp
// Covers: Server/Sources/CFaceEngine/PNG.cpp
import FaceMatching

/// Small, so that many fit into a second; the widths that are reduced are reached all the same.
private let limits = {
    var limits = FaceImageLimits()
    limits.pixels = 200_000
    limits.shortestSide = 4
    limits.keptSide = 96
    return limits
}()

func target(_ input: [UInt8]) {
    let bytes = input.starts(with: signature) ? summed(input) : input
    switch read(bytes) {
    case .success(let image):
        if bytes[0] == 0xff { reached("a JPEG") }
        if bytes[0] == 0x89 { reached("a PNG") }
        if image.width > image.keptWidth { reached("a reduced picture") }
        hold("a picture keeps the limits", image.width * image.height <= limits.pixels)
        hold("a picture is kept small", max(image.keptWidth, image.keptHeight) < 2 * limits.keptSide)
        hold("a picture has all its pixels", image.pixels.count == image.keptWidth * image.keptHeight * 3)
        hold("a picture is read the same twice", (try? read(bytes).get().pixels) == image.pixels)
        if bytes[0] == 0xff { turn(bytes, image) }
    case .failure(let error):
        reached("a refusal")
        if error.code == .imageTooManyScans { reached("too many scans") }
        if error.code == .imageUnsupported { reached("an unsupported form") }
        hold("a refusal is the picture's fault", error.code.rawValue.hasPrefix("image"))
    }
}

/// Whatever orientation a JPEG states, another before it turns the same pixels.
private func turn(_ bytes: [UInt8], _ image: FaceImage) {
    func turned(_ orientation: UInt8) -> FaceImage {
        let exif: [UInt8] = [
            0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, 0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0,
            0, 1,
            0, orientation, 0, 0, 0, 0, 0, 0,
        ]
        return hold("an orientation makes no picture worse") {
            try read(Array(bytes.prefix(2)) + exif + bytes.dropFirst(2)).get()
        }
    }
    let upright = turned(1)
    let lying = turned(6)
    hold(
        "a quarter turn swaps the sides", (lying.keptWidth, lying.keptHeight) == (upright.keptHeight, upright.keptWidth)
    )
    hold("mirrored twice is the same", rows(turned(2)).map { Array($0.reversed()) } == rows(upright))
    hold("turning changes no pixel", pixels(lying).sorted(by: <) == pixels(image).sorted(by: <))
}

private func pixels(_ image: FaceImage) -> [Int] {
    let bytes = image.pixels
    return stride(from: 0, to: bytes.count, by: 3).map {
        Int(bytes[$0]) << 16 | Int(bytes[$0 + 1]) << 8 | Int(bytes[$0 + 2])
    }
}

private func rows(_ image: FaceImage) -> [[Int]] {
    let all = pixels(image)
    return stride(from: 0, to: all.count, by: image.keptWidth).map { Array(all[$0..<$0 + image.keptWidth]) }
}

private func read(_ bytes: [UInt8]) -> Result<FaceImage, FaceError> {
    Result { () throws(FaceError) in try FaceImage(bytes, limits: limits) }
}

private let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/// With the right sum behind each whole chunk.
private func summed(_ png: [UInt8]) -> [UInt8] {
    var png = png
    var at = signature.count
    while png.count - at >= 12 {
        let length = png[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= png.count - at - 12 else { break }
        let sum = ~png[at + 4..<at + 8 + length].reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 255)] ^ ($0 >> 8) }
        for byte in 0..<4 { png[at + 8 + length + byte] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * byte)) }
        at += 12 + length
    }
    return png
}

private let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
}
