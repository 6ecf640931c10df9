#if canImport(UIKit)
import UIKit

/// Lets people swipe back from a pushed page whose navigation bar is hidden: UIKit's own delegate refuses that.
@MainActor final class SwipeBack: NSObject, UIGestureRecognizerDelegate {
    private weak var stack: UINavigationController?
    private weak var former: (any UIGestureRecognizerDelegate)?
    private let isAllowed: @MainActor () -> Bool

    init(on stack: UINavigationController, isAllowed: @escaping @MainActor () -> Bool) {
        self.stack = stack
        self.isAllowed = isAllowed
        super.init()
        former = stack.interactivePopGestureRecognizer?.delegate
        stack.interactivePopGestureRecognizer?.delegate = self
    }

    /// Gives the stack its own delegate back, unless somebody else has put another there.
    func end() {
        guard let recognizer = stack?.interactivePopGestureRecognizer, recognizer.delegate === self else { return }
        recognizer.delegate = former
    }

    func gestureRecognizerShouldBegin(_ recognizer: UIGestureRecognizer) -> Bool {
        guard let stack, stack.viewControllers.count > 1, stack.transitionCoordinator == nil else { return false }
        return isAllowed()
    }
}
#endif
