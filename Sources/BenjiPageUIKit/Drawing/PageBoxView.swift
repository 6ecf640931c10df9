#if canImport(UIKit)
import BenjiPage
import UIKit

/// Draws one box of a scene: fill, picture or the app's view, and text, each where the scene says.
final class PageBoxView: UIControl {
    let role: PageRole
    /// The part of the box that answers taps, in its own coordinates; may be larger than it.
    private var touchArea: CGRect?
    private let picture = UIImageView(frame: .zero)
    private let text = PageTextView(frame: .zero)
    private var supplied: UIView?
    private var suppliedName: String?

    /// A finger was put on it or taken off.
    var pressed: ((Bool) -> Void)?
    /// A link in its text was tapped.
    var linkTapped: ((Int) -> Void)? {
        get { text.linkTapped }
        set { text.linkTapped = newValue }
    }

    init(_ role: PageRole) {
        self.role = role
        super.init(frame: .zero)
        accessibilityIdentifier = "benji." + role.rawValue
        backgroundColor = .clear
        picture.contentMode = role == .backgroundImage ? .scaleAspectFill : .scaleToFill
        addSubview(picture)
        addSubview(text)
    }

    @available(*, unavailable) required init?(coder: NSCoder) { fatalError("boxes are made by the page") }

    /// The app's view in the box, if any.
    var content: UIView? { supplied }
    var image: UIImage? { picture.image }
    var drawnText: PageTextView { text }
    /// Whether a view in it is part of the box, and not something that the app has put there.
    func owns(_ view: UIView) -> Bool { view === picture || view === text || view === supplied }

    func apply(_ box: PageBox, _ fonts: PageFonts, frame: CGRect, pressedLinkColor: PageColor, keepsFrame: Bool) {
        if !keepsFrame { self.frame = frame }
        naturalSize = frame.size
        backgroundColor = UIColor(box.fill)
        alpha = CGFloat(box.opacity)
        isEnabled = box.isEnabled
        isSelected = box.isTicked == true
        layer.cornerRadius = CGFloat(box.cornerRadius)
        layer.maskedCorners = CACornerMask(box.corners)
        clipsToBounds = box.cornerRadius > 0 || role == .backgroundImage
        touchArea = box.hitArea.map { CGRect($0, in: box.frame) }
        if let block = box.text {
            text.show(block, fonts, pressedLinkColor: pressedLinkColor)
            text.frame = CGRect(
                x: box.textOrigin.width, y: box.textOrigin.height, width: block.width, height: block.height)
        }
        text.isHidden = box.text == nil
        text.takesTaps = role == .terms || role == .dialogTerms
        describe(box)
        setNeedsLayout()
    }

    func show(_ image: UIImage?, tint: UIColor?) {
        picture.image = image
        picture.tintColor = tint
        picture.isHidden = image == nil
    }

    /// The app's picture, or a symbol of the system's where the description names none.
    func showPicture(of box: PageBox, _ scene: PageScene, _ supplies: PageSupplies, tickColor: PageColor) {
        if let name = box.image { return show(supplies.image(name), tint: nil) }
        let symbol: String? =
            switch box.role {
            case .back: "chevron.backward"
            case .close: "xmark"
            case .tick: box.isTicked == true ? "checkmark.square.fill" : "square"
            default: nil
            }
        let ink = PageColor(scene.appearance == .dark ? 0xffffff : 0x000000)
        show(symbol.flatMap { UIImage(systemName: $0) }, tint: UIColor(box.isTicked == true ? tickColor : ink))
    }

    /// A GIF or a video.
    func showFilm(of box: PageBox, _ supplies: PageSupplies, repeats: Bool) {
        guard let name = box.slot else { return }
        fill(name) {
            guard let file = supplies.file(name) else { return nil }
            return box.role == .backgroundGIF
                ? AnimatedImageView(file, repeats: repeats) : VideoView(file, repeats: repeats)
        }
    }

    /// Puts a view of the app, a film or a spinner into the box, once for each name.
    func fill(_ name: String, with view: () -> UIView?) {
        guard suppliedName != name else { return }
        supplied?.removeFromSuperview()
        suppliedName = name
        supplied = view()
        guard let supplied else { return }
        supplied.frame = bounds
        supplied.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        insertSubview(supplied, aboveSubview: picture)
    }

    // MARK: - Size and touches

    private var naturalSize = CGSize.zero
    /// For apps that lay the page out by constraints: what the scene gave it.
    override var intrinsicContentSize: CGSize { naturalSize }

    override func layoutSubviews() {
        super.layoutSubviews()
        picture.frame = bounds
    }

    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        if let touchArea { return touchArea.contains(point) || super.point(inside: point, with: event) }
        return super.point(inside: point, with: event)
    }

    /// A box without a touch area lets taps through to the views behind. A mask takes them also where they close
    /// nothing: the app is notified of them.
    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        let hit = super.hitTest(point, with: event)
        return hit === self && touchArea == nil && role != .mask ? nil : hit
    }

    override var isHighlighted: Bool { didSet { if isHighlighted != oldValue { pressed?(isHighlighted) } } }

    // MARK: - For people who do not see it

    private func describe(_ box: PageBox) {
        let label = box.label.isEmpty ? box.text?.text ?? "" : box.label
        accessibilityLabel = label.isEmpty ? nil : label
        accessibilityTraits = traits(box)
        switch role {
        case .terms, .dialogTerms:
            isAccessibilityElement = false
            accessibilityElements = text.accessibilityElements
        case .custom, .navigationRight:
            // The app's own view speaks for itself, unless the page has words for it.
            isAccessibilityElement = !box.label.isEmpty
        case .background, .backgroundImage, .backgroundGIF, .backgroundVideo, .navigationBar, .loadingMask, .dialog,
            // The system's field in it speaks for itself.
            .numberField, .codeField:
            isAccessibilityElement = false
        default: isAccessibilityElement = !label.isEmpty
        }
    }

    private func traits(_ box: PageBox) -> UIAccessibilityTraits {
        var traits: UIAccessibilityTraits
        switch role {
        case .back, .close, .login, .sendCode, .switchAccount, .tick, .dialogAgree, .dialogDisagree, .mask, .dialogMask:
            traits = .button
        case .title, .dialogTitle: traits = .header
        case .logo: traits = .image
        case .loading: traits = .updatesFrequently
        default: traits = .staticText
        }
        if box.isTicked == true { traits.insert(.selected) }
        if !box.isEnabled { traits.insert(.notEnabled) }
        return traits
    }
}
#endif
