#if canImport(UIKit)
package import BenjiPage
package import UIKit

// The meaning of UIKit's values in a page description.

extension AdaptiveColor {
    package init(_ color: UIColor) {
        func part(_ style: UIUserInterfaceStyle) -> PageColor {
            var (red, green, blue, alpha) = (CGFloat(0), CGFloat(0), CGFloat(0), CGFloat(0))
            let color = color.resolvedColor(with: UITraitCollection(userInterfaceStyle: style))
            // A colour of another colour space than RGB says no; black can then at least be read.
            guard color.getRed(&red, green: &green, blue: &blue, alpha: &alpha) else { return PageColor(0) }
            func byte(_ share: CGFloat) -> UInt8 { UInt8((min(max(share, 0), 1) * 255).rounded()) }
            var page = PageColor(0, alpha: byte(alpha))
            (page.red, page.green, page.blue) = (byte(red), byte(green), byte(blue))
            return page
        }
        self.init(light: part(.light), dark: part(.dark))
    }
}

extension PageFont {
    /// - Parameter name: by which the page asks for the font itself, unless it is the system's in a weight that pages
    ///   have.
    package init(_ font: UIFont, named name: String) {
        let size = Measure.aboveZero(Double(font.pointSize), upTo: 200) ?? 0
        let isBold = font.fontDescriptor.symbolicTraits.contains(.traitBold)
        let own = UIFont.systemFont(ofSize: font.pointSize, weight: isBold ? .bold : .regular)
        self.init(max(size, 1), isBold: isBold, typeface: font.fontName == own.fontName ? nil : name)
    }
}

extension PageImage {
    package init(_ name: String, _ image: UIImage) {
        func side(_ length: CGFloat) -> Double { max(Measure.any(Double(length), upTo: 4096) ?? 1, 1) }
        self.init(name, width: side(image.size.width), height: side(image.size.height))
    }
}

extension PageSlot {
    /// A place as large as the view is now.
    @MainActor package init(_ name: String, _ view: UIView) {
        func side(_ length: CGFloat) -> Double { max(Measure.any(Double(length), upTo: 4096) ?? 0, 0) }
        self.init(name, width: side(view.bounds.width), height: side(view.bounds.height))
    }
}

extension StyledText {
    /// The text with its first font and colour; what the attributes leave out is as in `other`. `nil` when there is
    /// nothing to read.
    ///
    /// - Parameter name: of the text; the page asks for its font by it.
    package init?(_ text: NSAttributedString, named name: String, else other: StyledText) {
        guard let localized = PageText.localized(text.string) else { return nil }
        let attributes = text.attributes(at: 0, effectiveRange: nil)
        self.init(
            localized, (attributes[.font] as? UIFont).map { PageFont($0, named: name) } ?? other.font,
            (attributes[.foregroundColor] as? UIColor).map(AdaptiveColor.init) ?? other.color)
    }
}

extension NSAttributedString {
    /// The font of its first character.
    package var firstFont: UIFont? {
        length == 0 ? nil : attributes(at: 0, effectiveRange: nil)[.font] as? UIFont
    }
}

extension PageDescription.NavigationTitle {
    package init?(_ text: NSAttributedString, named name: String) {
        self.init()
        guard let style = StyledText(text, named: name, else: style) else { return nil }
        self.style = style
    }
}

extension PageDescription.Terms.Alignment {
    package init(_ alignment: NSTextAlignment) {
        switch alignment {
        case .center: self = .center
        case .right: self = .right
        default: self = .left
        }
    }
}

extension PageDescription.StatusBar.Style {
    package init(_ style: UIStatusBarStyle) {
        switch style {
        case .lightContent: self = .light
        case .darkContent: self = .dark
        default: self = .automatic
        }
    }
}

extension PageDescription.Presentation.Orientation {
    /// The orientations of a mask; none of them is the default.
    package static func all(in mask: UIInterfaceOrientationMask) -> [Self]? {
        let table: [(UIInterfaceOrientationMask, Self)] = [
            (.portrait, .portrait), (.portraitUpsideDown, .portraitUpsideDown), (.landscapeLeft, .landscapeLeft),
            (.landscapeRight, .landscapeRight),
        ]
        let all = table.filter { mask.contains($0.0) }.map(\.1)
        return all.isEmpty ? nil : all
    }
}

extension PageDescription.Presentation.Coverage {
    package init(_ style: UIModalPresentationStyle) {
        switch style {
        case .overFullScreen, .overCurrentContext: self = .overFullScreen
        case .pageSheet, .automatic: self = .pageSheet
        case .formSheet: self = .formSheet
        default: self = .fullScreen
        }
    }
}

extension PageDescription.Presentation.Appearance {
    package init?(_ style: NSNumber) {
        switch UIUserInterfaceStyle(rawValue: style.intValue) {
        case .light: self = .light
        case .dark: self = .dark
        case .unspecified: self = .automatic
        default: return nil
        }
    }
}

extension PageDescription.Popup.Corner {
    /// The corners that numbers of `UIRectCorner` name. Only the first four numbers count.
    package static func all(_ numbers: [NSNumber]) -> [Self] {
        let mask = UIRectCorner(numbers.prefix(4).map { UIRectCorner(rawValue: $0.uintValue) })
        let table: [(UIRectCorner, Self)] = [
            (.topLeft, .topLeft), (.topRight, .topRight), (.bottomLeft, .bottomLeft), (.bottomRight, .bottomRight),
        ]
        return table.filter { mask.contains($0.0) }.map(\.1)
    }
}
#endif
