public import BenjiPage

extension PageDescription {
    /// The field that says where a box of that role stands, such as `logo.placement`; `nil` for what has no place of
    /// its own.
    ///
    /// - Parameter number: which of several boxes of that role is meant, from the back.
    public static func placeField(_ role: PageRole, _ number: Int = 0) -> String? {
        switch role {
        case .logo: "logo.placement"
        case .number: "number.placement"
        case .slogan: "slogan.placement"
        case .login: "loginButton.placement"
        case .switchAccount: "switchButton.placement"
        case .terms, .tick: "terms.placement"
        case .back: "navigationBar.back.placement"
        case .close: "popup.close"
        case .background: "popup.placement"
        case .dialog: "consentDialog.placement"
        case .hint: "terms.hint.offset"
        case .custom: "custom[\(number)].placement"
        default: nil
        }
    }

    /// The page with a box somewhere else or of another size; `nil` where the description cannot express that.
    ///
    /// - Parameters:
    ///   - number: which of several boxes of that role is meant, from the back.
    ///   - by: points to the right, down, wider and higher.
    ///   - screen: on which the box was moved: upright screens and those on their side have separate places.
    public func moving(
        _ role: PageRole, _ number: Int = 0, by: PageRect, on screen: PageScreen, facts: PageFacts
    ) throws(PageError) -> PageDescription? {
        var state = PageState(of: self)
        state.isHintShown = role == .hint
        state.isDialogShown = role == .dialog
        let scene = try PageScene(self, facts: facts, state: state, screen: screen, measuredBy: AdvanceTable())
        var boxes: [PageBox] = []
        for box in scene.boxes where box.role == role { boxes.append(box) }
        guard number >= 0, number < boxes.count else { return nil }
        // The tick stands beside the text and moves with it.
        let box = role == .tick ? scene[.terms] ?? boxes[number] : boxes[number]
        let origin = self.origin(on: screen)
        var page = self
        func move(_ placement: inout PagePlacement, top: Double, resizes: Bool = true, leftOnly: Bool = false) {
            var offsets = screen.isLandscape ? placement.landscape : placement.portrait
            if by.y != 0 { offsets.top = Self.inRange(offsets.top.map { $0 + by.y } ?? (box.frame.y - top + by.y)) }
            if by.x != 0 {
                if leftOnly || offsets.left != nil {
                    offsets.left = Self.inRange((offsets.left ?? box.frame.x) + by.x)
                } else {
                    offsets.center = Self.point(offsets.center + by.x)
                }
            }
            if screen.isLandscape { placement.landscape = offsets } else { placement.portrait = offsets }
            guard resizes, by.width != 0 || by.height != 0 else { return }
            placement.width = max(1, Self.inRange((placement.width ?? box.frame.width) + by.width))
            placement.height = max(1, Self.inRange((placement.height ?? box.frame.height) + by.height))
        }
        switch role {
        case .logo: move(&page.logo.placement, top: origin)
        case .number: move(&page.number.placement, top: origin)
        case .slogan: move(&page.slogan.placement, top: origin)
        case .login: move(&page.loginButton.placement, top: origin)
        case .switchAccount: move(&page.switchButton.placement, top: origin)
        case .terms: move(&page.terms.placement, top: origin)
        case .custom: move(&page.custom[number].placement, top: origin)
        case .back: move(&page.navigationBar.back.placement, top: screen.safeArea.top, leftOnly: true)
        case .dialog:
            guard page.consentDialog != nil else { return nil }
            var placement = page.consentDialog?.placement ?? PagePlacement()
            move(&placement, top: 0)
            page.consentDialog?.placement = placement
        case .background:
            guard scene.isPopup else { return nil }
            var placement = page.popup?.placement ?? PagePlacement()
            move(&placement, top: screen.isLandscape ? 0 : screen.safeArea.top, leftOnly: true)
            page.popup?.placement = placement
        case .close:
            guard var close = page.popup?.close else { return nil }
            close.top = min(1000, Self.inRange(close.top + by.y))
            close.right = min(1000, Self.inRange(close.right - by.x))
            if by.width != 0 || by.height != 0 {
                close.width = min(200, Self.inRange(box.frame.width + by.width))
                close.height = min(200, Self.inRange(box.frame.height + by.height))
            }
            page.popup?.close = close
        case .hint: page.terms.hint.offset = Self.point(page.terms.hint.offset + by.y)
        case .tick:
            // It stands beside the text; its size is its own.
            move(&page.terms.placement, top: origin, resizes: false)
            if by.width != 0 { page.terms.tick.size = min(200, max(1, Self.point(page.terms.tick.size + by.width))) }
        default: return nil
        }
        return page == self ? nil : page
    }

    private static func inRange(_ value: Double) -> Double { min(10_000, max(0, point(value))) }

    /// To hundredths, so that a description stays readable.
    private static func point(_ value: Double) -> Double {
        let scaled = value * 100
        return Double(Int64(scaled < 0 ? scaled - 0.5 : scaled + 0.5)) / 100
    }
}
