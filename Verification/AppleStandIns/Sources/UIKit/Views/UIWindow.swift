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

/// A part of the app's interface.
@MainActor open class UIScene: UIResponder {
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive, foregroundInactive, background
    }

    open var activationState = ActivationState.foregroundActive
}

/// A scene of the app: its place on a screen, which another app may share.
@MainActor open class UIWindowScene: UIScene {
    open var interfaceOrientation = UIInterfaceOrientation.portrait
    public let screen: UIScreen
    /// Test hook: the window on it.
    public weak var standInWindow: UIWindow?
    open var windows: [UIWindow] { standInWindow.map { [$0] } ?? [] }
    private let space: StandInSpace
    open var coordinateSpace: any UICoordinateSpace { space }
    var standInSize: CGSize {
        get { space.bounds.size }
        set { space.bounds.size = newValue }
    }

    init(size: CGSize) {
        screen = UIScreen(size: size)
        space = StandInSpace(size: size)
        super.init()
    }
}

/// The display of the device, in the orientation in which it is held.
@MainActor open class UIScreen: NSObject {
    open internal(set) var bounds: CGRect
    open var brightness: CGFloat = 0.5

    init(size: CGSize) { bounds = CGRect(origin: .zero, size: size) }
}

/// Something in which places are measured. Apple's also converts between two of them.
@MainActor public protocol UICoordinateSpace: NSObjectProtocol {
    var bounds: CGRect { get }
}

@MainActor private final class StandInSpace: NSObject, UICoordinateSpace {
    var bounds: CGRect

    init(size: CGSize) { bounds = CGRect(origin: .zero, size: size) }
}
