import Foundation

/// Where controllers are shown. ``StandInScreen`` makes one.
@MainActor open class UIWindow: UIView {
    var standInSafeArea = UIEdgeInsets.zero
    var standInTraits = UITraitCollection()

    open var rootViewController: UIViewController? {
        didSet {
            oldValue?.viewIfLoaded?.removeFromSuperview()
            guard let root = rootViewController else { return }
            root.standInAppear(in: self, animated: false)
        }
    }
    open var isKeyWindow = true
    open var windowScene: UIWindowScene?
    open override var window: UIWindow? { self }
    open override var traitCollection: UITraitCollection { standInTraits.with(overrideUserInterfaceStyle) }
    open func makeKeyAndVisible() {}
}

/// A scene of the app; in the stand-in only its orientation is known.
@MainActor open class UIWindowScene: NSObject {
    open var interfaceOrientation = UIInterfaceOrientation.portrait
}
