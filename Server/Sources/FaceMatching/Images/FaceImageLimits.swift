import CFaceEngine

/// Limits of an untrusted image. All but scans and damage are checked in the header, before anything is decoded.
package struct FaceImageLimits: Hashable, Sendable {
    /// Bytes of the file.
    package var bytes = 16 << 20
    /// Width × height.
    package var pixels = 25_000_000
    /// Both sides have at least so many pixels.
    package var shortestSide = 64
    /// The most scans of a progressive JPEG; cameras write about ten. Each scan passes over the whole image, so images
    /// with more than a quarter of ``pixels`` may have fewer, down to 16 for the largest.
    package var scans = 64
    /// Larger images are reduced while they are read, by a whole factor, to below twice this side.
    package var keptSide = 1280

    package init() {}

    var c: face_limits {
        face_limits(
            bytes: bytes, pixels: UInt64(pixels), shortest_side: UInt32(shortestSide), scans: UInt32(scans),
            kept_side: UInt32(keptSide))
    }
}
