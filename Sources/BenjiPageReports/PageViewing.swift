public import BenjiPage

/// One way in which a page is looked at: by whose subscriber, and on which screen.
public struct PageViewing: Hashable, Sendable {
    /// The given name of the screen: `phone`, `430x932`.
    public var screenName: String
    /// The screen, with language and appearance.
    public var screen: PageScreen
    public var carrier: PageCarrier
    /// The carrier's requirements for the page.
    public var duties: CarrierDuties

    /// - Parameter duties: those of the standard policy if `nil`.
    public init(screenName: String, screen: PageScreen, carrier: PageCarrier, duties: CarrierDuties? = nil) {
        self.screenName = screenName
        self.screen = screen
        self.carrier = carrier
        self.duties = duties ?? .standard(carrier)
    }

    /// Every viewing of a page, where a request does not narrow them. They cover each carrier, the known screens to
    /// whose side it turns, each language, light and dark.
    public static func all(
        of page: PageDescription, by carriers: [(carrier: PageCarrier, duties: CarrierDuties)]
    ) -> [PageViewing] {
        NamedScreen.known.filter(page.isShown).flatMap { screen in
            carriers.flatMap { carrier, duties in
                Language.allCases.flatMap { language in
                    PageAppearance.allCases.map { appearance in
                        PageViewing(
                            screenName: screen.name,
                            screen: PageScreen(
                                screen.size.width, screen.size.height, safeArea: screen.safeArea, language: language,
                                appearance: appearance), carrier: carrier, duties: duties)
                    }
                }
            }
        }
    }

    /// A made-up number, and what the carrier asks.
    public var facts: PageFacts { PageFacts(carrier: carrier, maskedNumber: "138****0000", duties: duties) }

    /// The page as it appears, or with its tick changed to `isTicked`.
    public func scene(of page: PageDescription, isTicked: Bool? = nil) throws(PageError) -> PageScene {
        var state = PageState(of: page)
        if let isTicked { state.isTicked = isTicked }
        return try PageScene(page, facts: facts, state: state, screen: screen, measuredBy: AdvanceTable())
    }

    /// The page of a login by SMS that looks like `page`, as it appears, or with its tick changed to `isTicked`.
    public func sceneBySMS(of page: PageDescription, isTicked: Bool = false) throws(PageError) -> PageScene {
        var state = SMSPageState()
        state.isTicked = isTicked
        return try PageScene(bySMS: page, state: state, screen: screen, measuredBy: AdvanceTable())
    }

    /// Each dimension's name and value here.
    public var values: [(name: String, value: String)] {
        [
            ("screen", screenName), ("carrier", carrier.rawValue), ("language", screen.language.rawValue),
            ("appearance", screen.appearance.rawValue),
        ]
    }

    public var json: PageJSON { .object(values.map { PageJSON.Member($0.name, .string($0.value)) }) }

    /// Says in few words which of `all` viewings are meant.
    public static func summary(_ some: [PageViewing], of all: [PageViewing]) -> String {
        guard let first = some.first, some.count < all.count else { return "everywhere" }
        var parts: [String] = []
        var product = 1
        for (index, dimension) in first.values.enumerated() {
            let here = distinct(some.map { $0.values[index].value })
            product *= here.count
            if here.count < distinct(all.map { $0.values[index].value }).count {
                parts.append("\(dimension.name) \(here.joined(separator: ", "))")
            }
        }
        if product == some.count, !parts.isEmpty { return parts.joined(separator: "; ") }
        let example = first.values.map { $0.value }.joined(separator: ", ")
        return "\(some.count) of \(all.count) ways, such as \(example)"
    }

    private static func distinct(_ values: [String]) -> [String] {
        values.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

/// A screen by name, or by its measures.
public struct NamedScreen: Hashable, Sendable {
    public var name: String
    public var size: PageSize
    public var safeArea: PageInsets

    public init(name: String, size: PageSize, safeArea: PageInsets) {
        self.name = name
        self.size = size
        self.safeArea = safeArea
    }

    /// The screens that `--screen` knows: an old telephone, one of today upright and on its side, a tablet.
    public static let known = [
        NamedScreen(name: "small", size: PageSize(320, 568), safeArea: PageInsets(top: 20)),
        NamedScreen(name: "phone", size: PageSize(393, 852), safeArea: PageInsets(top: 59, bottom: 34)),
        NamedScreen(name: "side", size: PageSize(852, 393), safeArea: PageInsets(left: 59, bottom: 21, right: 59)),
        NamedScreen(name: "tablet", size: PageSize(768, 1024), safeArea: PageInsets(top: 24, bottom: 20)),
    ]

    public var isLandscape: Bool { size.width > size.height }
}

extension PageDescription {
    /// Whether the page turns to that side.
    public func isShown(on screen: NamedScreen) -> Bool {
        presentation.orientations.contains {
            switch $0 {
            case .portrait, .portraitUpsideDown: !screen.isLandscape
            case .landscapeLeft, .landscapeRight: screen.isLandscape
            }
        }
    }
}
