#if canImport(UIKit)
import BenjiPage
import UIKit

/// A tree of views as a scene: what a person sees of it, from back to front, so that the judge can look at it like at any
/// other page.
@MainActor struct ViewSnapshot {
    /// What the app said about a view.
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
    private let measure = FontMeasure()

    init(of root: UIView, in window: UIView, facts: PageFacts, declared: [ObjectIdentifier: Declaration]) {
        self.facts = facts
        self.window = window
        self.declared = declared
        let screen = PageScreen(of: window, language: .simplifiedChinese)
        scene = PageScene(
            screen: screen, appearance: screen.appearance, carrier: facts.carrier,
            viewport: PageRect(0, 0, screen.size.width, screen.size.height), boxes: [])
        visit(root)
        // What else lies in the window, over the page.
        if let place = window.subviews.firstIndex(where: { root.isDescendant(of: $0) }) {
            for other in window.subviews[(place + 1)...] { visit(other) }
        }
        keepOneOfEach()
        collectTexts()
    }

    /// Reads a view controller's page and holds it against rules 1 to 7 of document 000.
    init(
        reviewing controller: UIViewController, facts: PageFacts?, declared: [ObjectIdentifier: Declaration]
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
        let findings = PageJudge(.documentsOwnPage).findings(scene, facts: facts, missingTick: .isSaid)
        if let refusal = PageStrictness.everyError.refusal(findings) { throw refusal }
    }

    private mutating func visit(_ view: UIView) {
        let seen = ViewOnScreen(view, in: window)
        let text = ViewText(view)
        let declaration = declared[ObjectIdentifier(view)]
        let role = declaration?.role ?? text.flatMap { self.role(of: view, $0) }
        if role != nil || ViewOnScreen.paints(view) {
            scene.boxes.append(box(view, seen, text, role, declaration?.links ?? []))
        }
        // What a control or a text is made of belongs to it.
        guard role == nil, !(view is UIButton), !(view is UILabel), !(view is UITextView) else { return }
        for child in view.subviews { visit(child) }
    }

    /// What a view is for, by what it says.
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
        if role == .terms, links.isEmpty {
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
        for scalar in text.string.unicodeScalars { width += measure.advance(of: scalar, font: text.font) }
        // Transforms make letters smaller too.
        let scale = view.bounds.width > 0 ? Double(seen.whole.width / view.bounds.width) : 0
        width *= scale
        let room = Double(seen.whole.width)
        let height = text.font.size * 1.2 * scale
        let lineCount = text.wraps && room > 0 ? max(1, Int((width / room).rounded(.up))) : 1
        let lineWidth = text.shrinks ? min(width, room) : lineCount > 1 ? min(width, room) : width
        let run = TextBlock.Run(text: text.string, x: 0, width: lineWidth, link: links.isEmpty ? nil : 0)
        var lines = [TextBlock.Line(runs: [run])]
        for _ in 1..<max(1, lineCount) { lines.append(TextBlock.Line(runs: [])) }
        let font = PageFont(text.font.size * scale, isBold: text.font.isBold)
        let color = PageColor(text.color, view.traitCollection)
        let block = TextBlock(
            font: font, color: color, linkColor: color, lineHeight: height, lines: lines, links: links)
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

    /// Of several views that say the same, the first that can be seen is the one; the others are only texts.
    private mutating func keepOneOfEach() {
        for role in [PageRole.number, .login, .terms, .tick] {
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

/// What a view says, and in which letters.
@MainActor struct ViewText {
    let string: String
    let font: PageFont
    let color: UIColor
    let alignment: NSTextAlignment
    /// Whether it goes over several lines.
    let wraps: Bool
    /// Whether its letters get smaller until they fit.
    let shrinks: Bool
    let links: [TextBlock.Link]

    init?(_ view: UIView) {
        let attributed: NSAttributedString?
        let plain: (font: UIFont?, color: UIColor?)
        switch view {
        case let label as UILabel:
            attributed = label.attributedText
            plain = (label.font, label.textColor)
            alignment = label.textAlignment
            wraps = label.numberOfLines != 1
            shrinks = label.adjustsFontSizeToFitWidth
        case let button as UIButton:
            attributed = button.titleLabel?.attributedText ?? button.currentAttributedTitle
            plain = (button.titleLabel?.font, button.currentTitleColor)
            alignment = .center
            wraps = button.titleLabel?.numberOfLines != 1
            shrinks = button.titleLabel?.adjustsFontSizeToFitWidth == true
        case let text as UITextView:
            attributed = text.attributedText
            plain = (text.font, text.textColor)
            alignment = .left
            wraps = true
            shrinks = false
        default: return nil
        }
        guard let attributed, attributed.length > 0 else { return nil }
        string = attributed.string
        let attributes = attributed.attributes(at: 0, effectiveRange: nil)
        let font = attributes[.font] as? UIFont ?? plain.font ?? .systemFont(ofSize: 17)
        let isBold = font.fontDescriptor.symbolicTraits.contains(.traitBold)
        self.font = PageFont(Double(font.pointSize), isBold: isBold)
        color = attributes[.foregroundColor] as? UIColor ?? plain.color ?? .black
        var links: [TextBlock.Link] = []
        attributed.enumerateAttribute(.link, in: NSRange(location: 0, length: attributed.length), options: []) {
            value, range, _ in
            guard let url = (value as? URL)?.absoluteString ?? value as? String else { return }
            let title = (attributed.string as NSString).substring(with: range)
            links.append(TextBlock.Link(title: title, url: url))
        }
        self.links = links
    }
}
#endif
