import Administration
import ArgumentParser
import BenjiPage
import BenjiPageReports

/// On which screens a page is looked at.
struct PageScreenOptions: ParsableArguments {
    @Option(
        name: .customLong("screen"),
        help: ArgumentHelp(
            """
            small (320x568), phone (393x852), side (852x393), tablet (768x1024), or WIDTHxHEIGHT in points. May be \
            given several \
            times.
            """, valueName: "name"), transform: NamedScreen.read)
    var chosen: [NamedScreen] = []
    @Option(
        help: ArgumentHelp(
            "What notch and home indicator take of the screens: top,left,bottom,right in points.", valueName: "points"),
        transform: NamedScreen.insets)
    var safeArea: PageInsets?
    @Option(help: "Size of text, 1 to 3 times the usual one, as the device's owner chose.")
    var textScale = 1.0

    func validate() throws {
        guard (1...3).contains(textScale) else { throw ValidationError("--text-scale: 1 to 3") }
    }

    /// The chosen screens, or else `usual`.
    func screens(or usual: [NamedScreen]) -> [NamedScreen] {
        (chosen.isEmpty ? usual : chosen).map { screen in
            var screen = screen
            screen.safeArea = safeArea ?? screen.safeArea
            return screen
        }
    }

    /// A page looked at in one way.
    func viewing(
        _ screen: NamedScreen, _ carrier: PageCarrier, _ language: Language, _ appearance: PageAppearance
    ) -> PageViewing {
        PageViewing(
            screenName: screen.name,
            screen: PageScreen(
                screen.size.width, screen.size.height, safeArea: screen.safeArea, language: language,
                appearance: appearance, textScale: textScale), carrier: carrier)
    }
}

/// In which ways a page is looked at: all of them unless narrowed.
struct PageRangeOptions: ParsableArguments {
    @OptionGroup var screen: PageScreenOptions
    @Option(help: "Only for mobile, unicom, telecom or other. May be given several times.") var carrier: [PageCarrier] =
        []
    @Option(help: "Only in zh-Hans, zh-Hant or en. May be given several times.") var language: [Language] = []
    @Option(help: "Only light or dark.") var appearance: [PageAppearance] = []

    /// Every combination. The known screens count only in orientations in which one of the pages is shown.
    func viewings(of pages: [PageDescription]) -> [PageViewing] {
        let usual = NamedScreen.known.filter { screen in pages.contains { $0.isShown(on: screen) } }
        var viewings: [PageViewing] = []
        for screen in self.screen.screens(or: usual) {
            for carrier in carrier.isEmpty ? PageCarrier.documented : carrier {
                for language in language.isEmpty ? Language.allCases : language {
                    for appearance in appearance.isEmpty ? PageAppearance.allCases : appearance {
                        viewings.append(self.screen.viewing(screen, carrier, language, appearance))
                    }
                }
            }
        }
        var seen: Set<PageViewing> = []
        return viewings.filter { seen.insert($0).inserted }
    }
}
