import Foundation

extension UIViewController {
    /// As UIKit does: refused, without calling `completion`, by a controller that is not on screen or already presents one;
    /// ``StandInScreen/refusals`` then says so where UIKit writes to the log.
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

    /// What this controller presents goes away; when it presents nothing, it goes itself.
    public func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
        guard let presented = presentedViewController else {
            guard let presenter = presentingViewController else {
                completion?()
                return
            }
            return presenter.dismiss(animated: animated, completion: completion)
        }
        guard !presented.isBeingDismissed else { return }
        // What it presents itself goes with it.
        presented.presentedViewController?.standInDismissed(animated)
        presented.isBeingDismissed = true
        let covered = presented.modalPresentationStyle == .fullScreen
        presented.viewWillDisappear(animated)
        if covered { viewWillAppear(animated) }
        StandInScreen.afterTransition(animated) {
            presented.view.removeFromSuperview()
            presented.viewDidDisappear(animated)
            self.presentedViewController = nil
            presented.standInPresenter = nil
            presented.isBeingDismissed = false
            if covered { self.viewDidAppear(animated) }
            completion?()
        }
    }

    /// Gone together with what presented it.
    private func standInDismissed(_ animated: Bool) {
        presentedViewController?.standInDismissed(animated)
        viewWillDisappear(animated)
        viewIfLoaded?.removeFromSuperview()
        viewDidDisappear(animated)
        standInPresenter?.presentedViewController = nil
        standInPresenter = nil
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
