internal import CFaceEngine

/// What an image may ask of us. Everything but scans and damage is refused from the header, before anything is decoded.
public struct FaceImageLimits: Hashable, Sendable {
    /// Bytes of the file.
    public var bytes = 16 << 20
    /// Width × height.
    public var pixels = 25_000_000
    /// Both sides have at least so many pixels.
    public var shortestSide = 64
    /// Scans of a progressive JPEG; cameras write about ten. Of an image with more than a quarter of the pixels fewer, down to 16
    /// of the largest, because each scan passes over the whole image.
    public var scans = 64
    /// Larger images are reduced while they are read, by a whole factor, to below twice this side.
    public var keptSide = 1280

    public init() {}

    var c: face_limits {
        face_limits(
            bytes: bytes, pixels: UInt64(pixels), shortest_side: UInt32(shortestSide), scans: UInt32(scans),
            kept_side: UInt32(keptSide))
    }
}
