import Foundation

/// Test hook: a screen with a window, and a finger.
@MainActor public final class StandInScreen {
    /// The calls that UIKit would have refused and written to the log.
    public static var refusals: [String] = []

    /// The window on this screen.
    public let window: UIWindow

    /// A screen that shows `root`.
    public init(
        _ root: UIViewController, width: CGFloat = 393, height: CGFloat = 852,
        safeArea: UIEdgeInsets = UIEdgeInsets(top: 59, left: 0, bottom: 34, right: 0)
    ) {
        window = UIWindow(frame: CGRect(x: 0, y: 0, width: width, height: height))
        window.standInSafeArea = safeArea
        let scene = UIWindowScene(size: CGSize(width: width, height: height))
        scene.standInWindow = window
        window.windowScene = scene
        UIApplication.shared.standInScene = scene
        window.rootViewController = root
        window.layoutIfNeeded()
    }

    // MARK: - Transitions

    private static var waiting: [() -> Void] = []
    /// Whether animated transitions wait for ``finishTransitions()``, as they take their time on a device.
    public static var holdsTransitions = false

    static func afterTransition(_ animated: Bool, _ end: @escaping () -> Void) {
        if animated, holdsTransitions { waiting.append(end) } else { end() }
    }

    public static func finishTransitions() {
        while !waiting.isEmpty { waiting.removeFirst()() }
    }

    // MARK: - The finger

    /// Puts a finger down and up again. Answers which view took it.
    @discardableResult
    public func tap(_ point: CGPoint) -> UIView? {
        let view = press(point)
        release(view)
        return view
    }

    /// Taps the middle of a view; what lies over it may take the tap.
    @discardableResult
    public func tap(_ view: UIView) -> UIView? {
        tap(view.convert(CGPoint(x: view.bounds.midX, y: view.bounds.midY), to: window))
    }

    /// Puts a finger down.
    @discardableResult
    public func press(_ point: CGPoint) -> UIView? {
        window.layoutIfNeeded()
        let view = window.hitTest(point, with: nil)
        control(of: view)?.standInPress()
        window.layoutIfNeeded()
        return view
    }

    /// Takes the finger off.
    public func release(_ view: UIView?, inside: Bool = true) {
        control(of: view)?.standInRelease(inside: inside)
        window.layoutIfNeeded()
    }

    /// A touch that a plain view does not answer goes up the tree, but not to a control: that is hit itself.
    private func control(of view: UIView?) -> UIControl? { view as? UIControl }

    // MARK: - The device

    /// Turns the device: all controllers on screen are notified before and alongside the change. The last controller
    /// that is presented over the whole screen decides, else the root; those on a navigation stack are not asked.
    ///
    /// - Returns: whether the screen was turned too.
    @discardableResult
    public func rotate(width: CGFloat, height: CGFloat, safeArea: UIEdgeInsets) -> Bool {
        let size = CGSize(width: width, height: height)
        let wanted: UIInterfaceOrientationMask = width > height ? .landscapeLeft : .portrait
        let shown = sequence(first: window.rootViewController, next: { $0?.presentedViewController }).compactMap { $0 }
        let decides = shown.last { $0.standInTurns } ?? window.rootViewController
        guard decides?.standInOrientations.contains(wanted) ?? true else { return false }
        window.windowScene?.screen.bounds.size = size
        window.windowScene?.interfaceOrientation = width > height ? .landscapeLeft : .portrait
        resize(size, safeArea)
        return true
    }

    /// Drags a finger from the edge, to go back on a navigation stack.
    ///
    /// - Returns: whether the stack went back.
    @discardableResult
    public func swipeBack(_ stack: UINavigationController) -> Bool {
        guard let recognizer = stack.interactivePopGestureRecognizer, recognizer.isEnabled,
            recognizer.delegate?.gestureRecognizerShouldBegin(recognizer) ?? true
        else { return false }
        return stack.popViewController(animated: true) != nil
    }

    /// Another app gets a part of an iPad's screen, or gives it back: this app is left with so much of its width.
    public func share(leaving width: CGFloat) {
        resize(CGSize(width: width, height: window.frame.height), window.standInSafeArea)
    }

    private func resize(_ size: CGSize, _ safeArea: UIEdgeInsets) {
        let coordinator = StandInCoordinator()
        var shown: [UIViewController] = []
        var next = window.rootViewController
        while let controller = next {
            shown.append(controller)
            next = controller.presentedViewController
        }
        for controller in shown { controller.viewWillTransition(to: size, with: coordinator) }
        window.standInSafeArea = safeArea
        window.frame.size = size
        window.windowScene?.standInSize = size
        for controller in shown where controller.viewIfLoaded?.superview === window {
            controller.view.frame = window.bounds
        }
        window.spreadSafeArea()
        window.layoutIfNeeded()
        coordinator.run()
        window.layoutIfNeeded()
    }

    /// Changes what the person set the device to.
    public func setTraits(
        style: UIUserInterfaceStyle = .light, textSize: UIContentSizeCategory = .large
    ) {
        let now = window.standInTraits
        window.standInTraits = UITraitCollection(
            style: style, size: textSize, horizontal: now.horizontalSizeClass, vertical: now.verticalSizeClass)
        window.spreadTraits()
        window.layoutIfNeeded()
    }

    /// Drags a sheet down until it goes, which no code of the app has asked for.
    public func swipeDown(_ controller: UIViewController) {
        guard !controller.isModalInPresentation, let presenter = controller.standInPresenter else { return }
        presenter.dismiss(animated: true) {
            guard let presentation = controller.presentationController else { return }
            presentation.delegate?.presentationControllerDidDismiss(presentation)
        }
    }

    /// Lays out what asked for it, as the run loop does.
    public func settle() { window.layoutIfNeeded() }
}

@MainActor final class StandInCoordinator: NSObject, UIViewControllerTransitionCoordinator {
    private var beside: [(any UIViewControllerTransitionCoordinatorContext) -> Void] = []
    private var after: [(any UIViewControllerTransitionCoordinatorContext) -> Void] = []
    var isCancelled: Bool { false }

    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool {
        if let animation { beside.append(animation) }
        if let completion { after.append(completion) }
        return true
    }

    func run() {
        for animation in beside { animation(self) }
        for completion in after { completion(self) }
        beside = []
        after = []
    }
}
