package import BenjiPage

/// How a popup appears.
#if canImport(ObjectiveC)
@objc
#endif
public enum OLAuthPopupAnimationStyle: Int, Sendable {
    /// From below.
    case coverVertical = 0
    /// Turning about its vertical axis.
    case flipHorizontal
    /// Out of nothing.
    case crossDissolve
    /// By the app's own `popupTransitionAnimation`.
    case custom

    /// As a comment of both documents spells ``custom``.
    public static let styleCustom = OLAuthPopupAnimationStyle.custom

    /// The animation in a page's description.
    package var meaning: PageDescription.Popup.Animation {
        switch self {
        case .coverVertical: .coverVertical
        case .flipHorizontal: .flipHorizontal
        case .crossDissolve: .crossDissolve
        case .custom: .custom
        }
    }
}
