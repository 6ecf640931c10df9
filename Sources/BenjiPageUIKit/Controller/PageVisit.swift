#if canImport(UIKit)
package import UIKit

/// A page's way onto the screen and off it, the same for every kind of page.
@MainActor package final class PageVisit {
    private var hidNavigationBar = false
    private weak var stack: UINavigationController?
    private var swipe: SwipeBack?
    private var isClosing = false
    private var closesWhenAppeared: (() -> Void)?

    package init() {}

    /// A pushed page has a bar of its own (a vendor's document). Where the stack's bar would let people swipe back,
    /// they still can.
    ///
    /// - Parameter mayGoBack: whether the page may be left by swiping.
    package func willAppear(
        _ page: UIViewController, _ animated: Bool, mayGoBack: @escaping @MainActor () -> Bool = { true }
    ) {
        guard let stack = page.parent as? UINavigationController, !stack.isNavigationBarHidden else { return }
        hidNavigationBar = true
        self.stack = stack
        stack.setNavigationBarHidden(true, animated: animated)
        if swipe == nil { swipe = SwipeBack(on: stack, isAllowed: mayGoBack) }
    }

    /// The page has left the screen for good, perhaps from under something that covered it.
    package func didLeave() {
        swipe?.end()
        swipe = nil
        guard hidNavigationBar else { return }
        hidNavigationBar = false
        stack?.setNavigationBarHidden(false, animated: false)
    }

    package func didAppear() {
        let close = closesWhenAppeared
        closesWhenAppeared = nil
        close?()
    }

    package func willDisappear(_ page: UIViewController, _ animated: Bool) {
        guard page.isLeaving, hidNavigationBar else { return }
        hidNavigationBar = false
        page.navigationController?.setNavigationBarHidden(false, animated: animated)
    }

    /// Takes a page down, with whatever it has put over itself. For one that is going or gone there is nothing to do.
    ///
    /// A page that is still coming goes as soon as it has come: UIKit cannot do both at once.
    ///
    /// - Parameters:
    ///   - handler: takes the page down in place of UIKit, where something else has brought it.
    ///   - dismiss: takes down what the controller is presenting; without it, UIKit's own.
    package func close(
        _ page: UIViewController, animated: Bool, handler: (() -> Void)? = nil,
        dismiss: ((UIViewController, _ completion: (() -> Void)?) -> Void)? = nil, completion: (() -> Void)?
    ) {
        guard !isClosing else {
            completion?()
            return
        }
        if page.isBeingPresented || page.isMovingToParent {
            closesWhenAppeared = { [weak self, weak page] in
                guard let self, let page else { return }
                close(page, animated: animated, handler: handler, dismiss: dismiss, completion: completion)
            }
            return
        }
        isClosing = true
        if let handler {
            handler()
            completion?()
        } else if let stack = page.parent as? UINavigationController {
            page.popPage(from: stack, animated: animated)
            completion?()
        } else if let presenter = page.presentingViewController {
            guard let dismiss else { return presenter.dismiss(animated: animated, completion: completion) }
            dismiss(presenter, completion)
        } else {
            isClosing = false
            completion?()
        }
    }
}
#endif
