#if canImport(UIKit)
package import UIKit

/// A page's way onto the screen and off it, for every kind of page.
extension UIViewController {
    /// The controller over which a page of this one is shown: itself, or what it is presenting already.
    package func topForPage() throws(PagePresentationError) -> (controller: UIViewController, window: UIWindow) {
        var top = self
        while let next = top.presentedViewController, !next.isBeingDismissed { top = next }
        guard let window = top.viewIfLoaded?.window else { throw .hostNotOnScreen }
        guard !top.isBeingDismissed, !top.isBeingPresented, top.presentedViewController == nil else {
            throw .hostIsBusy
        }
        return (top, window)
    }

    /// Puts a page onto the navigation stack that this controller is, or is in.
    package func push(page: UIViewController, animated: Bool) throws(PagePresentationError) {
        guard let stack = self as? UINavigationController ?? navigationController else {
            throw .noNavigationController
        }
        stack.pushViewController(page, animated: animated)
    }

    /// Takes this page off a navigation stack, with whatever was pushed onto it.
    package func popPage(from stack: UINavigationController, animated: Bool) {
        guard let index = stack.viewControllers.firstIndex(of: self), index > 0 else { return }
        stack.popToViewController(stack.viewControllers[index - 1], animated: animated)
    }

    /// Whether this page is on its way out for good, and not only covered by something.
    package var isLeaving: Bool {
        isBeingDismissed || isMovingFromParent || navigationController?.isBeingDismissed == true
            || presentingViewController == nil && parent == nil
    }
}
#endif
