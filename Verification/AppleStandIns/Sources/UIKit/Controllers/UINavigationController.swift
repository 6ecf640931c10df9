import Foundation

@MainActor open class UINavigationBar: UIView {
    open var barTintColor: UIColor?
    open var standardAppearance = UINavigationBarAppearance()
    open var scrollEdgeAppearance: UINavigationBarAppearance?
}

@MainActor open class UINavigationBarAppearance: NSObject {
    open var backgroundColor: UIColor?
    open var titleTextAttributes: [NSAttributedString.Key: Any] = [:]
    open func configureWithOpaqueBackground() {}
}

/// A stack of controllers of which the last is shown.
@MainActor open class UINavigationController: UIViewController {
    open private(set) var viewControllers: [UIViewController] = []
    open private(set) var isNavigationBarHidden = false
    public let navigationBar = UINavigationBar(frame: .zero)
    open private(set) var interactivePopGestureRecognizer: UIGestureRecognizer? = UIGestureRecognizer()

    private lazy var ownSwipe = StandInSwipe(self)

    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        interactivePopGestureRecognizer?.delegate = ownSwipe
        addChild(rootViewController)
        viewControllers = [rootViewController]
        rootViewController.didMove(toParent: self)
    }

    public override init(nibName: String?, bundle: Bundle?) {
        super.init(nibName: nibName, bundle: bundle)
        interactivePopGestureRecognizer?.delegate = ownSwipe
    }

    public required init?(coder: NSCoder) { fatalError("the stand-in has no archives") }

    open var topViewController: UIViewController? { viewControllers.last }
    open var visibleViewController: UIViewController? { presentedViewController ?? topViewController }
    open override var childForStatusBarStyle: UIViewController? { topViewController }

    open func setNavigationBarHidden(_ hidden: Bool, animated: Bool) {
        isNavigationBarHidden = hidden
        topViewController?.viewIfLoaded?.spreadSafeArea()
    }

    open override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        guard let top = topViewController else { return }
        top.view.frame = view.bounds
        top.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        top.viewWillAppear(animated)
        view.addSubview(top.view)
    }

    open override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        topViewController?.viewDidAppear(animated)
    }

    open override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        topViewController?.viewWillDisappear(animated)
    }

    open override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        topViewController?.viewDidDisappear(animated)
    }

    open func pushViewController(_ controller: UIViewController, animated: Bool) {
        let old = topViewController
        addChild(controller)
        viewControllers.append(controller)
        guard viewIfLoaded?.window != nil else {
            controller.didMove(toParent: self)
            return
        }
        controller.isMovingToParent = true
        controller.view.frame = view.bounds
        controller.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        old?.viewWillDisappear(animated)
        controller.viewWillAppear(animated)
        view.addSubview(controller.view)
        view.layoutIfNeeded()
        StandInScreen.afterTransition(animated) {
            old?.viewIfLoaded?.removeFromSuperview()
            old?.viewDidDisappear(animated)
            controller.isMovingToParent = false
            controller.didMove(toParent: self)
            controller.standInDidAppear(animated)
        }
    }

    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard viewControllers.count > 1 else { return nil }
        return popToViewController(viewControllers[viewControllers.count - 2], animated: animated)?.last
    }

    @discardableResult
    open func popToViewController(_ target: UIViewController, animated: Bool) -> [UIViewController]? {
        guard let index = viewControllers.firstIndex(where: { $0 === target }), index + 1 < viewControllers.count else {
            return nil
        }
        let gone = Array(viewControllers[(index + 1)...])
        guard let top = gone.last else { return nil }
        viewControllers.removeSubrange((index + 1)...)
        for controller in gone {
            controller.willMove(toParent: nil)
            controller.isMovingFromParent = true
        }
        top.viewWillDisappear(animated)
        target.view.frame = view.bounds
        target.viewWillAppear(animated)
        view.insertSubview(target.view, at: 0)
        StandInScreen.afterTransition(animated) {
            top.viewIfLoaded?.removeFromSuperview()
            top.viewDidDisappear(animated)
            for controller in gone {
                controller.removeFromParent()
                controller.isMovingFromParent = false
            }
            target.standInDidAppear(animated)
        }
        return gone
    }

    @discardableResult
    open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        viewControllers.first.flatMap { popToViewController($0, animated: animated) }
    }

    open func setViewControllers(_ controllers: [UIViewController], animated: Bool) {
        let gone = viewControllers.filter { old in !controllers.contains { $0 === old } }
        let top = topViewController
        for controller in gone { controller.isMovingFromParent = true }
        if let top, gone.contains(where: { $0 === top }) { top.viewWillDisappear(animated) }
        for controller in controllers where controller.parent == nil { addChild(controller) }
        viewControllers = controllers
        if let top, gone.contains(where: { $0 === top }) {
            top.viewIfLoaded?.removeFromSuperview()
            top.viewDidDisappear(animated)
        }
        for controller in gone {
            controller.removeFromParent()
            controller.isMovingFromParent = false
        }
        guard let next = topViewController, next !== top, viewIfLoaded?.window != nil else { return }
        next.view.frame = view.bounds
        next.viewWillAppear(animated)
        view.addSubview(next.view)
        view.layoutIfNeeded()
        next.standInDidAppear(animated)
    }
}

/// As UIKit's own: without a bar, and with nothing to go back to, there is no swiping.
@MainActor private final class StandInSwipe: NSObject, UIGestureRecognizerDelegate {
    private weak var stack: UINavigationController?

    init(_ stack: UINavigationController) { self.stack = stack }

    func gestureRecognizerShouldBegin(_ recognizer: UIGestureRecognizer) -> Bool {
        guard let stack else { return false }
        return !stack.isNavigationBarHidden && stack.viewControllers.count > 1
    }
}
