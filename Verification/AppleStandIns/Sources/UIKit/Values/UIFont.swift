import Foundation

/// A size, a weight and a family. Every character is as wide as ``StandInText`` says.
public final class UIFont: NSObject, @unchecked Sendable {
    public struct Weight: Hashable, Sendable, RawRepresentable {
        public let rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }

        public static let regular = Weight(rawValue: 0)
        public static let medium = Weight(rawValue: 0.23)
        public static let semibold = Weight(rawValue: 0.3)
        public static let bold = Weight(rawValue: 0.4)
    }

    public let pointSize: CGFloat
    let weight: Weight
    /// `nil` is the system's.
    private let name: String?

    private init(_ size: CGFloat, _ weight: Weight, _ name: String? = nil) {
        pointSize = size
        self.weight = weight
        self.name = name
    }

    /// One of ``StandInText/typefaces``.
    public convenience init?(name: String, size: CGFloat) {
        guard let weight = StandInText.typefaces[name] else { return nil }
        self.init(size, weight, name)
    }

    public class func systemFont(ofSize size: CGFloat) -> UIFont { UIFont(size, .regular) }
    public class func boldSystemFont(ofSize size: CGFloat) -> UIFont { UIFont(size, .bold) }
    public class func systemFont(ofSize size: CGFloat, weight: Weight) -> UIFont { UIFont(size, weight) }

    public func withSize(_ size: CGFloat) -> UIFont { UIFont(size, weight, name) }

    public var fontName: String {
        if let name { return name }
        switch weight {
        case .regular: return ".SFUI-Regular"
        case .medium: return ".SFUI-Medium"
        case .semibold: return ".SFUI-Semibold"
        default: return ".SFUI-Bold"
        }
    }
    public var fontDescriptor: UIFontDescriptor { UIFontDescriptor(isBold: isBold) }
    /// The natural height of a line: never what an explicit line height says, so that a test sees the difference.
    public var lineHeight: CGFloat { pointSize * (name == nil ? 1.193 : StandInText.lineHeight) }
    public var ascender: CGFloat { pointSize * 0.952 }
    public var descender: CGFloat { -pointSize * 0.241 }
    public var capHeight: CGFloat { pointSize * 0.705 }

    private var isBold: Bool { weight.rawValue >= Weight.semibold.rawValue }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIFont else { return false }
        return pointSize == other.pointSize && weight == other.weight && name == other.name
    }

    public override var hash: Int { pointSize.hashValue ^ weight.hashValue }
}

/// The attributes of a font, without its size.
public final class UIFontDescriptor: NSObject, @unchecked Sendable {
    public struct SymbolicTraits: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let traitBold = SymbolicTraits(rawValue: 1 << 1)
    }

    public let symbolicTraits: SymbolicTraits

    init(isBold: Bool) { symbolicTraits = isBold ? .traitBold : [] }
}

/// Sizes for the text size that the person chose.
public final class UIFontMetrics: NSObject, @unchecked Sendable {
    public static let `default` = UIFontMetrics()

    /// Apple's sizes of body text, as a share of the usual 17 points.
    public func scaledValue(for value: CGFloat, compatibleWith traits: UITraitCollection?) -> CGFloat {
        let category = traits?.preferredContentSizeCategory ?? .large
        return value * (Self.body[category] ?? 17) / 17
    }

    public func scaledValue(for value: CGFloat) -> CGFloat { scaledValue(for: value, compatibleWith: nil) }

    private static let body: [UIContentSizeCategory: CGFloat] = [
        .extraSmall: 14, .small: 15, .medium: 16, .large: 17, .extraLarge: 19, .extraExtraLarge: 21,
        .extraExtraExtraLarge: 23, .accessibilityMedium: 28, .accessibilityLarge: 33, .accessibilityExtraLarge: 40,
        .accessibilityExtraExtraLarge: 47, .accessibilityExtraExtraExtraLarge: 53,
    ]
}

/// The text size that the person chose.
public struct UIContentSizeCategory: Hashable, Sendable, RawRepresentable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ name: String) { rawValue = "UICTContentSizeCategory" + name }

    public static let unspecified = UIContentSizeCategory("Unspecified")
    public static let extraSmall = UIContentSizeCategory("XS")
    public static let small = UIContentSizeCategory("S")
    public static let medium = UIContentSizeCategory("M")
    public static let large = UIContentSizeCategory("L")
    public static let extraLarge = UIContentSizeCategory("XL")
    public static let extraExtraLarge = UIContentSizeCategory("XXL")
    public static let extraExtraExtraLarge = UIContentSizeCategory("XXXL")
    public static let accessibilityMedium = UIContentSizeCategory("AccessibilityM")
    public static let accessibilityLarge = UIContentSizeCategory("AccessibilityL")
    public static let accessibilityExtraLarge = UIContentSizeCategory("AccessibilityXL")
    public static let accessibilityExtraExtraLarge = UIContentSizeCategory("AccessibilityXXL")
    public static let accessibilityExtraExtraExtraLarge = UIContentSizeCategory("AccessibilityXXXL")
}
