import Foundation

/// Light or dark, text size and size classes of where something is shown.
public final class UITraitCollection: NSObject, @unchecked Sendable {
    public let userInterfaceStyle: UIUserInterfaceStyle
    public let preferredContentSizeCategory: UIContentSizeCategory
    public let horizontalSizeClass: UIUserInterfaceSizeClass
    public let verticalSizeClass: UIUserInterfaceSizeClass

    init(
        style: UIUserInterfaceStyle = .light, size: UIContentSizeCategory = .large,
        horizontal: UIUserInterfaceSizeClass = .compact, vertical: UIUserInterfaceSizeClass = .regular
    ) {
        userInterfaceStyle = style
        preferredContentSizeCategory = size
        horizontalSizeClass = horizontal
        verticalSizeClass = vertical
    }

    public convenience override init() { self.init(style: .light) }

    public convenience init(userInterfaceStyle: UIUserInterfaceStyle) { self.init(style: userInterfaceStyle) }

    public convenience init(preferredContentSizeCategory: UIContentSizeCategory) {
        self.init(size: preferredContentSizeCategory)
    }

    func with(_ style: UIUserInterfaceStyle) -> UITraitCollection {
        guard style != .unspecified else { return self }
        return UITraitCollection(
            style: style, size: preferredContentSizeCategory, horizontal: horizontalSizeClass,
            vertical: verticalSizeClass)
    }

    public func hasDifferentColorAppearance(comparedTo other: UITraitCollection?) -> Bool {
        userInterfaceStyle != other?.userInterfaceStyle
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UITraitCollection else { return false }
        return userInterfaceStyle == other.userInterfaceStyle
            && preferredContentSizeCategory == other.preferredContentSizeCategory
            && horizontalSizeClass == other.horizontalSizeClass && verticalSizeClass == other.verticalSizeClass
    }

    public override var hash: Int { userInterfaceStyle.rawValue }
}
