/// Works out where everything stands. What the documents say about placements is in ``frame(_:size:top:)``; the rest is
/// how a page looks that places nothing itself.
struct PageLayout<Measure: TextMeasuring> {
    let page: PageDescription
    let facts: PageFacts
    let state: PageState
    let screen: PageScreen
    let measure: Measure
    /// How many times its usual size text has.
    let textScale: Double
    let popup: PageDescription.Popup?
    let area: PageRect
    /// From where tops are measured.
    let origin: Double
    var scene: PageScene
    /// Where controls stand that have no places of their own.
    var arrangement = PageArrangement.row
    /// Whether a carrier reports the number, so that its terms are on the page.
    var showsCarrierTerms = true
    /// Whether everything that has no place of its own found one.
    private(set) var fits = true

    static var barHeight: Double { 44 }
    /// The least width and height of a touch area (Apple's Human Interface Guidelines).
    static var touchSide: Double { 44 }

    init(
        page: PageDescription, facts: PageFacts, state: PageState, screen: PageScreen, measure: Measure,
        textScale: Double
    ) {
        self.page = page
        self.facts = facts
        self.state = state
        self.screen = screen
        self.measure = measure
        self.textScale = textScale
        // Pushed, there is no popup (a vendor's document).
        popup = page.presentation.style == .push ? nil : page.popup
        let whole = PageRect(0, 0, screen.size.width, screen.size.height)
        area = popup.map { Self.panel($0, screen) } ?? whole
        if popup != nil {
            origin = area.y
        } else if !page.navigationBar.isHidden {
            origin = screen.safeArea.top + Self.barHeight
        } else {
            origin = screen.isLandscape ? 0 : screen.safeArea.top
        }
        let appearance: PageAppearance
        switch page.presentation.appearance {
        case .automatic: appearance = screen.appearance
        case .light: appearance = .light
        case .dark: appearance = .dark
        }
        let light: Bool
        switch page.statusBar.style {
        case .automatic: light = appearance == .dark
        case .dark: light = false
        case .light: light = true
        }
        scene = PageScene(
            screen: screen, appearance: appearance, carrier: facts.carrier, viewport: area, isPopup: popup != nil,
            closesOnOutsideTap: popup?.closesOnOutsideTap ?? false, hasLightStatusBar: light, boxes: [])
    }

    /// The panel of a popup.
    private static func panel(_ popup: PageDescription.Popup, _ screen: PageScreen) -> PageRect {
        let whole = screen.size
        let offsets = screen.isLandscape ? popup.placement.landscape : popup.placement.portrait
        let isSheet = popup.position == .bottom
        let sides = screen.safeArea.left + screen.safeArea.right
        let size =
            popup.placement.size
            ?? PageSize(
                isSheet ? whole.width - sides : min(screen.isLandscape ? 420 : 315, whole.width - 32),
                min(380 + (isSheet ? screen.safeArea.bottom : 0), whole.height - (isSheet ? 24 : 32)))
        let x = offsets.left ?? (whole.width - size.width) / 2
        var y = isSheet ? whole.height - size.height : (whole.height - size.height) / 2
        if let top = offsets.top { y = top + (screen.isLandscape ? 0 : screen.safeArea.top) }
        return rounded(PageRect(x, y, size.width, size.height))
    }

    mutating func place() {
        placeBackground()
        placeBars()
        placeControls()
        placeCustomViews()
        placeOverlays()
    }

    // MARK: - Measures

    /// The distance between the page's edge and elements without a place of their own.
    var margin: Double { popup == nil ? 28 : 20 }

    /// The width between the margins.
    var contentWidth: Double {
        let insets = popup == nil ? screen.safeArea.left + screen.safeArea.right : 0
        return max(40, area.width - insets - 2 * margin)
    }

    /// The lowest place for elements without a place of their own.
    var contentBottom: Double {
        guard let popup else { return area.maxY - max(20, screen.safeArea.bottom + 8) }
        return area.maxY - 16 - (popup.position == .bottom ? screen.safeArea.bottom : 0)
    }

    func font(_ font: PageFont) -> PageFont {
        var scaled = font
        scaled.size = Self.thousandths(font.size * textScale)
        return scaled
    }

    func color(_ color: AdaptiveColor) -> PageColor { color[scene.appearance] }

    func words(_ text: LocalizedText) -> String { text[screen.language] }

    /// A line of this font is as high everywhere, because every renderer is told; only an app's own typeface may need
    /// more.
    func lineHeight(_ font: PageFont) -> Double { Self.up(max(font.size * 1.4, measure.lineHeight(of: font))) }

    static func up(_ value: Double) -> Double {
        let whole = Double(Int(value))
        return whole < value ? whole + 1 : whole
    }

    static func thousandths(_ value: Double) -> Double {
        let scaled = value * 1000
        return Double(Int64(scaled < 0 ? scaled - 0.5 : scaled + 0.5)) / 1000
    }

    static func rounded(_ rect: PageRect) -> PageRect {
        PageRect(thousandths(rect.x), thousandths(rect.y), thousandths(rect.width), thousandths(rect.height))
    }

    // MARK: - Placing

    /// The frame of a control of this size. Two vendors' documents: `left` wins over `center`, and offsets are from
    /// ``origin`` and from ``area``. A missing offset takes the default, here the given top and the middle.
    func frame(_ placement: PagePlacement, size: PageSize, top: Double) -> PageRect {
        let offsets = screen.isLandscape ? placement.landscape : placement.portrait
        let x = offsets.left.map { area.x + $0 } ?? (area.midX - size.width / 2 + offsets.center)
        let y = offsets.top.map { origin + $0 } ?? top
        return Self.rounded(PageRect(x, y, size.width, size.height))
    }

    func block(
        _ pieces: [LineBreaker<Measure>.Piece], font: PageFont, color: PageColor, limit: Double,
        alignment: PageDescription.Terms.Alignment = .center
    ) -> TextBlock {
        var lines = LineBreaker(measure: measure, font: font).lines(pieces, limit: limit, alignment: alignment)
        for row in lines.indices {
            for index in lines[row].runs.indices {
                lines[row].runs[index].x = Self.thousandths(lines[row].runs[index].x)
                lines[row].runs[index].width = Self.thousandths(lines[row].runs[index].width)
            }
        }
        return TextBlock(
            font: font, color: color, linkColor: color, isUnderlined: false, lineHeight: lineHeight(font),
            lines: lines, links: [])
    }

    /// A text of its natural size, at most `limit` wide.
    func label(_ text: String, _ font: PageFont, _ color: AdaptiveColor, limit: Double) -> TextBlock {
        let pieces = [LineBreaker<Measure>.Piece(text: text, link: nil)]
        let loose = block(pieces, font: font, color: self.color(color), limit: limit, alignment: .left)
        return block(pieces, font: font, color: self.color(color), limit: max(1, loose.width))
    }

    /// Puts a text that was centred within its own width into the middle of a box.
    func centered(_ text: TextBlock, in frame: PageRect) -> PageSize {
        PageSize(
            Self.thousandths((frame.width - text.width) / 2), Self.thousandths((frame.height - text.height) / 2))
    }

    mutating func add(_ box: PageBox) { scene.boxes.append(box) }

    mutating func misfit() { fits = false }

    /// Where a control is tapped: at least a finger wide and high, as far as the page goes.
    func touchable(_ frame: PageRect) -> PageRect {
        let wide = max(0, Self.touchSide - frame.width) / 2
        let high = max(0, Self.touchSide - frame.height) / 2
        let grown = PageRect(
            frame.x - wide, frame.y - high, frame.width + 2 * wide, frame.height + 2 * high)
        guard let inside = grown.intersection(area) else { return frame }
        return Self.rounded(inside)
    }
}

extension PageDescription {
    /// From where tops are measured on that screen, in points from its upper edge.
    package func origin(on screen: PageScreen) -> Double {
        PageLayout(
            page: self, facts: .sample(.mobile), state: PageState(of: self), screen: screen, measure: AdvanceTable(),
            textScale: 1
        ).origin
    }
}
