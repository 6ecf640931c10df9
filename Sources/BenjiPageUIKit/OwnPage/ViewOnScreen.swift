#if canImport(UIKit)
import BenjiPage
import UIKit

/// The visible part of a view, after all its containers have moved it and cut it off: its place and opacity. Also
/// whether a tap reaches it.
@MainActor struct ViewOnScreen {
    /// On the screen; empty when nothing of it is left.
    let frame: CGRect
    /// Everything of it before it was cut off.
    let whole: CGRect
    /// Its own and that of everything that it lies in.
    let opacity: Double
    private let view: UIView
    private let root: UIView

    /// - Parameter root: the window, or whatever else fills the screen.
    init(_ view: UIView, in root: UIView) {
        self.view = view
        self.root = root
        whole = view.convert(view.bounds, to: root)
        var visible = whole.intersection(root.bounds)
        var opacity = 1.0
        var next: UIView? = view
        while let current = next, current !== root {
            opacity *= current.isHidden ? 0 : Double(current.alpha)
            if current !== view, current.clipsToBounds {
                visible = visible.intersection(current.convert(current.bounds, to: root))
            }
            next = current.superview
        }
        frame = visible.isNull ? .zero : visible
        // Not in this tree at all.
        self.opacity = next == nil ? 0 : opacity
    }

    /// Whether a tap there reaches the view.
    func takesTap(at point: CGPoint) -> Bool { root.hitTest(point, with: nil)?.isDescendant(of: view) == true }

    /// Whether a tap in its middle does.
    var isTappable: Bool { opacity > 0.01 && takesTap(at: CGPoint(x: frame.midX, y: frame.midY)) }

    /// Whether it draws anything by itself, not counting what lies in it.
    static func paints(_ view: UIView) -> Bool {
        if let color = view.backgroundColor, PageColor(color, view.traitCollection).alpha > 12 { return true }
        switch view {
        case let label as UILabel: return label.text?.isEmpty == false
        case let text as UITextView: return text.text?.isEmpty == false
        case let picture as UIImageView: return picture.image != nil
        case let button as UIButton:
            return button.currentTitle?.isEmpty == false || button.currentImage != nil
                || button.currentBackgroundImage != nil
        default: return false
        }
    }
}
#endif
