import Testing

@testable import BenjiPage

@Suite struct PageArrangementTests {
    /// Windows of browsers, from the smallest telephone to a card on a desktop.
    private static let windows = [
        (320, 480), (360, 600), (393, 660), (390, 844), (430, 740), (430, 932), (600, 340), (760, 360),
    ]

    private static func scene(
        _ page: PageDescription, _ size: (Int, Int), _ carrier: PageCarrier = .mobile,
        _ language: Language = .simplifiedChinese,
        dialog: Bool = false
    ) throws -> PageScene {
        var state = PageState(of: page)
        state.isDialogShown = dialog
        let scenes = try PageScene.scenes(
            of: page, facts: .sample(carrier),
            for: [(state, PageScreen(Double(size.0), Double(size.1), language: language))],
            arranged: .parted, measuredBy: AdvanceTable())
        return scenes[0]
    }

    private static let large = PageDescription.usual.with { $0.number.font.size = 34 }

    @Test("parted, the terms stand right below the login button, and what is tapped stands at the lower edge")
    func parted() throws {
        for size in Self.windows where size.1 > size.0 {
            for hidesSwitch in [false, true] {
                let page = Self.large.with { $0.switchButton.isHidden = hidesSwitch }
                let scene = try Self.scene(page, size)
                let (login, terms) = (try #require(scene[.login]).frame, try #require(scene[.terms]).frame)
                #expect(abs(terms.y - login.maxY - 16) < 0.01, "\(size)")
                let lowest = scene[.switchAccount]?.frame.maxY ?? terms.maxY
                #expect(abs(lowest - (Double(size.1) - 20)) < 0.01, "\(size)")
                let logo = try #require(scene[.logo]).frame
                let slogan = try #require(scene[.slogan]).frame
                #expect(logo.y >= 44 && slogan.maxY < login.y)
                let (above, below) = (logo.y - 44, login.y - slogan.maxY)
                #expect(above > 0 && above < below, "the number a little above the middle: \(size)")
            }
        }
    }

    @Test(
        """
        parted, a page keeps every rule for all carriers, languages and windows, and so does the sheet's page behind it
        """
    )
    func rules() throws {
        for size in Self.windows {
            for carrier in PageCarrier.documented {
                for language in Language.allCases {
                    let findings = PageJudge().findings(
                        try Self.scene(Self.large, size, carrier, language), facts: .sample(carrier),
                        missingTick: PageJudge.MissingTick(of: Self.large))
                    #expect(findings == [], "\(size) \(carrier) \(language)")
                }
            }
        }
    }

    @Test("on its side, in a popup, and where the page places anything itself, everything stands as in a row")
    func row() throws {
        let placing: [(inout PageDescription) -> Void] = [
            { $0.logo.placement.portrait.top = 40 }, { $0.number.placement.portrait.center = 10 },
            { $0.slogan.placement.portrait.left = 8 },
            { $0.loginButton.placement = PagePlacement(width: 260, height: 44) },
            { $0.switchButton.placement.portrait.top = 300 }, { $0.terms.placement.portrait.top = 400 },
            { $0.custom = [.init(PageSlot("ad", width: 40, height: 40), placement: PagePlacement())] },
            { $0.popup = .init() },
        ]
        for change in placing {
            let page = PageDescription.usual.with(change)
            #expect(try Self.scene(page, (390, 844)) == page.scene(PageScreen(390, 844)))
        }
        #expect(try Self.scene(.usual, (760, 360)) == PageDescription.usual.scene(PageScreen(760, 360)))
        #expect(try Self.scene(.usual, (390, 844)) != PageDescription.usual.scene(PageScreen(390, 844)))
    }

    @Test("a dialog at the lower edge is a sheet as wide as a telephone, and one in the middle has its usual width")
    func sheet() throws {
        var page = PageDescription.usual
        page.consentDialog = .init()
        #expect(try Self.scene(page, (390, 844), dialog: true)[.dialog]?.frame.width == 300)
        page.consentDialog?.isAtBottom = true
        for (size, width) in [((320, 568), 288.0), ((390, 844), 358), ((820, 1180), 440)] {
            let sheet = try #require(try Self.scene(page, size, dialog: true)[.dialog]).frame
            #expect(sheet.width == width && sheet.maxY == Double(size.1) - 16)
        }
    }
}
