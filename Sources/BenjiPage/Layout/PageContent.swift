/// The content of a page, in words and without measures, and the description behind it. The authority can derive it
/// again, and a consent's content digest is computed from it. The page digest is computed from the description.
public struct PageContent: Hashable, Sendable {
    /// The placeholder for the number, so that the content is the same for every subscriber.
    public static let numberPlaceholder = "{number}"

    /// The role of a text; the names are those of a consent record.
    public enum Role: String, Hashable, Sendable, CaseIterable {
        case title, number, slogan, loginButton, switchButton, terms, hint, custom
    }

    /// A text and what it is for.
    public struct Text: Hashable, Sendable {
        /// Its role.
        public var role: Role
        /// Its text.
        public var text: String

        public init(role: Role, text: String) {
            self.role = role
            self.text = text
        }
    }

    /// The language shown.
    public var language: Language
    /// The version of the policy that carrier terms and slogan come from.
    public var policyVersion: String
    /// In reading order.
    public var texts: [Text]
    /// The linked terms in the order shown.
    public var links: [TextBlock.Link]
    /// First state of the tick.
    public var isInitiallyTicked: Bool
    /// The description of the page.
    public let page: PageDescription

    /// The content of a page in one language.
    public init(_ page: PageDescription, duties: CarrierDuties, language: Language) {
        self.page = page
        self.language = language
        policyVersion = duties.policyVersion
        isInitiallyTicked = page.terms.tick.isInitiallySet
        texts = []
        links = []
        let hasBar = (page.popup == nil || page.presentation.style == .push) && !page.navigationBar.isHidden
        if hasBar, let title = page.navigationBar.title { add(.title, title.style.text[language]) }
        add(.number, Self.numberPlaceholder)
        add(.slogan, duties.slogan)
        add(.loginButton, page.loginButton.title.text[language])
        if !page.switchButton.isHidden { add(.switchButton, page.switchButton.title.text[language]) }
        var sentence = ""
        for piece in page.terms.pieces(duties, language) {
            sentence += piece.text
            if let url = piece.url { links.append(TextBlock.Link(title: piece.text, url: url)) }
        }
        add(.terms, sentence)
        if page.terms.hint.isShown { add(.hint, page.terms.hint.text[language]) }
        for view in page.custom {
            if let label = view.label { add(.custom, label[language]) }
        }
    }

    init(
        page: PageDescription, language: Language, policyVersion: String, texts: [Text], links: [TextBlock.Link],
        isInitiallyTicked: Bool
    ) {
        self.page = page
        self.language = language
        self.policyVersion = policyVersion
        self.texts = texts
        self.links = links
        self.isInitiallyTicked = isInitiallyTicked
    }

    private mutating func add(_ role: Role, _ text: String) { texts.append(Text(role: role, text: text)) }
}
