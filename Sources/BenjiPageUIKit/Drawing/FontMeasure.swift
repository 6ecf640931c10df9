#if canImport(UIKit)
public import BenjiPage
public import UIKit

/// Measures with the fonts that will draw, so that boxes and line breaks are those of the device.
///
/// Each character is measured by itself and without kerning, as ``BenjiPage/TextMeasuring`` asks; `PageFonts` draws the
/// same way. Widths are kept, because a page asks for the same few characters again and again.
public final class FontMeasure: TextMeasuring {
    private struct Key: Hashable {
        var scalar: Unicode.Scalar
        var font: PageFont
    }

    private var widths: [Key: Double] = [:]
    let fonts: PageFonts

    /// - Parameter typeface: the font of a name that the page has, in any size; `nil` where the app has none. Asked on
    ///   the main thread, on which a page is laid out.
    public init(typeface: @escaping @MainActor (String) -> UIFont? = { _ in nil }) {
        fonts = PageFonts(typeface)
    }

    public func advance(of scalar: Unicode.Scalar, font: PageFont) -> Double {
        let key = Key(scalar: scalar, font: font)
        if let width = widths[key] { return width }
        let width = Double(
            NSAttributedString(string: String(Character(scalar)), attributes: fonts.attributes(font)).size().width)
        widths[key] = width
        return width
    }

    public func lineHeight(of font: PageFont) -> Double {
        font.typeface == nil ? 0 : Double(fonts.font(font).lineHeight)
    }
}

/// How text is drawn: in the app's typeface where it names one, else in the system's, every character as wide as it was
/// measured.
final class PageFonts {
    private let typeface: @MainActor (String) -> UIFont?
    private var known: [String: UIFont] = [:]

    init(_ typeface: @escaping @MainActor (String) -> UIFont?) { self.typeface = typeface }

    func font(_ font: PageFont) -> UIFont {
        if let given = font.typeface.flatMap(given) { return given.withSize(CGFloat(font.size)) }
        return .systemFont(ofSize: CGFloat(font.size), weight: font.isBold ? .bold : .regular)
    }

    /// Without kerning and ligatures, since advances are added up one character at a time.
    func attributes(_ font: PageFont) -> [NSAttributedString.Key: Any] {
        [.font: self.font(font), .kern: 0, .ligature: 0]
    }

    private func given(_ name: String) -> UIFont? {
        if let font = known[name] { return font }
        let typeface = typeface
        guard let font = MainActor.assumeIsolated({ typeface(name) }) else { return nil }
        known[name] = font
        return font
    }
}
#endif
