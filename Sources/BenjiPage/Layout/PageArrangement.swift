/// Where a full page's controls stand that have no places of their own.
public enum PageArrangement: Hashable, Sendable {
    /// All in a row from the top, and the terms at the bottom.
    case row
    /// On an upright screen the number is in the upper part. Login button, terms and the way to another account are at
    /// the bottom, in reach of a thumb. On a screen on its side, in a popup, and on a page that places a control or a
    /// view itself, as ``row``.
    case parted
}

extension PageDescription {
    /// Whether nothing between the bars has a place of its own.
    var placesNothing: Bool {
        let none = PagePlacement()
        return custom.isEmpty && logo.placement == none && number.placement == none && slogan.placement == none
            && loginButton.placement == none && switchButton.placement == none && terms.placement == none
    }
}

extension PageLayout {
    /// The tops of logo, number, slogan, login button, switch and terms, if they are parted and there is room for it.
    ///
    /// - Parameter heights: of these six; without a height, a control is not shown.
    func partedTops(_ heights: [Double]) -> [Double]? {
        guard arrangement == .parted, popup == nil, !screen.isLandscape, page.placesNothing else { return nil }
        let (logo, number, slogan, login, other, terms) =
            (heights[0], heights[1], heights[2], heights[3], heights[4], heights[5])
        var tops = [0, 0, 0, 0, 0, 0.0]
        var bottom = contentBottom
        if other > 0 {
            tops[4] = bottom - other
            bottom = tops[4] - 8
        }
        tops[5] = bottom - terms
        tops[3] = tops[5] - 16 - login
        let gap = logo > 0 ? 20.0 : 0
        let upper = logo + gap + number + 4 + slogan
        let room = tops[3] - origin - upper
        guard room >= 36 else { return nil }
        // A little above the middle, which looks like the middle.
        tops[0] = origin + room * 0.42
        tops[1] = tops[0] + logo + gap
        tops[2] = tops[1] + number + 4
        return tops
    }
}
