import CFaceEngine

/// An image decoded from untrusted bytes: upright, 8 bits each of red, green and blue.
///
/// Not `Sendable`: it lives within one call. Frames are never kept.
package final class FaceImage {
    let handle: OpaquePointer
    private let dimensions: face_size

    /// Reads a JPEG or a PNG and turns it as its EXIF orientation says.
    /// - Throws: ``FaceError`` with one of the codes that begin with `image`, or `outOfMemory`.
    package init(_ bytes: [UInt8], limits: FaceImageLimits = FaceImageLimits()) throws(FaceError) {
        var image: OpaquePointer?
        var limits = limits.c
        try FaceError.check { message in
            bytes.withUnsafeBufferPointer { face_image_decode($0.baseAddress, $0.count, &limits, &image, message) }
        }
        guard let image else { throw FaceError(.failed, "no image, and no reason") }
        handle = image
        dimensions = face_image_size(image)
    }

    deinit { face_image_free(handle) }

    /// In pixels, upright, as it was sent.
    package var width: Int { Int(dimensions.width) }
    package var height: Int { Int(dimensions.height) }

    /// In pixels, upright, as it is kept: large images are reduced.
    package var keptWidth: Int { Int(dimensions.kept_width) }
    package var keptHeight: Int { Int(dimensions.kept_height) }

    /// The number of sent pixels per kept pixel, along one side.
    var scale: Double { Double(width) / Double(keptWidth) }

    /// Red, green and blue of each kept pixel, row by row.
    package var pixels: [UInt8] {
        Array(UnsafeBufferPointer(start: face_image_pixels(handle), count: keptWidth * keptHeight * 3))
    }
}
