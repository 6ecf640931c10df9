#if canImport(UIKit)
import BenjiPage
import UIKit

/// The visible parts of a tree of views as a scene, from back to front. The judge can look at it like at any other
/// page.
@MainActor struct ViewSnapshot {
    /// The app's declaration of a view.
    struct Declaration {
        var role: PageRole
        var links: [TextBlock.Link]
    }

    private(set) var scene: PageScene
    private(set) var texts: [PageContent.Text] = []
    var links: [TextBlock.Link] { scene[.terms]?.text?.links ?? [] }

    private let facts: PageFacts
    private let window: UIView
    private let declared: [ObjectIdentifier: Declaration]
    private let declaredRoles: Set<PageRole>
    private let measure = FontMeasure()

    init(of root: UIView, in window: UIView, facts: PageFacts, declared: [ObjectIdentifier: Declaration]) {
        self.facts = facts
        self.window = window
        self.declared = declared
        declaredRoles = Set(declared.values.map(\.role))
        let screen = PageScreen(of: window, language: .simplifiedChinese)
        scene = PageScene(
            screen: screen, appearance: screen.appearance, carrier: facts.carrier,
            viewport: PageRect(0, 0, screen.size.width, screen.size.height), boxes: [])
        visit(root)
        // The other views in the window, over the page.
        if let place = window.subviews.firstIndex(where: { root.isDescendant(of: $0) }) {
            for other in window.subviews[(place + 1)...] { visit(other) }
        }
        keepOneOfEach()
        collectTexts()
    }

    /// Reads a view controller's page and holds it against a profile.
    init(
        reviewing controller: UIViewController, facts: PageFacts?, declared: [ObjectIdentifier: Declaration],
        profile: PageProfile = .documentsOwnPage
    ) throws(PageRefusal) {
        guard let facts, let view = controller.viewIfLoaded, let window = view.window else {
            // Not on the screen, so nothing of it is shown.
            throw PageRefusal(findings: [
                PageFinding(.numberVisible, .error, .number), PageFinding(.loginUsable, .error, .login),
                PageFinding(.carrierTerms, .error, .terms),
            ])
        }
        window.layoutIfNeeded()
        self.init(of: view, in: window, facts: facts, declared: declared)
        var judged = scene
        // At the tap it is set. Whether it was so before anybody touched it is told by the consent.
        for index in judged.boxes.indices where judged.boxes[index].isTicked != nil {
            judged.boxes[index].isTicked = false
        }
        let findings = PageJudge(profile).findings(judged, facts: facts, missingTick: .isSaid)
        if let refusal = PageStrictness.everyError.refusal(findings) { throw refusal }
    }

    private mutating func visit(_ view: UIView) {
        let seen = ViewOnScreen(view, in: window)
        let text = ViewText(view)
        let declaration = declared[ObjectIdentifier(view)]
        var role = declaration?.role ?? text.flatMap { self.role(of: view, $0) }
        // Where the app has said which view it is, no other one is it.
        if declaration == nil, let said = role, declaredRoles.contains(said) { role = nil }
        if role == .number, text?.string.contains(facts.maskedNumber) != true { role = nil }
        if role != nil || ViewOnScreen.paints(view) {
            scene.boxes.append(box(view, seen, text, role, declaration?.links ?? []))
        }
        // The subviews of a control or a text are parts of it.
        guard role == nil, !(view is UIButton), !(view is UILabel), !(view is UITextView) else { return }
        for child in view.subviews { visit(child) }
    }

    /// The role of a view, by its words.
    private func role(of view: UIView, _ text: ViewText) -> PageRole? {
        if text.string.contains(facts.duties.termsTitle) { return .terms }
        if text.string.contains(facts.maskedNumber) { return .number }
        if view is UIControl, PageJudge.speaksOfLogin(text.string) { return .login }
        return nil
    }

    private func box(
        _ view: UIView, _ seen: ViewOnScreen, _ text: ViewText?, _ role: PageRole?, _ declared: [TextBlock.Link]
    ) -> PageBox {
        // Plain surfaces and other texts only matter for what they cover.
        var box = PageBox(role ?? (text == nil ? .backgroundImage : .title), PageRect(seen.frame))
        box.opacity = seen.opacity
        box.fill = view.backgroundColor.map { PageColor($0, view.traitCollection) } ?? .clear
        if let picture = view as? UIImageView, picture.image != nil { box.image = "view" }
        if let button = view as? UIButton, button.currentBackgroundImage != nil || button.currentImage != nil {
            box.image = "view"
        }
        box.isEnabled = (view as? UIControl)?.isEnabled ?? true
        if role == .tick { box.isTicked = (view as? UIControl)?.isSelected == true }
        if view is UIControl, seen.isTappable { box.hitArea = PageRect(seen.frame) }
        guard let text else { return box }
        var links = declared.isEmpty ? text.links : declared
        if role == .terms, links.isEmpty, text.string.contains(facts.duties.termsTitle) {
            // The app opens the terms by itself: their address cannot be seen here.
            links = [TextBlock.Link(title: facts.duties.termsTitle, url: facts.duties.termsURL)]
        }
        place(text, links, view, seen, &box)
        return box
    }

    /// Where the letters are. A text without a surface of its own is as large as its letters.
    private func place(
        _ text: ViewText, _ links: [TextBlock.Link], _ view: UIView, _ seen: ViewOnScreen, _ box: inout PageBox
    ) {
        var width = 0.0
        for run in text.runs {
            for scalar in run.string.unicodeScalars { width += measure.advance(of: scalar, font: run.font) }
        }
        // Transforms make letters smaller too.
        let scale = view.bounds.width > 0 ? Double(seen.whole.width / view.bounds.width) : 0
        width *= scale
        let room = Double(seen.whole.width)
        let height = (text.runs.map(\.font.size).max() ?? 0) * 1.2 * scale
        let lineCount = text.wraps && room > 0 ? max(1, Int((width / room).rounded(.up))) : 1
        let lineWidth = text.shrinks ? min(width, room) : lineCount > 1 ? min(width, room) : width
        let run = TextBlock.Run(text: text.string, x: 0, width: lineWidth, link: links.isEmpty ? nil : 0)
        var lines = [TextBlock.Line(runs: [run])]
        for _ in 1..<max(1, lineCount) { lines.append(TextBlock.Line(runs: [])) }
        let font = PageFont(text.font.size * scale, isBold: text.font.isBold)
        let color = PageColor(text.color, view.traitCollection)
        // The words on which everything hangs may have a colour of their own.
        let linkColor = text.color(of: facts.duties.termsTitle).map { PageColor($0, view.traitCollection) } ?? color
        let block = TextBlock(
            font: font, color: color, linkColor: linkColor, lineHeight: height, lines: lines, links: links)
        box.text = block
        let whole = PageRect(seen.whole)
        let free = max(0, whole.width - block.width)
        let x = whole.x + (text.alignment == .center ? free / 2 : text.alignment == .right ? free : 0)
        let letters = PageRect(x, whole.y + (whole.height - block.height) / 2, block.width, block.height)
        if box.fill.alpha <= 12, box.image == nil, box.hitArea == nil, whole.contains(letters, tolerance: 0.5) {
            box.frame = letters.intersection(box.frame) ?? box.frame
        }
        box.textOrigin = PageSize(letters.x - box.frame.x, letters.y - box.frame.y)
    }

    /// If several views say the same, the first that can be seen counts; the others are only texts.
    private mutating func keepOneOfEach() {
        for role in [PageRole.number, .slogan, .login, .terms, .tick] {
            let places = scene.boxes.indices.filter { scene.boxes[$0].role == role }
            let isShown = { (index: Int) in
                let box = scene.boxes[index]
                return box.opacity >= 0.5 && box.frame.width >= 1 && box.frame.height >= 1
            }
            guard places.count > 1, let best = places.first(where: isShown) ?? places.first else { continue }
            for index in places where index != best { scene.boxes[index].role = .title }
        }
    }

    private mutating func collectTexts() {
        let shown = scene.boxes.filter { $0.opacity >= 0.5 && $0.text != nil }
        for box in shown.sorted(by: { ($0.frame.y, $0.frame.x) < ($1.frame.y, $1.frame.x) }) {
            let role: PageContent.Role =
                switch box.role {
                case .number: .number
                case .slogan: .slogan
                case .login: .loginButton
                case .terms: .terms
                default: .custom
                }
            let text = (box.text?.text ?? "").replacing(
                facts.maskedNumber, with: PageContent.numberPlaceholder)
            texts.append(PageContent.Text(role: role, text: text))
        }
    }
}
#endif
