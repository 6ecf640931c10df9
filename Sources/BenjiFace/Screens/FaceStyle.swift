#if canImport(UIKit)
import BenjiPage
import UIKit

/// Colours and sizes of the face screens, light and dark.
@MainActor enum FaceStyle {
    static let margin: CGFloat = 24
    static let button: CGFloat = 50

    static let background = dynamic(light: (1, 1, 1), dark: (0.07, 0.07, 0.08))
    static let text = dynamic(light: (0.1, 0.1, 0.12), dark: (0.95, 0.95, 0.96))
    static let quiet = dynamic(light: (0.35, 0.35, 0.4), dark: (0.7, 0.7, 0.74))
    static let accent = dynamic(light: (0, 0.35, 0.85), dark: (0.45, 0.7, 1))
    static let onAccent = dynamic(light: (1, 1, 1), dark: (0.03, 0.08, 0.18))
    static let line = dynamic(light: (0.72, 0.72, 0.76), dark: (0.4, 0.4, 0.45))
    static let good = dynamic(light: (0.05, 0.5, 0.2), dark: (0.35, 0.85, 0.5))
    static let bad = dynamic(light: (0.75, 0.1, 0.1), dark: (1, 0.5, 0.45))

    private static func dynamic(
        light: (CGFloat, CGFloat, CGFloat), dark: (CGFloat, CGFloat, CGFloat)
    ) -> UIColor {
        UIColor { traits in
            let color = traits.userInterfaceStyle == .dark ? dark : light
            return UIColor(red: color.0, green: color.1, blue: color.2, alpha: 1)
        }
    }

    static func label(_ text: String, _ font: UIFont, color: UIColor = FaceStyle.text) -> UILabel {
        let label = UILabel(frame: .zero)
        label.numberOfLines = 0
        label.textAlignment = .center
        label.font = font
        label.textColor = color
        label.text = text
        return label
    }

    /// A button that is a text. The app's colour does not reach it: a no must stay as readable as the yes.
    static func plain(_ title: String, _ font: UIFont, _ act: @escaping @MainActor () -> Void) -> UIButton {
        let button = UIButton(type: .custom)
        button.setTitle(title, for: .normal)
        button.setTitleColor(accent, for: .normal)
        button.titleLabel?.font = font
        button.titleLabel?.numberOfLines = 0
        button.addAction(UIAction { _ in act() }, for: .touchUpInside)
        return button
    }
}

/// How the screens look to one person: the size of text that they chose, and the colour that the app chose.
@MainActor struct FaceLook {
    let traits: UITraitCollection
    /// The colour of the ring and of the button that goes on.
    var theme: UIColor?

    var accent: UIColor {
        guard let theme else { return FaceStyle.accent }
        return UIColor { theme.resolvedColor(with: $0).withAlphaComponent(1) }
    }

    /// Grows with the size of text that the person chose.
    func font(_ size: CGFloat, bold: Bool = false) -> UIFont {
        let scaled = UIFontMetrics.default.scaledValue(for: size, compatibleWith: traits)
        return bold ? .boldSystemFont(ofSize: scaled) : .systemFont(ofSize: scaled)
    }

    func primary(_ title: String, _ act: @escaping @MainActor () -> Void) -> UIButton {
        let button = FaceStyle.plain(title, font(17, bold: true), act)
        button.setTitleColor(theme == nil ? FaceStyle.onAccent : Self.readable(on: accent), for: .normal)
        button.backgroundColor = accent
        button.layer.cornerRadius = 12
        return button
    }

    /// White or black, whichever is easier to read.
    private static func readable(on color: UIColor) -> UIColor {
        UIColor { traits in
            var (red, green, blue) = (CGFloat(0), CGFloat(0), CGFloat(0))
            _ = color.resolvedColor(with: traits).getRed(&red, green: &green, blue: &blue, alpha: nil)
            let parts = [red, green, blue].map { UInt32(min(max($0, 0), 1) * 255) }
            let ground = PageColor(parts[0] << 16 | parts[1] << 8 | parts[2])
            return ground.contrast(to: PageColor(0)) > ground.contrast(to: PageColor(0xFFFFFF)) ? .black : .white
        }
    }
}
#endif
