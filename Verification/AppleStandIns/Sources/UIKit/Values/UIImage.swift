import Foundation

/// A picture of which only name and size are known.
public final class UIImage: NSObject, @unchecked Sendable {
    public enum RenderingMode: Int, Sendable { case automatic, alwaysOriginal, alwaysTemplate }

    /// Test hook: the names for which `UIImage(named:)` finds something, with their sizes.
    nonisolated(unsafe) public static var standInAssets: [String: CGSize] = [:]

    /// Test hook: where it came from.
    public let standInName: String
    public let size: CGSize
    public let scale: CGFloat = 2
    public let renderingMode: RenderingMode

    init(_ name: String, _ size: CGSize, _ mode: RenderingMode = .automatic) {
        standInName = name
        self.size = size
        renderingMode = mode
    }

    /// Test hook: a picture of this size.
    public convenience init(standIn name: String, width: CGFloat = 24, height: CGFloat = 24) {
        self.init(name, CGSize(width: width, height: height))
    }

    public convenience init?(named name: String) {
        guard let size = Self.standInAssets[name] else { return nil }
        self.init(name, size)
    }

    public convenience init?(named name: String, in bundle: Bundle?, compatibleWith traits: UITraitCollection?) {
        self.init(named: name)
    }

    public convenience init?(systemName name: String) {
        self.init("system:" + name, CGSize(width: 20, height: 20), .alwaysTemplate)
    }

    public convenience init?(contentsOfFile path: String) {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        self.init(path, CGSize(width: 24, height: 24))
    }

    public convenience init?(data: Data) {
        guard !data.isEmpty else { return nil }
        self.init("data", CGSize(width: 24, height: 24))
    }

    public convenience init(cgImage: CGImage) {
        self.init(cgImage.standInName, CGSize(width: cgImage.width, height: cgImage.height))
    }

    public func withRenderingMode(_ mode: RenderingMode) -> UIImage { UIImage(standInName, size, mode) }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIImage else { return false }
        return standInName == other.standInName && size == other.size
    }

    public override var hash: Int { standInName.hashValue }
}

/// A picture as it is decoded.
public final class CGImage: @unchecked Sendable {
    public let standInName: String
    public let width: Int
    public let height: Int

    /// Test hook.
    public init(standIn name: String, width: Int, height: Int) {
        standInName = name
        self.width = width
        self.height = height
    }
}
