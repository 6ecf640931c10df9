public import BenjiPage

extension PageDescription {
    /// The least contrast of text to its background (WCAG 2.2, 1.4.3).
    static let readableContrast = 4.5

    /// A page that begins with an app's colour. Button, links and the way to another account have it, as far as it is
    /// legible in light and dark. The page has two terms whose addresses the app must replace.
    ///
    /// - Parameter brand: the app's colour; its opacity does not count.
    public init(brand: PageColor) {
        self.init(terms: Self.usualTerms)
        let brand = PageColor(UInt32(brand.red) << 16 | UInt32(brand.green) << 8 | UInt32(brand.blue))
        let paper = background.color
        // A button must differ from its page as well (WCAG 2.2, 1.4.11).
        let fill = AdaptiveColor(
            light: brand.readable(on: paper.light, contrast: 3), dark: brand.readable(on: paper.dark, contrast: 3))
        loginButton.fills.normal = fill
        loginButton.title.color = AdaptiveColor(light: fill.light.inkOn, dark: fill.dark.inkOn)
        loginButton.fills.highlighted = AdaptiveColor(
            light: fill.light.pressed(under: fill.light.inkOn), dark: fill.dark.pressed(under: fill.dark.inkOn))
        loginButton.fills.disabled = AdaptiveColor(
            light: PageColor(0x9a9a9f).readable(on: fill.light.inkOn),
            dark: PageColor(0x6a6a6f).readable(on: fill.dark.inkOn))
        loginButton.cornerRadius = 10
        let link = AdaptiveColor(light: brand.readable(on: paper.light), dark: brand.readable(on: paper.dark))
        terms.linkColor = link
        switchButton.title.color = link
    }

    /// Terms that every page needs, with addresses that the app must replace.
    static let usualTerms = [
        PageTerm(LocalizedText("《用户协议》", "《使用者協議》", "User Agreement"), url: "https://app.example/agreement"),
        PageTerm(LocalizedText("《隐私政策》", "《隱私政策》", "Privacy Policy"), url: "https://app.example/privacy"),
    ]
}

extension PageColor {
    static let black = PageColor(0x000000)
    static let white = PageColor(0xffffff)

    /// White where it can be read on this opaque colour, black otherwise. One of both always can.
    var inkOn: PageColor { contrast(to: .white) >= PageDescription.readableContrast ? .white : .black }

    /// This colour, or the nearest darker or lighter one, of that contrast to `back`.
    func readable(on back: PageColor, contrast wanted: Double = PageDescription.readableContrast) -> PageColor {
        var solid = self
        solid.alpha = 255
        // Away from the background: whichever end of the scale is further from it.
        let end: PageColor = back.contrast(to: .black) > back.contrast(to: .white) ? .black : .white
        for step in 0...64 {
            var veil = end
            veil.alpha = UInt8(step * 255 / 64)
            let mixed = veil.over(solid)
            if mixed.contrast(to: back) >= wanted { return mixed }
        }
        return end
    }

    /// A shade of this colour that shows a finger on it, and on which `ink` is still legible.
    func pressed(under ink: PageColor) -> PageColor {
        var veil: PageColor = ink == .white ? .black : .white
        veil.alpha = 56
        return veil.over(self)
    }
}
