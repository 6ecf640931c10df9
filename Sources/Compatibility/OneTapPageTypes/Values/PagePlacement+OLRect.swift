package import BenjiPage
package import OneTapCTypes

extension PagePlacement {
    /// Reads a rectangle as the documents do: offsets from an edge and sizes count above zero only, an offset from the
    /// middle may be negative.
    package init(_ rect: OLRect) {
        func offsets(_ top: OLLength, _ center: OLLength, _ left: OLLength) -> Offsets {
            Offsets(
                top: Measure.aboveZero(Double(top)), center: Measure.any(Double(center)) ?? 0,
                left: Measure.aboveZero(Double(left)))
        }
        self.init(
            portrait: offsets(rect.portraitTopYOffset, rect.portraitCenterXOffset, rect.portraitLeftXOffset),
            landscape: offsets(rect.landscapeTopYOffset, rect.landscapeCenterXOffset, rect.landscapeLeftXOffset),
            width: Measure.aboveZero(Double(rect.size.width)), height: Measure.aboveZero(Double(rect.size.height)))
    }

    /// Without a size: the documents let the number's text decide how large it is.
    package var withoutSize: PagePlacement { PagePlacement(portrait: portrait, landscape: landscape) }
}
