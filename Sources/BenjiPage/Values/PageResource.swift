/// An image that the app supplies under a name, with the size at which it is drawn by default.
///
/// In the vendors' models a `UIImage`; the description names it, and the app's bundle has it.
public struct PageImage: Hashable, Sendable, PageObject {
    /// A relative path such as `logo` or `brand/night.png`.
    public var name: String
    /// The image's own size in points.
    public var size: PageSize

    public init(_ name: String, width: Double, height: Double) {
        self.name = name
        size = PageSize(width, height)
    }

    init() { self.init("", width: 24, height: 24) }

    mutating func code(_ coder: inout PageCoder) throws(PageError) {
        try coder.string("name", &name, PageGrammar.resource)
        try coder.number("width", &size.width, in: 1...4096)
        try coder.number("height", &size.height, in: 1...4096)
    }
}

/// A place for something that only the app can make: a view or an animation.
public struct PageSlot: Hashable, Sendable, PageObject {
    /// The name under which the app supplies it.
    public var name: String
    /// How large it is, in points. An animation has no size.
    public var size: PageSize

    public init(_ name: String, width: Double = 0, height: Double = 0) {
        self.name = name
        size = PageSize(width, height)
    }

    init() { self.init("") }

    mutating func code(_ coder: inout PageCoder) throws(PageError) {
        try coder.string("name", &name, PageGrammar.resource)
        try coder.number("width", &size.width, in: 0...4096)
        try coder.number("height", &size.height, in: 0...4096)
    }
}

/// A size of text, whether it is bold, and the typeface if it is not the platform's own.
public struct PageFont: Hashable, Sendable, PageObject {
    /// Points, at the usual text size of the device.
    public var size: Double
    /// Whether the strokes are heavy.
    public var isBold: Bool
    /// The name of a typeface that the app supplies, such as `PingFangSC-Medium`; without one, the platform's own.
    /// Where the app's fonts are not, as on the web, the platform's own takes its place.
    public var typeface: String?

    public init(_ size: Double, isBold: Bool = false, typeface: String? = nil) {
        self.size = size
        self.isBold = isBold
        self.typeface = typeface
    }

    init() { self.init(15) }

    mutating func code(_ coder: inout PageCoder) throws(PageError) {
        try coder.number("size", &size, in: 1...200)
        try coder("bold", &isBold)
        try coder.string("typeface", &typeface, PageGrammar.resource)
    }
}

/// A text with its font and colour: what the documents pass as an `NSAttributedString`.
public struct StyledText: Hashable, Sendable, PageObject {
    /// The text.
    public var text: LocalizedText
    /// How large.
    public var font: PageFont
    /// In which colour.
    public var color: AdaptiveColor

    public init(_ text: LocalizedText, _ font: PageFont, _ color: AdaptiveColor) {
        self.text = text
        self.font = font
        self.color = color
    }

    init() { self.init(LocalizedText(""), PageFont(15), .ink) }

    mutating func code(_ coder: inout PageCoder) throws(PageError) {
        try coder("text", &text)
        try coder("font", &font)
        try coder("color", &color)
    }
}
