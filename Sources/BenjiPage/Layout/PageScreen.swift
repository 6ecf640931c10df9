/// The screen on which a page is shown, and how its owner set the device.
public struct PageScreen: Hashable, Sendable, PageObject {
    /// Points.
    public var size: PageSize
    /// The insets of status bar, notch, rounded corners and home indicator.
    public var safeArea: PageInsets
    /// In which language.
    public var language: Language
    /// Light or dark, unless the page decides.
    public var appearance: PageAppearance
    /// How many times its usual size text shall have (Dynamic Type), 1 to 3. A page that would not fit takes less.
    public var textScale: Double

    public init(
        _ width: Double, _ height: Double, safeArea: PageInsets = PageInsets(),
        language: Language = .simplifiedChinese, appearance: PageAppearance = .light, textScale: Double = 1
    ) {
        size = PageSize(width, height)
        self.safeArea = safeArea
        self.language = language
        self.appearance = appearance
        self.textScale = textScale
    }

    init() { self.init(375, 667, safeArea: PageInsets(top: 20)) }

    /// Reads and checks a screen.
    public init(_ json: PageJSON) throws(PageError) { try self.init(json, at: "$screen") }

    /// As ``init(_:)``, for JSON that stands at a path of a larger value, which errors name.
    package init(_ json: PageJSON, at path: String) throws(PageError) { self = try PageScreen.read(json, at: path) }

    /// The screen as JSON. Refused when reading would refuse it.
    public func json() throws(PageError) -> PageJSON { try written(at: "$screen") }

    /// Wider than high.
    public var isLandscape: Bool { size.width > size.height }

    mutating func code(_ coder: inout PageCoder) throws(PageError) {
        try coder.number("width", &size.width, in: 100...10_000)
        try coder.number("height", &size.height, in: 100...10_000)
        try coder.number("safeTop", &safeArea.top, in: 0...400)
        try coder.number("safeLeft", &safeArea.left, in: 0...400)
        try coder.number("safeBottom", &safeArea.bottom, in: 0...400)
        try coder.number("safeRight", &safeArea.right, in: 0...400)
        try coder("language", &language)
        try coder("appearance", &appearance)
        try coder.number("textScale", &textScale, in: 1...3)
    }
}
