#if canImport(UIKit)
import BenjiPage
package import UIKit

extension CGRect {
    init(_ rect: PageRect) { self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height) }

    init(_ rect: PageRect, in panel: PageRect) {
        self.init(x: rect.x - panel.x, y: rect.y - panel.y, width: rect.width, height: rect.height)
    }
}

extension PageRect {
    init(_ rect: CGRect) {
        self.init(
            CGFloat.points(rect.minX), CGFloat.points(rect.minY), CGFloat.points(rect.width),
            CGFloat.points(rect.height))
    }
}

extension CGFloat {
    /// With the three decimals that pages know: a third of a point has more.
    static func points(_ value: CGFloat) -> Double { (Double(value) * 1000).rounded() / 1000 }
}

extension UIColor {
    convenience init(_ color: PageColor) {
        self.init(
            red: CGFloat(color.red) / 255, green: CGFloat(color.green) / 255, blue: CGFloat(color.blue) / 255,
            alpha: CGFloat(color.alpha) / 255)
    }
}

extension PageColor {
    /// The colour as it looks under these traits.
    init(_ color: UIColor, _ traits: UITraitCollection) {
        var parts: (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0)
        let color = color.resolvedColor(with: traits)
        guard color.getRed(&parts.0, green: &parts.1, blue: &parts.2, alpha: &parts.3) else {
            // A pattern: nothing is known of it but that it hides what lies behind.
            self.init(0x808080)
            return
        }
        func byte(_ part: CGFloat) -> UInt32 { UInt32((Swift.min(1, Swift.max(0, part)) * 255).rounded()) }
        self.init(byte(parts.0) << 16 | byte(parts.1) << 8 | byte(parts.2), alpha: UInt8(byte(parts.3)))
    }
}

extension CACornerMask {
    init(_ corners: [PageDescription.Popup.Corner]) {
        self = []
        for corner in corners {
            switch corner {
            case .topLeft: insert(.layerMinXMinYCorner)
            case .topRight: insert(.layerMaxXMinYCorner)
            case .bottomLeft: insert(.layerMinXMaxYCorner)
            case .bottomRight: insert(.layerMaxXMaxYCorner)
            }
        }
    }
}

extension PageScreen {
    /// The screen as a view sees it: its size, what bars and rounded corners take of it, and how its owner set the
    /// device.
    @MainActor init(of view: UIView, language: Language) {
        let safe = view.safeAreaInsets
        let traits = view.traitCollection
        let scale = UIFontMetrics.default.scaledValue(for: 100, compatibleWith: traits) / 100
        self.init(
            CGFloat.points(view.bounds.width), CGFloat.points(view.bounds.height),
            safeArea: PageInsets(
                top: CGFloat.points(safe.top), left: CGFloat.points(safe.left), bottom: CGFloat.points(safe.bottom),
                right: CGFloat.points(safe.right)),
            language: language, appearance: traits.userInterfaceStyle == .dark ? .dark : .light,
            textScale: min(3, max(1, CGFloat.points(scale))))
    }
}

extension UIWindow {
    /// Whether other apps have a part of the screen: Split View, Slide Over, Stage Manager on an iPad. Asked of the
    /// scene, since a window of the app's own may be small by itself.
    package var sharesScreen: Bool {
        guard let scene = windowScene else { return false }
        return scene.coordinateSpace.bounds.width < scene.screen.bounds.width
    }
}

extension Language {
    /// The first of the person's languages that pages have; English when they have none of them.
    static func preferred(_ languages: [String] = Locale.preferredLanguages) -> Language {
        for language in languages {
            if language.hasPrefix("en") { return .english }
            guard language.hasPrefix("zh") else { continue }
            let isTraditional = ["Hant", "-TW", "-HK", "-MO"].contains { language.contains($0) }
            return isTraditional ? .traditionalChinese : .simplifiedChinese
        }
        return .english
    }
}
#endif
