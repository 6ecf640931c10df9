#if canImport(UIKit)
import BenjiPage
public import UIKit

extension AuthorizationPageViewController {
    /// Shows the page over a controller that is on screen, or pushes it onto its navigation stack, as the description
    /// says.
    ///
    /// When `host` is presenting something already, the page is shown over that.
    ///
    /// - Throws: why it was not shown. Nothing has changed then.
    public func show(from host: UIViewController, completion: (() -> Void)? = nil) throws(PagePresentationError) {
        guard flow.phase == .waiting, presentingViewController == nil, parent == nil else { throw .alreadyShown }
        let (top, window) = try host.topForPage()
        // The page is judged before anybody sees it, on the screen where it will be.
        send(.screenChanged(PageScreen(of: window, language: flow.screen.language)))
        if let refusal { throw .refused(refusal) }
        let presentation = flow.page.presentation
        guard presentation.style == .modal else {
            try top.push(page: self, animated: presentation.isAnimated)
            completion?()
            return
        }
        guard let animation = ownAnimation(flow.page.popup == nil ? presentation.arrival : popupArrival) else {
            top.present(self, animated: presentation.isAnimated, completion: completion)
            return
        }
        // A transition belongs to what holds the page, other animations to the page itself.
        if animation is CATransition { window.layer.add(animation, forKey: "benji.arrival") }
        top.present(self, animated: false, completion: completion)
        let moving: UIView = flow.page.popup == nil ? view : panel
        if !(animation is CATransition) { moving.layer.add(animation, forKey: "benji.arrival") }
    }

    /// Takes the page down, with whatever it has put over itself. Calling it again, or for a page that is gone, does no
    /// harm.
    ///
    /// A page that is still coming goes as soon as it has come: UIKit cannot do both at once.
    public func close(animated: Bool, completion: (() -> Void)? = nil) {
        visit.close(
            self, animated: animated, handler: closeHandler,
            dismiss: { [weak self] presenter, completion in
                self?.dismiss(from: presenter, animated: animated, completion: completion)
            }, completion: completion)
    }

    private func dismiss(from presenter: UIViewController, animated: Bool, completion: (() -> Void)?) {
        guard animated, let animation = ownAnimation(flow.page.presentation.departure) else {
            presenter.dismiss(animated: animated, completion: completion)
            return
        }
        if animation is CATransition {
            view.window?.layer.add(animation, forKey: "benji.departure")
            presenter.dismiss(animated: false, completion: completion)
            return
        }
        CATransaction.begin()
        CATransaction.setCompletionBlock { presenter.dismiss(animated: false, completion: completion) }
        view.layer.add(animation, forKey: "benji.departure")
        CATransaction.commit()
    }

    private var popupArrival: PageSlot? {
        flow.page.popup.flatMap { $0.animation == .custom ? $0.animationSlot : flow.page.presentation.arrival }
    }

    /// None for people who asked for less motion.
    private func ownAnimation(_ slot: PageSlot?) -> CAAnimation? {
        guard let slot, !UIAccessibility.isReduceMotionEnabled else { return nil }
        return supplies.animation(slot.name)
    }

    // MARK: - What UIKit wants to know beforehand

    func configurePresentation() {
        let page = flow.page
        let isPopup = page.popup != nil && page.presentation.style == .modal
        modalPresentationStyle = isPopup ? .overFullScreen : UIModalPresentationStyle(page.presentation.coverage)
        modalPresentationCapturesStatusBarAppearance = true
        modalTransitionStyle = .coverVertical
        switch page.popup?.animation {
        case .flipHorizontal?: modalTransitionStyle = .flipHorizontal
        case .crossDissolve?: modalTransitionStyle = .crossDissolve
        case .coverVertical?, .custom?, nil: break
        }
        if UIAccessibility.isReduceMotionEnabled { modalTransitionStyle = .crossDissolve }
        switch page.presentation.appearance {
        case .automatic: break
        case .light: overrideUserInterfaceStyle = .light
        case .dark: overrideUserInterfaceStyle = .dark
        }
    }

    // MARK: - Terms

    /// An item's own callback wins, then the app's for all terms, then Benji shows them.
    func open(_ link: PageTermsLink) {
        if let item = link.item, let own = callbacks.itemTapped[item] { return own(link, self) }
        if let app = callbacks.termsTapped { return app(link, self) }
        guard let url = URL(string: link.url) else { return }
        let terms = TermsViewController(
            url, title: link.title, page: flow.page.webPage, scene: flow.scene, supplies, fonts)
        terms.overrideUserInterfaceStyle = overrideUserInterfaceStyle
        terms.gone = { [weak self] in self?.termsWentAway() }
        if let stack = parent as? UINavigationController {
            stack.pushViewController(terms, animated: flow.page.presentation.isAnimated)
        } else if presentedViewController == nil {
            // Without a way back on the page it must be one that can be swiped away.
            terms.modalPresentationStyle = flow.page.webPage.back.isHidden ? .pageSheet : .fullScreen
            present(terms, animated: flow.page.presentation.isAnimated)
        }
    }
}

extension UIModalPresentationStyle {
    init(_ coverage: PageDescription.Presentation.Coverage) {
        switch coverage {
        case .fullScreen: self = .fullScreen
        case .overFullScreen: self = .overFullScreen
        case .pageSheet: self = .pageSheet
        case .formSheet: self = .formSheet
        }
    }
}

extension UIInterfaceOrientationMask {
    init(_ orientations: [PageDescription.Presentation.Orientation]) {
        self = []
        for orientation in orientations {
            switch orientation {
            case .portrait: insert(.portrait)
            case .portraitUpsideDown: insert(.portraitUpsideDown)
            case .landscapeLeft: insert(.landscapeLeft)
            case .landscapeRight: insert(.landscapeRight)
            }
        }
    }
}
#endif
