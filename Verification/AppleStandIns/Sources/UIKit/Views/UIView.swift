import Foundation

/// A rectangle in a tree of rectangles. Geometry, hit testing, layout passes and safe areas follow UIKit; nothing is
/// drawn.
@MainActor open class UIView: UIResponder {
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let flexibleWidth = Self(rawValue: 1 << 1)
        public static let flexibleHeight = Self(rawValue: 1 << 4)
    }

    public enum ContentMode: Int, Sendable { case scaleToFill, scaleAspectFit, scaleAspectFill, redraw, center }

    public enum TintAdjustmentMode: Int, Sendable { case automatic, normal, dimmed }

    public init(frame: CGRect) {
        self.frame = frame
        super.init()
        layer = (type(of: self).layerClass as? CALayer.Type ?? CALayer.self).init()
    }

    public required init?(coder: NSCoder) { fatalError("the stand-in has no archives") }

    public convenience override init() { self.init(frame: .zero) }

    open class var layerClass: AnyClass { CALayer.self }
    public private(set) var layer: CALayer = CALayer()

    // MARK: - Geometry

    open var frame: CGRect {
        didSet { if frame.size != oldValue.size { resized(from: oldValue.size) } }
    }
    open var bounds: CGRect {
        get { CGRect(origin: .zero, size: frame.size) }
        set { frame.size = newValue.size }
    }
    open var center: CGPoint {
        get { CGPoint(x: frame.midX, y: frame.midY) }
        set { frame.origin = CGPoint(x: newValue.x - frame.width / 2, y: newValue.y - frame.height / 2) }
    }
    open var transform = CGAffineTransform.identity
    open var autoresizingMask: AutoresizingMask = []
    open var autoresizesSubviews = true
    open var translatesAutoresizingMaskIntoConstraints = true
    open var intrinsicContentSize: CGSize { CGSize(width: -1, height: -1) }
    open func invalidateIntrinsicContentSize() {}
    open func sizeThatFits(_ size: CGSize) -> CGSize { frame.size }
    open func sizeToFit() { frame.size = sizeThatFits(frame.size) }

    private func resized(from old: CGSize) {
        setNeedsLayout()
        guard autoresizesSubviews else { return }
        for view in subviews {
            var next = view.frame
            if view.autoresizingMask.contains(.flexibleWidth) { next.size.width += frame.width - old.width }
            if view.autoresizingMask.contains(.flexibleHeight) { next.size.height += frame.height - old.height }
            if next != view.frame { view.frame = next }
        }
    }

    /// The place of a point of this view in another one, or in the window. Transforms of this view and its superviews
    /// count, about their middles.
    open func convert(_ point: CGPoint, to view: UIView?) -> CGPoint {
        let inRoot = inRoot(point)
        guard let view else { return inRoot }
        return view.fromRoot(inRoot)
    }

    open func convert(_ rect: CGRect, to view: UIView?) -> CGRect {
        let first = convert(rect.origin, to: view)
        let last = convert(CGPoint(x: rect.maxX, y: rect.maxY), to: view)
        return CGRect(
            x: min(first.x, last.x), y: min(first.y, last.y), width: abs(last.x - first.x),
            height: abs(last.y - first.y))
    }

    open func convert(_ point: CGPoint, from view: UIView?) -> CGPoint {
        view?.convert(point, to: self) ?? fromRoot(point)
    }

    open func convert(_ rect: CGRect, from view: UIView?) -> CGRect {
        if let view { return view.convert(rect, to: self) }
        return CGRect(origin: fromRoot(rect.origin), size: rect.size)
    }

    private func inRoot(_ point: CGPoint) -> CGPoint {
        var point = point
        var view: UIView? = self
        while let current = view {
            let middle = CGPoint(x: current.frame.width / 2, y: current.frame.height / 2)
            let turned = CGPoint(x: point.x - middle.x, y: point.y - middle.y).applying(current.transform)
            point = CGPoint(x: turned.x + middle.x + current.frame.minX, y: turned.y + middle.y + current.frame.minY)
            view = current.superview
        }
        return point
    }

    private func fromRoot(_ point: CGPoint) -> CGPoint {
        let origin = inRoot(.zero)
        return CGPoint(x: point.x - origin.x, y: point.y - origin.y)
    }

    // MARK: - Looks

    open var backgroundColor: UIColor?
    @discardableResult
    open func endEditing(_ force: Bool) -> Bool {
        if isFirstResponder { return resignFirstResponder() }
        return subviews.contains { $0.endEditing(force) }
    }

    open var tintColor: UIColor! = .blue
    open var alpha: CGFloat = 1
    open var isHidden = false
    open var isOpaque = true
    open var clipsToBounds: Bool {
        get { layer.masksToBounds }
        set { layer.masksToBounds = newValue }
    }
    open var contentMode = ContentMode.scaleToFill
    open var mask: UIView?
    open var tag = 0
    open func viewWithTag(_ tag: Int) -> UIView? {
        if self.tag == tag { return self }
        for view in subviews { if let found = view.viewWithTag(tag) { return found } }
        return nil
    }
    open func setNeedsDisplay() {}

    open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified { didSet { spreadTraits() } }
    open var traitCollection: UITraitCollection {
        let above = superview?.traitCollection ?? UITraitCollection()
        return (standInController?.traitCollection ?? above).with(overrideUserInterfaceStyle)
    }
    private var lastTraits: UITraitCollection?
    open func traitCollectionDidChange(_ previous: UITraitCollection?) {}

    /// Notifies the views and controllers whose traits have changed.
    func spreadTraits() {
        let now = traitCollection
        if let last = lastTraits, !last.isEqual(now) {
            lastTraits = now
            standInController?.traitCollectionDidChange(last)
            traitCollectionDidChange(last)
        }
        lastTraits = now
        for view in subviews { view.spreadTraits() }
    }

    // MARK: - The tree

    open private(set) var subviews: [UIView] = []
    open private(set) weak var superview: UIView?
    /// The controller whose view this is.
    weak var standInController: UIViewController?

    open var window: UIWindow? { superview?.window }
    open override var next: UIResponder? { standInController ?? superview }

    open func addSubview(_ view: UIView) { insert(view, at: subviews.count) }
    open func insertSubview(_ view: UIView, at index: Int) { insert(view, at: index) }
    open func insertSubview(_ view: UIView, belowSubview other: UIView) {
        insert(view, at: subviews.firstIndex { $0 === other } ?? 0)
    }
    open func insertSubview(_ view: UIView, aboveSubview other: UIView) {
        insert(view, at: (subviews.firstIndex { $0 === other } ?? subviews.count - 1) + 1)
    }

    private func insert(_ view: UIView, at index: Int) {
        precondition(view !== self, "a view cannot be its own subview")
        let before = subviews.firstIndex { $0 === view }
        var index = index
        if let before, before < index { index -= 1 }
        view.willMove(toSuperview: self)
        view.detach()
        subviews.insert(view, at: min(index, subviews.count))
        view.superview = self
        view.didMoveToSuperview()
        view.moved()
        view.spreadTraits()
        setNeedsLayout()
        view.setNeedsLayout()
    }

    private func detach() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }

    private func moved() {
        didMoveToWindow()
        for view in subviews { view.moved() }
    }

    open func removeFromSuperview() {
        guard let superview else { return }
        willMove(toSuperview: nil)
        superview.setNeedsLayout()
        detach()
        didMoveToSuperview()
        moved()
    }

    open func bringSubviewToFront(_ view: UIView) { insert(view, at: subviews.count) }
    open func sendSubviewToBack(_ view: UIView) { insert(view, at: 0) }
    open func willMove(toSuperview: UIView?) {}
    open func didMoveToSuperview() {}
    open func didMoveToWindow() {}
    open func isDescendant(of view: UIView) -> Bool {
        self === view || superview?.isDescendant(of: view) == true
    }

    // MARK: - Layout

    private(set) var needsLayout = true
    open func setNeedsLayout() { needsLayout = true }
    open func layoutSubviews() {}

    open func layoutIfNeeded() {
        // A pass may ask for another one; UIKit too gives up in the end.
        for _ in 0..<8 where needsLayout {
            needsLayout = false
            standInController?.viewWillLayoutSubviews()
            layoutSubviews()
            standInController?.viewDidLayoutSubviews()
        }
        for view in subviews { view.layoutIfNeeded() }
    }

    /// The parts of this view outside the window's safe area, with the insets that the controller adds.
    open var safeAreaInsets: UIEdgeInsets {
        guard let window else { return .zero }
        let place = convert(bounds, to: window)
        let safe = window.bounds.inset(by: window.standInSafeArea)
        var insets = UIEdgeInsets(
            top: max(0, safe.minY - place.minY), left: max(0, safe.minX - place.minX),
            bottom: max(0, place.maxY - safe.maxY), right: max(0, place.maxX - safe.maxX))
        let added = standInController?.standInAddedSafeArea ?? .zero
        insets.top += added.top
        insets.bottom += added.bottom
        insets.left += added.left
        insets.right += added.right
        return insets
    }
    open func safeAreaInsetsDidChange() {}

    func spreadSafeArea() {
        safeAreaInsetsDidChange()
        standInController?.viewSafeAreaInsetsDidChange()
        setNeedsLayout()
        for view in subviews { view.spreadSafeArea() }
    }

    // MARK: - Touches

    open var isUserInteractionEnabled = true
    open var isMultipleTouchEnabled = false
    open var isExclusiveTouch = false
    open private(set) var gestureRecognizers: [UIGestureRecognizer]?
    open func addGestureRecognizer(_ recognizer: UIGestureRecognizer) {
        gestureRecognizers = (gestureRecognizers ?? []) + [recognizer]
    }

    open func point(inside point: CGPoint, with event: UIEvent?) -> Bool { bounds.contains(point) }

    open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        guard !isHidden, alpha > 0.01, isUserInteractionEnabled, self.point(inside: point, with: event) else {
            return nil
        }
        for view in subviews.reversed() {
            if let hit = view.hitTest(view.convert(point, from: self), with: event) { return hit }
        }
        return self
    }

    // MARK: - Accessibility

    open var isAccessibilityElement = false
    open var accessibilityIdentifier: String?
    open var accessibilityLabel: String?
    open var accessibilityValue: String?
    open var accessibilityHint: String?
    open var accessibilityTraits: UIAccessibilityTraits = []
    open var accessibilityElements: [Any]?
    open var accessibilityElementsHidden = false
    open var accessibilityViewIsModal = false
    open var shouldGroupAccessibilityChildren = false
    open var accessibilityFrame: CGRect {
        get { convert(bounds, to: nil) }
        set { _ = newValue }
    }
}

@MainActor open class UIGestureRecognizer: NSObject {
    open var isEnabled = true
    open weak var delegate: (any UIGestureRecognizerDelegate)?
}

@MainActor public protocol UIGestureRecognizerDelegate: NSObjectProtocol {
    func gestureRecognizerShouldBegin(_ recognizer: UIGestureRecognizer) -> Bool
}

extension UIGestureRecognizerDelegate {
    public func gestureRecognizerShouldBegin(_ recognizer: UIGestureRecognizer) -> Bool { true }
}
