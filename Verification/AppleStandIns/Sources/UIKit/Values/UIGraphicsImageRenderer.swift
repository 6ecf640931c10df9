public import Foundation

public final class UIGraphicsImageRendererFormat: NSObject, @unchecked Sendable {
    public var scale: CGFloat = 3
    public var opaque = false
}

public final class UIGraphicsImageRendererContext: NSObject {}

/// Draws nothing: the result has the requested size, and the name of the picture that was drawn into it.
public final class UIGraphicsImageRenderer: NSObject {
    nonisolated(unsafe) static var drawn: String?
    private let size: CGSize
    private let format: UIGraphicsImageRendererFormat

    public init(size: CGSize, format: UIGraphicsImageRendererFormat) {
        self.size = size
        self.format = format
    }

    public func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
        Self.drawn = nil
        actions(UIGraphicsImageRendererContext())
        return UIImage(
            standIn: Self.drawn ?? "empty", width: size.width * format.scale, height: size.height * format.scale)
    }
}

extension UIImage {
    public func draw(in rectangle: CGRect) { UIGraphicsImageRenderer.drawn = standInName }

    /// The name and the size, behind the bytes with which a JPEG begins.
    public func jpegData(compressionQuality: CGFloat) -> Data? {
        Data([0xFF, 0xD8, 0xFF]) + Data("\(standInName) \(Int(size.width))x\(Int(size.height))".utf8)
    }
}
