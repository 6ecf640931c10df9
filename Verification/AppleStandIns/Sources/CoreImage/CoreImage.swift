// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CoreMedia
@_exported import Foundation

public final class CGColorSpace: Sendable {}

public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace() }

public struct CIImageRepresentationOption: Hashable, Sendable, RawRepresentable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

public final class CIImage: NSObject, @unchecked Sendable {
    let buffer: CVPixelBuffer
    public init(cvPixelBuffer buffer: CVPixelBuffer) { self.buffer = buffer }
}

/// Hands out what the test said that the picture would be as a JPEG.
public final class CIContext: NSObject, @unchecked Sendable {
    public func jpegRepresentation(
        of image: CIImage, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any]
    ) -> Data? {
        image.buffer.standInJPEG.isEmpty ? nil : image.buffer.standInJPEG
    }
}
