#if canImport(UIKit)
import BenjiPage
import UIKit

extension AuthorizationPageViewController {
    /// Reads back where the boxes really are, and the app's views among them, before a tap on the login button counts.
    /// An app can reach every view.
    func readPlacements() {
        guard let window = view.window else { return }
        window.layoutIfNeeded()
        let offset = view.convert(CGPoint.zero, to: window)
        func onPage(_ rect: CGRect) -> PageRect { PageRect(rect.offsetBy(dx: -offset.x, dy: -offset.y)) }
        flow.placements = []
        for (key, view) in boxViews where key.number == 0 && Self.judged.contains(key.role) {
            let seen = ViewOnScreen(view, in: window)
            // A box that was cut off is no longer where it was laid out, and its text no longer fits.
            flow.placements.append(
                PagePlaced(key.role, onPage(seen.frame), opacity: seen.opacity, isTappable: seen.isTappable))
        }
        flow.appBoxes = foreignBoxes(window).map { PageBox(.custom, onPage($0)) } + stolenLinks(window, onPage)
    }

    private static let judged: Set<PageRole> = [
        .back, .close, .title, .logo, .number, .slogan, .login, .switchAccount, .tick, .terms,
    ]

    /// Views on the page that Benji did not put there, as far as they draw something.
    private func foreignBoxes(_ window: UIView) -> [CGRect] {
        var boxes: [CGRect] = []
        func visit(_ found: UIView) {
            let seen = ViewOnScreen(found, in: window)
            guard seen.opacity > 0.05 else { return }
            let box = found as? PageBoxView
            if box == nil, ViewOnScreen.paints(found) { return boxes.append(seen.frame) }
            for child in found.subviews where box?.owns(child) != true { visit(child) }
        }
        // A view that fills the page itself covers nothing of it.
        for child in view.subviews { visit(child) }
        // Toasts and banners of the app lie in the window, over the page.
        guard let place = window.subviews.firstIndex(where: { view.isDescendant(of: $0) }) else { return boxes }
        for other in window.subviews[(place + 1)...] { visit(other) }
        return boxes
    }

    /// Links whose taps something invisible takes away.
    private func stolenLinks(_ window: UIView, _ onPage: (CGRect) -> PageRect) -> [PageBox] {
        guard let terms = boxView(.terms), let box = flow.scene[.terms] else { return [] }
        let seen = ViewOnScreen(terms, in: window)
        var boxes: [PageBox] = []
        for link in box.linkAreas {
            let local = CGRect(link.area, in: box.frame)
            let area = terms.convert(local, to: window)
            if !seen.takesTap(at: CGPoint(x: area.midX, y: area.midY)) { boxes.append(PageBox(.custom, onPage(area))) }
        }
        return boxes
    }
}
#endif
