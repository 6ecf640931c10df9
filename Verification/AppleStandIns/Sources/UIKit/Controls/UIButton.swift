import Foundation

/// A button of the app's own page, or of a bar.
@MainActor open class UIButton: UIControl {
    public enum ButtonType: Int, Sendable { case custom, system }

    open private(set) var titleLabel: UILabel? = UILabel(frame: .zero)
    open private(set) var imageView: UIImageView? = UIImageView(frame: .zero)
    private var titles: [State: NSAttributedString] = [:]
    private var colors: [State: UIColor] = [:]
    private var images: [State: UIImage] = [:]
    private var backgrounds: [State: UIImage] = [:]

    public override init(frame: CGRect) {
        super.init(frame: frame)
        isAccessibilityElement = true
        accessibilityTraits = .button
    }

    public convenience init(type: ButtonType) { self.init(frame: .zero) }

    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open func setTitle(_ title: String?, for state: State) {
        titles[state] = title.map { NSAttributedString(string: $0) }
        show()
    }
    open func setAttributedTitle(_ title: NSAttributedString?, for state: State) {
        titles[state] = title
        show()
    }
    open func setTitleColor(_ color: UIColor?, for state: State) {
        colors[state] = color
        show()
    }
    open func setImage(_ image: UIImage?, for state: State) { images[state] = image }
    open func setBackgroundImage(_ image: UIImage?, for state: State) { backgrounds[state] = image }
    open func title(for state: State) -> String? { titles[state]?.string }
    open func image(for state: State) -> UIImage? { images[state] }
    open func backgroundImage(for state: State) -> UIImage? { backgrounds[state] }
    open var currentTitle: String? { (titles[state] ?? titles[.normal])?.string }
    open var currentAttributedTitle: NSAttributedString? { titles[state] ?? titles[.normal] }
    open var currentTitleColor: UIColor { colors[state] ?? colors[.normal] ?? .white }
    open var currentImage: UIImage? { images[state] ?? images[.normal] }
    open var currentBackgroundImage: UIImage? { backgrounds[state] ?? backgrounds[.normal] }

    private func show() {
        titleLabel?.textColor = currentTitleColor
        titleLabel?.attributedText = currentAttributedTitle
        titleLabel?.text = currentTitle
    }

    open override var accessibilityLabel: String? {
        get { super.accessibilityLabel ?? currentTitle }
        set { super.accessibilityLabel = newValue }
    }
}

@MainActor open class UIBarButtonItem: NSObject {
    open var title: String?
    open var image: UIImage?
    open var primaryAction: UIAction?
    open var customView: UIView?
    open var accessibilityLabel: String?

    public init(title: String? = nil, image: UIImage? = nil, primaryAction: UIAction? = nil, menu: NSObject? = nil) {
        self.title = title
        self.image = image
        self.primaryAction = primaryAction
    }

    public init(customView: UIView) { self.customView = customView }

    /// Test hook.
    public func standInTap() { primaryAction.map { $0.handler($0) } }
}

@MainActor open class UINavigationItem: NSObject {
    open var title: String?
    open var titleView: UIView?
    open var leftBarButtonItem: UIBarButtonItem?
    open var rightBarButtonItem: UIBarButtonItem?
    open var hidesBackButton = false
}
