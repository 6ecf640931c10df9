import Foundation

/// Test hook: how wide characters are.
public enum StandInText {
    /// The fonts that a device has beside the system's, with their weights.
    public static let typefaces: [String: UIFont.Weight] = [
        "PingFangSC-Regular": .regular, "PingFangSC-Semibold": .semibold, "Brand-Wide": .regular,
    ]
    /// How wide their characters are, as a share of the system's.
    public static let breadth: CGFloat = 1.1
    /// How high their lines are, in ems: more than the page engine gives a line by itself.
    public static let lineHeight: CGFloat = 1.6

    /// Thousandths of an em for a scalar. Chinese characters take one em, others a little more than a half.
    public static func advance(of scalar: Unicode.Scalar, isBold: Bool) -> CGFloat {
        if scalar.value >= 0x2e80 { return 1 }
        return (scalar == " " ? 0.25 : 0.56) + (isBold ? 0.02 : 0)
    }
}

extension NSAttributedString.Key {
    public static let font = Self(rawValue: "NSFont")
    public static let foregroundColor = Self(rawValue: "NSColor")
    public static let backgroundColor = Self(rawValue: "NSBackgroundColor")
    public static let paragraphStyle = Self(rawValue: "NSParagraphStyle")
    public static let kern = Self(rawValue: "NSKern")
    public static let ligature = Self(rawValue: "NSLigature")
    public static let baselineOffset = Self(rawValue: "NSBaselineOffset")
    public static let underlineStyle = Self(rawValue: "NSUnderline")
    public static let link = Self(rawValue: "NSLink")
}

extension NSAttributedString {
    /// The size of the text on one line. Without an explicit kern of zero it is a little narrower, as with a font that
    /// has kerning pairs. So a test notices code that measures with kerning on.
    public func size() -> CGSize {
        var width: CGFloat = 0
        var height: CGFloat = 0
        enumerateAttributes(in: NSRange(location: 0, length: length), options: []) { attributes, range, _ in
            let font = attributes[.font] as? UIFont ?? .systemFont(ofSize: 12)
            let isBold = font.fontDescriptor.symbolicTraits.contains(.traitBold)
            let text = (self.string as NSString).substring(with: range)
            for scalar in text.unicodeScalars {
                let breadth = StandInText.typefaces[font.fontName] == nil ? 1 : StandInText.breadth
                width += StandInText.advance(of: scalar, isBold: isBold) * font.pointSize * breadth
            }
            if attributes[.kern] == nil, text.unicodeScalars.count > 1 { width -= font.pointSize * 0.03 }
            let style = attributes[.paragraphStyle] as? NSParagraphStyle
            height = max(height, max(font.lineHeight, style?.minimumLineHeight ?? 0))
        }
        return CGSize(width: width, height: height)
    }
}

open class NSParagraphStyle: NSObject {
    open var alignment: NSTextAlignment { .natural }
    open var lineSpacing: CGFloat { 0 }
    open var minimumLineHeight: CGFloat { 0 }
    open var maximumLineHeight: CGFloat { 0 }
    open var lineBreakMode: NSLineBreakMode { .byWordWrapping }
}

open class NSMutableParagraphStyle: NSParagraphStyle {
    private var kept: (NSTextAlignment, CGFloat, CGFloat, CGFloat, NSLineBreakMode) = (
        .natural, 0, 0, 0, .byWordWrapping
    )

    open override var alignment: NSTextAlignment {
        get { kept.0 }
        set { kept.0 = newValue }
    }
    open override var lineSpacing: CGFloat {
        get { kept.1 }
        set { kept.1 = newValue }
    }
    open override var minimumLineHeight: CGFloat {
        get { kept.2 }
        set { kept.2 = newValue }
    }
    open override var maximumLineHeight: CGFloat {
        get { kept.3 }
        set { kept.3 = newValue }
    }
    open override var lineBreakMode: NSLineBreakMode {
        get { kept.4 }
        set { kept.4 = newValue }
    }
}
