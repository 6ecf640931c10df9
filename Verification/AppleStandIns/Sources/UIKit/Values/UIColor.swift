import Foundation

/// A colour of sRGB, or one that asks the traits.
public final class UIColor: NSObject, @unchecked Sendable {
    private let parts: (red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat)
    private let provider: (@Sendable (UITraitCollection) -> UIColor)?

    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        parts = (red, green, blue, alpha)
        provider = nil
    }

    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    public init(dynamicProvider: @escaping @Sendable (UITraitCollection) -> UIColor) {
        parts = (0, 0, 0, 0)
        provider = dynamicProvider
    }

    public convenience init(cgColor: CGColor) {
        self.init(red: cgColor.red, green: cgColor.green, blue: cgColor.blue, alpha: cgColor.alpha)
    }

    public func resolvedColor(with traits: UITraitCollection) -> UIColor { provider?(traits) ?? self }

    public func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
        blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        let color = resolvedColor(with: UITraitCollection())
        red?.pointee = color.parts.red
        green?.pointee = color.parts.green
        blue?.pointee = color.parts.blue
        alpha?.pointee = color.parts.alpha
        return true
    }

    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(red: parts.red, green: parts.green, blue: parts.blue, alpha: alpha)
    }

    public var cgColor: CGColor {
        CGColor(red: parts.red, green: parts.green, blue: parts.blue, alpha: parts.alpha)
    }

    /// Equal when all parts are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIColor, provider == nil, other.provider == nil else {
            return self === object as AnyObject?
        }
        return parts == other.parts
    }

    public override var hash: Int { cgColor.hashValue }

    public override var description: String {
        "UIColor(\(parts.red) \(parts.green) \(parts.blue) \(parts.alpha))"
    }

    public static let clear = UIColor(white: 0, alpha: 0)
    public static let black = UIColor(white: 0, alpha: 1)
    public static let white = UIColor(white: 1, alpha: 1)
    public static let gray = UIColor(white: 0.5, alpha: 1)
    public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
    public static let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
    public static let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)
}

/// A colour as layers know it.
public struct CGColor: Hashable, Sendable {
    let red, green, blue: CGFloat
    public let alpha: CGFloat

    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    public var components: [CGFloat]? { [red, green, blue, alpha] }
}
