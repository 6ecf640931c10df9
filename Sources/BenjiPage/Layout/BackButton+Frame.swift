extension PageDescription.BackButton {
    /// The spoken name of the button.
    public static var label: LocalizedText { PageStrings.back }

    /// Where it stands in a bar, in points from the top left corner of the screen.
    ///
    /// - Parameters:
    ///   - top: where the bar's part for controls begins: below the status bar.
    ///   - left: what rounded corners and the like take of the left side.
    ///   - size: of that part.
    ///   - isLandscape: whether the screen is wider than high.
    public func frame(top: Double, left: Double, size bar: PageSize, isLandscape: Bool) -> PageRect {
        let asked = placement.size ?? image?.size ?? PageSize(24, 24)
        let size = PageSize(min(asked.width, Self.maximumSide), min(asked.height, Self.maximumSide))
        let offsets = isLandscape ? placement.landscape : placement.portrait
        var x = left + 12
        if let given = offsets.left {
            x = given
        } else if offsets.center != 0 {
            x = bar.width / 2 - size.width / 2 + offsets.center
        }
        let y = top + (offsets.top ?? (bar.height - size.height) / 2)
        return PageRect(x, y, size.width, size.height)
    }
}
