package import BenjiPage

extension PageColor {
    /// The least contrast of text and its ground (WCAG 2.2, 1.4.3).
    package static let leastOfText = 4.5
    /// The least contrast of a button's shape and its ground. The shape alone means nothing: see ``leastOfText``.
    package static let leastOfShapes = 1.4

    /// This opaque colour, moved towards black or white as little as it must be for a contrast to an opaque ground.
    package func differing(by least: Double, from ground: PageColor) -> PageColor {
        let end = ground.ink
        for step in 0..<16 {
            var part = end
            part.alpha = UInt8(step * 16)
            let color = part.over(self)
            if color.contrast(to: ground) >= least { return color }
        }
        return end
    }

    /// White or black for text on this opaque colour: white where it can be read. One of them always has
    /// ``leastOfText``.
    package var ink: PageColor {
        let white = PageColor(0xffffff)
        return contrast(to: white) >= Self.leastOfText ? white : PageColor(0x000000)
    }
}
