// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@_exported import Foundation

public typealias CVImageBuffer = CVBuffer
public typealias CVPixelBuffer = CVBuffer

/// A picture in memory, of which the stand-in knows only what a test said that it would be as a JPEG.
public final class CVBuffer: @unchecked Sendable {
    public let standInJPEG: Data
    init(_ jpeg: Data) { standInJPEG = jpeg }
}

/// One picture of a camera.
public final class CMSampleBuffer: @unchecked Sendable {
    let image: CVBuffer?

    /// Test hook.
    public init(standIn jpeg: Data?) { image = jpeg.map(CVBuffer.init) }
}

public func CMSampleBufferGetImageBuffer(_ buffer: CMSampleBuffer) -> CVImageBuffer? { buffer.image }
