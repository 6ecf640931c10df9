import Foundation

extension UIViewController {
    /// Presents as UIKit does. A controller that is not on screen or already presents one refuses, without calling
    /// `completion`. ``StandInScreen/refusals`` then records it, where UIKit writes to the log.
    public func present(_ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil) {
        if let parent { return parent.present(controller, animated: animated, completion: completion) }
        guard let window = viewIfLoaded?.window else {
            StandInScreen.refusals.append("attempt to present on a controller whose view is not in the window")
            return
        }
        guard presentedViewController == nil else {
            StandInScreen.refusals.append("attempt to present on a controller that is already presenting")
            return
        }
        guard controller.standInPresenter == nil, controller.parent == nil else {
            StandInScreen.refusals.append("attempt to present a controller that is already shown")
            return
        }
        // On a device this is an exception, and the app ends.
        guard !controller.standInTurns || !controller.standInOrientations.isEmpty else {
            StandInScreen.refusals.append("UIApplicationInvalidInterfaceOrientation: app and controller share none")
            return
        }
        presentedViewController = controller
        controller.standInPresenter = self
        let covers = controller.modalPresentationStyle == .fullScreen
        controller.isBeingPresented = true
        if covers { viewWillDisappear(animated) }
        controller.standInWillAppear(in: window, animated: animated)
        StandInScreen.afterTransition(animated) {
            controller.isBeingPresented = false
            if covers { self.viewDidDisappear(animated) }
            controller.standInDidAppear(animated)
            completion?()
        }
    }

    /// Dismisses the controller that this one presents; if it presents none, dismisses itself.
    public func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
        guard let presented = presentedViewController else {
            guard let presenter = presentingViewController else {
                completion?()
                return
            }
            return presenter.dismiss(animated: animated, completion: completion)
        }
        guard !presented.isBeingDismissed else { return }
        presented.isBeingDismissed = true
        // The controllers that it presents go with it. Those of them that are covered have disappeared already and are
        // told nothing.
        let going = Array(sequence(first: presented, next: \.presentedViewController))
        let seen = going.indices.filter { index in
            !going[(index + 1)...].contains { $0.modalPresentationStyle == .fullScreen }
        }.map { going[$0] }
        let covered = presented.modalPresentationStyle == .fullScreen
        for controller in seen.reversed() { controller.viewWillDisappear(animated) }
        if covered { viewWillAppear(animated) }
        StandInScreen.afterTransition(animated) {
            for controller in going { controller.viewIfLoaded?.removeFromSuperview() }
            for controller in seen.reversed() { controller.viewDidDisappear(animated) }
            for controller in going {
                controller.standInPresenter?.presentedViewController = nil
                controller.standInPresenter = nil
            }
            presented.isBeingDismissed = false
            if covered { self.viewDidAppear(animated) }
            completion?()
        }
    }

    /// Whether it decides how the screen is turned while it is on top.
    var standInTurns: Bool { [.fullScreen, .overFullScreen].contains(modalPresentationStyle) }

    /// In which orientations it may stand in this app.
    var standInOrientations: UIInterfaceOrientationMask {
        supportedInterfaceOrientations.intersection(
            UIApplication.shared.supportedInterfaceOrientations(for: viewIfLoaded?.window))
    }

    func standInAppear(in window: UIView, animated: Bool) {
        standInWillAppear(in: window, animated: animated)
        standInDidAppear(animated)
    }

    func standInWillAppear(in place: UIView, animated: Bool) {
        view.frame = place.bounds
        viewWillAppear(animated)
        place.addSubview(view)
        place.layoutIfNeeded()
    }

    func standInDidAppear(_ animated: Bool) {
        viewDidAppear(animated)
        viewIfLoaded?.window?.layoutIfNeeded()
    }
}
