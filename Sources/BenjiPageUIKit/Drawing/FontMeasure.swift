#if canImport(UIKit)
public import BenjiPage
import UIKit

/// Measures with the fonts that will draw, so that boxes and line breaks are those of the device.
///
/// Each character is measured by itself and without kerning, as ``BenjiPage/TextMeasuring`` asks; ``PageText`` draws the
/// same way. Widths are kept, because a page asks for the same few characters again and again.
public final class FontMeasure: TextMeasuring {
    private struct Key: Hashable {
        var scalar: Unicode.Scalar
        var font: PageFont
    }

    private var widths: [Key: Double] = [:]

    public init() {}

    public func advance(of scalar: Unicode.Scalar, font: PageFont) -> Double {
        let key = Key(scalar: scalar, font: font)
        if let width = widths[key] { return width }
        let width = Double(
            NSAttributedString(string: String(Character(scalar)), attributes: PageText.attributes(font)).size().width)
        widths[key] = width
        return width
    }
}

/// How text is drawn: the system's typeface, every character as wide as it was measured.
enum PageText {
    static func font(_ font: PageFont) -> UIFont {
        .systemFont(ofSize: CGFloat(font.size), weight: font.isBold ? .bold : .regular)
    }

    /// Without kerning and ligatures, since advances are added up one character at a time.
    static func attributes(_ font: PageFont) -> [NSAttributedString.Key: Any] {
        [.font: self.font(font), .kern: 0, .ligature: 0]
    }
}
#endif
