/// Where a control stands: the `OLRect` of two vendors' documents.
///
/// Left out means the default. The documents say the same with values that are not above zero; a facade leaves those
/// out.
public struct PagePlacement: Hashable, Sendable, PageObject {
    /// The distances of one orientation.
    public struct Offsets: Hashable, Sendable, PageObject {
        /// Points from the lower edge of the navigation bar. Without one: in portrait from the lower edge of the status
        /// bar, in landscape from the top of the screen. In a popup: from its top.
        public var top: Double?
        /// Points from the middle of the screen or popup to the middle of the control; to the left when negative.
        public var center: Double
        /// Points from the left edge of the screen or popup. Wins over ``center``.
        public var left: Double?

        public init(top: Double? = nil, center: Double = 0, left: Double? = nil) {
            self.top = top
            self.center = center
            self.left = left
        }

        /// Everything at its default.
        public init() { self.init(top: nil) }

        mutating func code(_ coder: inout PageCoder) throws(PageError) {
            try coder.number("top", &top, in: 0...10_000)
            try coder.number("center", &center, in: -10_000...10_000)
            try coder.number("left", &left, in: 0...10_000)
        }
    }

    /// When the screen is at least as high as wide.
    public var portrait: Offsets
    /// When it is wider than high.
    public var landscape: Offsets
    /// Points. Counts only together with ``height``.
    public var width: Double?
    /// Points. Counts only together with ``width``.
    public var height: Double?

    public init(
        portrait: Offsets = Offsets(), landscape: Offsets = Offsets(), width: Double? = nil, height: Double? = nil
    ) {
        self.portrait = portrait
        self.landscape = landscape
        self.width = width
        self.height = height
    }

    /// Everything at its default.
    public init() { self.init(portrait: Offsets()) }

    mutating func code(_ coder: inout PageCoder) throws(PageError) {
        try coder("portrait", &portrait)
        try coder("landscape", &landscape)
        try coder.number("width", &width, in: 0...10_000)
        try coder.number("height", &height, in: 0...10_000)
    }

    /// The size that was asked for: none unless both sides are above zero.
    public var size: PageSize? {
        guard let width, let height, width > 0, height > 0 else { return nil }
        return PageSize(width, height)
    }
}
