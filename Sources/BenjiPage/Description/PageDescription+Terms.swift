/// One of the app's own terms (`additionalPrivacyTerms`).
public struct PageTerm: Hashable, Sendable, PageObject {
    /// The text that is shown and tapped, with its 《》 where they are wanted.
    public var title: LocalizedText
    /// An `https` address.
    public var url: String
    /// Its place among the terms, in rising order. The carrier's terms have index 0. Of equal indices the one that is
    /// listed first comes first, the carrier's before all.
    public var index: Int

    public init(_ title: LocalizedText, url: String, index: Int = 1) {
        self.title = title
        self.url = url
        self.index = index
    }

    public init(_ title: String, url: String, index: Int = 1) {
        self.init(LocalizedText(title), url: url, index: index)
    }

    init() { self.init("", url: "") }

    mutating func code(_ coder: inout PageCoder) throws(PageError) {
        try coder.required("title", &title)
        try coder.string("url", &url, PageGrammar.address)
        guard index >= -1000, index <= 1000 else { throw coder.error("index", "must be a whole number within ±1000") }
        var number = Double(index)
        try coder.number("index", &number, in: -1000...1000)
        guard Double(Int(number)) == number else {
            throw coder.error("index", "must be a whole number within ±1000")
        }
        index = Int(number)
    }
}

extension PageDescription {
    /// Terms, tick and the hint for a missing tick.
    public struct Terms: Hashable, Sendable, PageObject {
        /// How the lines of the terms are set (`termsAlignment`).
        public enum Alignment: String, Hashable, Sendable, CaseIterable, PageWord { case left, center, right }

        /// The terms' movement when the tick is missing (`protocolShakeStyle`).
        public enum Shake: String, Hashable, Sendable, CaseIterable, PageWord { case none, horizontal, vertical }

        /// The app's own terms.
        public var items: [PageTerm] = []
        /// The words around the titles: before the first, between the first two, between the next two and so on, behind
        /// the last (`auxiliaryPrivacyWords`). Four or more; the last joint is used again where more are needed.
        public var words: [LocalizedText] = [
            LocalizedText("登录即同意", "登入即同意", "By logging in you agree to the "),
            LocalizedText("和", "和", " and "), LocalizedText("、", "、", ", "),
            LocalizedText("并使用本机号码登录", "並使用本機號碼登入", " and to logging in with this phone's number"),
        ]
        /// Whether the carrier's title stands in 《》 (`hasQuotationMarkOnCarrierProtocol`).
        public var quotesCarrierTerms = true
        /// How the lines are set.
        public var alignment = Alignment.left
        /// How large (`privacyTermsAttributes`).
        public var font = PageFont(12)
        /// The colour of the words (`termTextColor`).
        public var color = AdaptiveColor.secondaryInk
        /// The colour of the titles (`privacyTermsAttributes`).
        public var linkColor = AdaptiveColor.accent
        /// The colour of a title while a finger is on it (`activeLinkAttributes`).
        public var pressedLinkColor = AdaptiveColor(0xff0000, dark: 0xff453a)
        /// Whether titles are underlined (`privacyTermsAttributes`).
        public var isUnderlined = false
        /// Points from one line to the next; none: chosen by the size of the text (`termsLineSpacingExtra`).
        public var lineHeight: Double?
        /// Where the text stands (`termsRect`). A size counts only when it is above 50 × 20.
        public var placement = PagePlacement()
        /// The tick.
        public var tick = Tick()
        /// The hint for a tap on the login button without a tick.
        public var hint = Hint()
        /// The terms' movement at the same moment.
        public var shake = Shake.none

        public init() {}

        mutating func code(_ coder: inout PageCoder) throws(PageError) {
            try coder("items", &items, limit: 16)
            var glue = words.map { JoinerText(text: $0) }
            try coder("words", &glue, limit: 32, least: 4)
            words = glue.map { $0.text }
            try coder("quotesCarrierTerms", &quotesCarrierTerms)
            try coder("alignment", &alignment)
            try coder("font", &font)
            try coder("color", &color)
            try coder("linkColor", &linkColor)
            try coder("pressedLinkColor", &pressedLinkColor)
            try coder("underlined", &isUnderlined)
            try coder.number("lineHeight", &lineHeight, in: 1...400)
            try coder("placement", &placement)
            try coder("tick", &tick)
            try coder("hint", &hint)
            try coder("shake", &shake)
        }
    }

    /// The box in which the person says yes.
    public struct Tick: Hashable, Sendable, PageObject {
        /// Whether it is set before anybody touched it (`defaultCheckBoxState`). Two vendors' documents say yes; the
        /// law and today's rules say no.
        public var isInitiallySet = false
        /// Points, width and height (`checkBoxSize`).
        public var size = 16.0
        /// Points between it and the text (`spaceBetweenCheckboxAndTermsText`).
        public var gap = 6.0
        /// Its picture when set (`checkedImage`); without one, a tick that the renderer draws.
        public var setImage: PageImage?
        /// Its picture when not set (`uncheckedImage`).
        public var unsetImage: PageImage?

        public init() {}

        mutating func code(_ coder: inout PageCoder) throws(PageError) {
            try coder("initiallySet", &isInitiallySet)
            try coder.number("size", &size, in: 1...200)
            try coder.number("gap", &gap, in: 0...200)
            try coder("setImage", &setImage)
            try coder("unsetImage", &unsetImage)
        }
    }

    /// The hint for a tap on the login button without a tick.
    public struct Hint: Hashable, Sendable, PageObject {
        /// Whether Benji says it (`showNotCheckProtocolHint`). An app that says it itself supplies a callback.
        public var isShown = true
        /// The hint's text (`notCheckProtocolHint`).
        public var text = LocalizedText("请同意服务条款", "請同意服務條款", "Please agree to the terms")
        /// Points by which it stands below the middle of the page; above when negative (`protocolHintOffsetY`).
        public var offset = 0.0

        public init() {}

        mutating func code(_ coder: inout PageCoder) throws(PageError) {
            try coder("shown", &isShown)
            try coder("text", &text)
            try coder.number("offset", &offset, in: -10_000...10_000)
        }
    }
}
