package import BenjiPage
import Requests

/// How an app looks on pages that are ours: notices, and pages where digits or a code are typed. It is what the
/// description of the app's login page says of emblem and colour.
package struct AppLook: Hashable, Sendable {
    /// The digest of its logo, if it has one.
    package var logo: String?
    /// The fill of its login button, opaque.
    package var fill: AdaptiveColor

    package init(logo: String?, fill: AdaptiveColor) {
        self.logo = logo
        self.fill = fill
    }

    /// - Parameter media: digests of the page's images, by name.
    package init(_ page: PageDescription, media: [String: String]) {
        logo = page.logo.isHidden ? nil : media[page.logo.image.name]
        let (fill, ground) = (page.loginButton.fills.normal, page.ground)
        self.fill = AdaptiveColor(light: fill.light.over(ground.light), dark: fill.dark.over(ground.dark))
    }
}

extension PageDescription {
    /// The colour under its controls, opaque.
    var ground: AdaptiveColor {
        let (paper, color) = (Background().color, background.color)
        return AdaptiveColor(light: color.light.over(paper.light), dark: color.dark.over(paper.dark))
    }

    /// The page in an app's colour: its login button, its links, the way to another account and the yes of its sheet.
    ///
    /// The colour is moved towards black or white until text can be read at 4.5:1 and the button differs from its
    /// ground.
    package func colored(_ color: PageColor) -> PageDescription {
        var page = self
        let ground = ground
        func each(_ color: (KeyPath<AdaptiveColor, PageColor>) -> PageColor) -> AdaptiveColor {
            AdaptiveColor(light: color(\.light), dark: color(\.dark))
        }
        let fill = each { color.differing(by: PageColor.leastOfShapes, from: ground[keyPath: $0]) }
        let text = each { fill[keyPath: $0].ink }
        page.loginButton.fills.normal = fill
        page.loginButton.fills.highlighted = each { fill[keyPath: $0].pressed }
        page.loginButton.title.color = text
        page.terms.linkColor = each { color.differing(by: PageColor.leastOfText, from: ground[keyPath: $0]) }
        page.switchButton.title.color = each { mode in
            let behind = switchButton.fill[keyPath: mode].over(ground[keyPath: mode])
            return color.differing(by: PageColor.leastOfText, from: behind)
        }
        page.consentDialog?.agreeFill = fill
        page.consentDialog?.agree.color = text
        return page
    }
}

extension PageColor {
    /// While a finger is on it.
    fileprivate var pressed: PageColor {
        PageColor(ink == PageColor(0xffffff) ? 0x000000 : 0xffffff, alpha: 48).over(self)
    }
}
