package import FaceMatching

/// A picture that a puppet made: red, green and blue, row by row.
package struct PuppetFrame: Sendable {
    package var width: Int
    package var height: Int
    package var pixels: [UInt8]

    package init(width: Int, height: Int, pixels: [UInt8]) {
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// A picture as it was read.
    package init(_ image: FaceImage) {
        self.init(width: image.keptWidth, height: image.keptHeight, pixels: image.pixels)
    }

    /// Noise as a camera's sensor has it, so that no two frames are the same.
    package mutating func addNoise(_ strength: Int, seed: UInt64) {
        var state = seed | 1
        pixels.withUnsafeMutableBufferPointer { pixels in
            for index in pixels.indices {
                // Xorshift: its quality does not matter.
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                let noise = Int(state >> 33) % (2 * strength + 1) - strength
                pixels[index] = UInt8(clamping: Int(pixels[index]) + noise)
            }
        }
    }

    /// The same in the planes of a video: brightness, and two of colour at half the size (BT.601, limited range).
    package var i420: [UInt8] {
        var planes = [UInt8](repeating: 0, count: width * height * 3 / 2)
        func clamp(_ value: Int) -> UInt8 { UInt8(clamping: value) }
        planes.withUnsafeMutableBufferPointer { planes in
            pixels.withUnsafeBufferPointer { pixels in
                let blue = width * height
                let red = blue + width * height / 4
                for y in 0..<height {
                    for x in 0..<width {
                        let place = (y * width + x) * 3
                        let (r, g, b) = (Int(pixels[place]), Int(pixels[place + 1]), Int(pixels[place + 2]))
                        planes[y * width + x] = clamp((66 * r + 129 * g + 25 * b + 128) >> 8 + 16)
                        guard y % 2 == 0, x % 2 == 0 else { continue }
                        let half = y / 2 * (width / 2) + x / 2
                        planes[blue + half] = clamp((-38 * r - 74 * g + 112 * b + 128) >> 8 + 128)
                        planes[red + half] = clamp((112 * r - 94 * g - 18 * b + 128) >> 8 + 128)
                    }
                }
            }
        }
        return planes
    }
}
