/// The purpose of a box on the page.
public enum PageRole: String, Hashable, Sendable, CaseIterable {
    case mask, background, backgroundImage, backgroundGIF, backgroundVideo
    case navigationBar, title, back, navigationRight, close
    /// Of the page of a login by SMS: number field, code field, button for a code, and message to the person.
    case numberField, codeField, sendCode, message
    case logo, number, slogan, login, switchAccount, tick, terms, custom
    case hint, loadingMask, loading
    case dialogMask, dialog, dialogTitle, dialogTerms, dialogDisagree, dialogAgree
}

/// One thing on the page at its place.
public struct PageBox: Hashable, Sendable {
    /// Its purpose.
    public var role: PageRole
    /// Where it is drawn.
    public var frame: PageRect
    /// Where a tap means it; `nil` when it cannot be tapped. Terms are tapped at their links, see
    /// ``PageScene/linkAreas``.
    public var hitArea: PageRect?
    /// The colour behind image and text.
    public var fill = PageColor.clear
    /// The name of the app's image that is drawn in it.
    public var image: String?
    /// The name of the app's view or animation that lies in it.
    public var slot: String?
    /// The text in it, from its top left corner plus ``textOrigin``.
    public var text: TextBlock?
    /// Where the text begins, from the top left corner of the frame.
    public var textOrigin = PageSize(0, 0)
    /// Its name for people who do not see it; empty when ``text`` has it.
    public var label = ""
    /// How much of it is seen: 0 nothing, 1 all.
    public var opacity = 1.0
    /// Points.
    public var cornerRadius = 0.0
    /// The corners to which ``cornerRadius`` applies.
    public var corners: [PageDescription.Popup.Corner] = [.topLeft, .topRight, .bottomLeft, .bottomRight]
    /// Whether the tick is set; `nil` for everything else.
    public var isTicked: Bool?
    /// Whether taps are answered.
    public var isEnabled = true

    public init(_ role: PageRole, _ frame: PageRect) {
        self.role = role
        self.frame = frame
    }
}

/// The page laid out for one screen: boxes from back to front. Renderers draw them and decide nothing.
public struct PageScene: Hashable, Sendable {
    /// Where a link of the terms is tapped.
    public struct LinkArea: Hashable, Sendable {
        /// Which link it is, by its place in the terms' ``TextBlock/links``.
        public var link: Int
        /// On the screen; a link that goes over several lines has one area on each.
        public var area: PageRect
    }

    /// The screen for which it was laid out.
    public var screen: PageScreen
    /// Light or dark, as decided.
    public var appearance: PageAppearance
    /// The subscriber's carrier.
    public var carrier: PageCarrier
    /// The part of the screen that is the page: all of it, or the panel of a popup.
    public var viewport: PageRect
    /// Whether the page is a panel over the app.
    public var isPopup: Bool
    /// Whether a tap beside the panel closes the page.
    public var closesOnOutsideTap: Bool
    /// Whether the system's status bar has light text.
    public var hasLightStatusBar: Bool
    /// From back to front.
    public var boxes: [PageBox]

    /// A scene that was not laid out here: a page that an app has drawn, read from its views.
    public init(
        screen: PageScreen, appearance: PageAppearance, carrier: PageCarrier, viewport: PageRect, isPopup: Bool = false,
        closesOnOutsideTap: Bool = false, hasLightStatusBar: Bool = false, boxes: [PageBox]
    ) {
        self.screen = screen
        self.appearance = appearance
        self.carrier = carrier
        self.viewport = viewport
        self.isPopup = isPopup
        self.closesOnOutsideTap = closesOnOutsideTap
        self.hasLightStatusBar = hasLightStatusBar
        self.boxes = boxes
    }

    /// The box with that role that lies highest.
    public subscript(role: PageRole) -> PageBox? {
        guard let index = index(of: role) else { return nil }
        return boxes[index]
    }

    /// Where that box stands in ``boxes``.
    func index(of role: PageRole) -> Int? {
        for index in boxes.indices.reversed() where boxes[index].role == role { return index }
        return nil
    }

    /// Where the links of the terms are tapped.
    public var linkAreas: [LinkArea] { self[.terms]?.linkAreas ?? [] }
}

extension PageBox {
    /// Where the links of this box's text are, on the screen.
    public var linkAreas: [PageScene.LinkArea] {
        guard let text else { return [] }
        var areas: [PageScene.LinkArea] = []
        for (row, line) in text.lines.enumerated() {
            for run in line.runs {
                guard let link = run.link else { continue }
                let y = frame.y + textOrigin.height + Double(row) * text.lineHeight
                let x = frame.x + textOrigin.width + run.x
                areas.append(PageScene.LinkArea(link: link, area: PageRect(x, y, run.width, text.lineHeight)))
            }
        }
        return areas
    }
}
