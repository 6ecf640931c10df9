import Foundation

@MainActor open class UILabel: UIView {
    private var attributed: NSAttributedString?

    open var font: UIFont! = .systemFont(ofSize: 17)
    open var textColor: UIColor! = .black
    open var textAlignment = NSTextAlignment.natural
    open var numberOfLines = 1
    open var lineBreakMode = NSLineBreakMode.byTruncatingTail
    open var adjustsFontSizeToFitWidth = false
    open var adjustsFontForContentSizeCategory = false
    open var attributedText: NSAttributedString? {
        get { attributed }
        set { attributed = newValue }
    }
    open var text: String? {
        get { attributed?.string }
        set {
            attributed = newValue.map {
                NSAttributedString(string: $0, attributes: [.font: font as Any, .foregroundColor: textColor as Any])
            }
        }
    }
    open override var intrinsicContentSize: CGSize { attributed?.size() ?? .zero }
    /// As many lines as the text needs when it may have more than one. Breaks anywhere, so a line is never shorter than
    /// on a device.
    open override func sizeThatFits(_ size: CGSize) -> CGSize {
        let line = intrinsicContentSize
        guard numberOfLines != 1, size.width > 0, line.width > size.width else { return line }
        return CGSize(width: size.width, height: line.height * (line.width / size.width).rounded(.up))
    }

    public override init(frame: CGRect) {
        super.init(frame: frame)
        isUserInteractionEnabled = false
        isAccessibilityElement = true
    }

    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open override var accessibilityLabel: String? {
        get { super.accessibilityLabel ?? text }
        set { super.accessibilityLabel = newValue }
    }
}

@MainActor open class UIImageView: UIView {
    open var image: UIImage?
    open var animationImages: [UIImage]?
    open var isHighlighted = false

    public override init(frame: CGRect) {
        super.init(frame: frame)
        isUserInteractionEnabled = false
    }

    public convenience init(image: UIImage?) {
        self.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
        self.image = image
    }

    public required init?(coder: NSCoder) { super.init(coder: coder) }
}

@MainActor open class UIActivityIndicatorView: UIView {
    public enum Style: Int, Sendable {
        case medium = 100
        case large
    }

    open var style: Style
    open var color: UIColor! = .gray
    open var hidesWhenStopped = true
    open private(set) var isAnimating = false

    public init(style: Style) {
        self.style = style
        super.init(frame: CGRect(x: 0, y: 0, width: 37, height: 37))
    }

    public required init?(coder: NSCoder) { fatalError("the stand-in has no archives") }

    open func startAnimating() { isAnimating = true }
    open func stopAnimating() { isAnimating = false }
}

@MainActor open class UIScrollView: UIView {
    open var contentSize = CGSize.zero
    open var contentOffset = CGPoint.zero
    open var isScrollEnabled = true
}

@MainActor open class UIStackView: UIView {
    public private(set) var arrangedSubviews: [UIView] = []
    open func addArrangedSubview(_ view: UIView) {
        arrangedSubviews.append(view)
        addSubview(view)
    }
}

/// A text of the app's own page, of which links may be tapped.
@MainActor open class UITextView: UIScrollView {
    open var attributedText: NSAttributedString!
    open var isEditable = true
    open var isSelectable = true
    open var font: UIFont?
    open var textColor: UIColor?
    open var linkTextAttributes: [NSAttributedString.Key: Any]! = [.foregroundColor: UIColor.blue]
    open var text: String! {
        get { attributedText?.string }
        set {
            attributedText = NSAttributedString(
                string: newValue ?? "",
                attributes: [.font: font ?? .systemFont(ofSize: 12), .foregroundColor: textColor ?? .black])
        }
    }
}

public enum UIKeyboardType: Int, Sendable {
    case `default`
    case numberPad = 4
    case phonePad
}

public struct UITextContentType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let telephoneNumber = Self(rawValue: "tel")
    public static let oneTimeCode = Self(rawValue: "one-time-code")
}

@MainActor open class UITextField: UIControl {
    open override var canBecomeFirstResponder: Bool { true }
    open var text: String?
    open var placeholder: String?
    open var font: UIFont?
    open var textColor: UIColor?
    open var textAlignment = NSTextAlignment.natural
    open var borderStyle = BorderStyle.none
    open var adjustsFontForContentSizeCategory = false
    open var attributedPlaceholder: NSAttributedString?
    open var keyboardType = UIKeyboardType.default
    open var textContentType: UITextContentType!

    public enum BorderStyle: Int, Sendable { case none, line, bezel, roundedRect }

    /// Test hook: the person writes.
    public func standInType(_ text: String) {
        self.text = text
        sendActions(for: .editingChanged)
    }
}
