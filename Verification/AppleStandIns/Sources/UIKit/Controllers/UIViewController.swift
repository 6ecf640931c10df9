import Foundation

@MainActor public protocol UIViewControllerTransitionCoordinatorContext: NSObjectProtocol {
    var isCancelled: Bool { get }
}

@MainActor public protocol UIViewControllerTransitionCoordinator: UIViewControllerTransitionCoordinatorContext {
    @discardableResult
    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool
}

/// A controller with UIKit's order of calls: loading, appearing, layout, rotating, disappearing.
@MainActor open class UIViewController: UIResponder {
    public init(nibName: String?, bundle: Bundle?) { super.init() }

    public convenience override init() { self.init(nibName: nil, bundle: nil) }

    public required init?(coder: NSCoder) { fatalError("the stand-in has no archives") }

    // MARK: - The view

    private var loaded: UIView?

    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loaded
        }
        set {
            loaded?.standInController = nil
            loaded = newValue
            newValue?.standInController = self
        }
    }
    open var viewIfLoaded: UIView? { loaded }
    open var isViewLoaded: Bool { loaded != nil }
    open func loadViewIfNeeded() {
        guard loaded == nil else { return }
        loadView()
        viewDidLoad()
    }
    open func loadView() { view = UIView(frame: CGRect(x: 0, y: 0, width: 375, height: 667)) }
    open func viewDidLoad() {}
    open func viewWillAppear(_ animated: Bool) {}
    open func viewDidAppear(_ animated: Bool) {}
    open func viewWillDisappear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}
    open func viewWillLayoutSubviews() {}
    open func viewDidLayoutSubviews() {}
    open func viewSafeAreaInsetsDidChange() {}
    open func viewWillTransition(to size: CGSize, with coordinator: any UIViewControllerTransitionCoordinator) {
        for child in children { child.viewWillTransition(to: size, with: coordinator) }
    }
    open func traitCollectionDidChange(_ previous: UITraitCollection?) {}

    open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified { didSet { loaded?.spreadTraits() } }
    open var traitCollection: UITraitCollection {
        let above =
            loaded?.superview?.traitCollection ?? parent?.traitCollection ?? presentingViewController?.traitCollection
        return (above ?? UITraitCollection()).with(overrideUserInterfaceStyle)
    }

    open var title: String? { didSet { navigationItem.title = title } }
    public let navigationItem = UINavigationItem()
    open var additionalSafeAreaInsets = UIEdgeInsets.zero
    /// With what bars of a navigation controller take.
    var standInAddedSafeArea: UIEdgeInsets {
        var insets = additionalSafeAreaInsets
        if let navigation = parent as? UINavigationController, !navigation.isNavigationBarHidden { insets.top += 44 }
        return insets
    }

    // MARK: - What the system asks

    open var preferredStatusBarStyle: UIStatusBarStyle { .default }
    open var prefersStatusBarHidden: Bool { false }
    open var childForStatusBarStyle: UIViewController? { nil }
    open var supportedInterfaceOrientations: UIInterfaceOrientationMask { .allButUpsideDown }
    open var shouldAutorotate: Bool { true }
    open var isModalInPresentation = false
    open var modalPresentationStyle = UIModalPresentationStyle.automatic
    open var modalTransitionStyle = UIModalTransitionStyle.coverVertical
    open var modalPresentationCapturesStatusBarAppearance = false
    /// Test hook: the number of status bar updates that were requested.
    public private(set) var standInStatusBarUpdates = 0
    open func setNeedsStatusBarAppearanceUpdate() { standInStatusBarUpdates += 1 }
    open func setNeedsUpdateOfSupportedInterfaceOrientations() {}

    // MARK: - Family

    open private(set) var children: [UIViewController] = []
    open internal(set) weak var parent: UIViewController?
    open func addChild(_ child: UIViewController) {
        child.willMove(toParent: self)
        children.append(child)
        child.parent = self
    }
    open func removeFromParent() {
        parent?.children.removeAll { $0 === self }
        parent = nil
        didMove(toParent: nil)
    }
    open func willMove(toParent: UIViewController?) {}
    open func didMove(toParent: UIViewController?) {}
    open var navigationController: UINavigationController? {
        parent as? UINavigationController ?? parent?.navigationController
    }

    open internal(set) var presentedViewController: UIViewController?
    weak var standInPresenter: UIViewController?
    open var presentingViewController: UIViewController? { standInPresenter ?? parent?.presentingViewController }
    open internal(set) var isBeingPresented = false
    open internal(set) var isBeingDismissed = false
    open internal(set) var isMovingToParent = false
    open internal(set) var isMovingFromParent = false
    private var madePresentationController: UIPresentationController?
    open var presentationController: UIPresentationController? {
        if madePresentationController == nil { madePresentationController = UIPresentationController(self) }
        return madePresentationController
    }
    open var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? { nil }
    open override var next: UIResponder? { loaded?.superview }
}

/// The presentation of a controller on the screen.
@MainActor open class UIPresentationController: NSObject {
    open private(set) unowned var presentedViewController: UIViewController
    open weak var delegate: (any UIAdaptivePresentationControllerDelegate)?

    init(_ presented: UIViewController) { presentedViewController = presented }
}

@MainActor public protocol UIAdaptivePresentationControllerDelegate: NSObjectProtocol {
    func presentationControllerDidDismiss(_ controller: UIPresentationController)
}

extension UIAdaptivePresentationControllerDelegate {
    public func presentationControllerDidDismiss(_ controller: UIPresentationController) {}
}
