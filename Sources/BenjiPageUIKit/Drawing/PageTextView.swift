#if canImport(UIKit)
import BenjiPage
import UIKit

/// Draws a text that is broken into lines already: one label for each run, at its place. Links are controls.
final class PageTextView: UIView {
    var linkTapped: ((Int) -> Void)?
    /// Whether links may be tapped.
    var takesTaps = false
    private(set) var block: TextBlock?
    private var runs: [RunView] = []
    private var pressedLinkColor = PageColor.clear

    override init(frame: CGRect) {
        super.init(frame: frame)
        isAccessibilityElement = false
    }

    @available(*, unavailable) required init?(coder: NSCoder) { fatalError("texts are made by the page") }

    func show(_ block: TextBlock, _ fonts: PageFonts, pressedLinkColor: PageColor) {
        guard block != self.block || pressedLinkColor != self.pressedLinkColor else { return }
        self.block = block
        self.pressedLinkColor = pressedLinkColor
        for run in runs { run.removeFromSuperview() }
        runs = []
        for (row, line) in block.lines.enumerated() {
            for run in line.runs {
                let view = RunView(run, of: block, fonts, pressed: pressedLinkColor)
                view.frame = CGRect(
                    x: run.x, y: Double(row) * block.lineHeight, width: run.width, height: block.lineHeight)
                if let link = run.link {
                    view.addAction(UIAction { [weak self] _ in self?.linkTapped?(link) }, for: .touchUpInside)
                    view.pressChanged = { [weak self] isDown in self?.highlight(link, isDown) }
                }
                runs.append(view)
                addSubview(view)
            }
        }
        accessibilityElements = elements(block)
    }

    /// Only links take taps; the words between them let them through.
    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        guard takesTaps, let hit = super.hitTest(point, with: event), hit !== self else { return nil }
        return hit
    }

    /// A link over two lines is one link.
    private func highlight(_ link: Int, _ isDown: Bool) {
        for run in runs where run.link == link { run.draw(isDown) }
    }

    /// The sentence as a whole, then each of its links.
    private func elements(_ block: TextBlock) -> [Any] {
        let sentence = UIAccessibilityElement(accessibilityContainer: self)
        sentence.accessibilityLabel = block.text
        sentence.accessibilityTraits = .staticText
        sentence.accessibilityFrameInContainerSpace = CGRect(x: 0, y: 0, width: block.width, height: block.height)
        var elements: [Any] = [sentence]
        for (index, link) in block.links.enumerated() {
            let element = LinkElement(accessibilityContainer: self)
            element.accessibilityLabel = link.title
            element.accessibilityTraits = .link
            element.activate = { [weak self] in self?.linkTapped?(index) }
            var area = CGRect.null
            for run in runs where run.link == index { area = area.union(run.frame) }
            element.accessibilityFrameInContainerSpace = area.isNull ? .zero : area
            elements.append(element)
        }
        return elements
    }
}

/// One run of a text in one style.
private final class RunView: UIControl {
    let link: Int?
    var pressChanged: ((Bool) -> Void)?
    private let label = UILabel(frame: .zero)
    private let run: TextBlock.Run
    private let block: TextBlock
    private let fonts: PageFonts
    private let pressed: PageColor

    init(_ run: TextBlock.Run, of block: TextBlock, _ fonts: PageFonts, pressed: PageColor) {
        link = run.link
        self.run = run
        self.block = block
        self.fonts = fonts
        self.pressed = pressed
        super.init(frame: .zero)
        isUserInteractionEnabled = link != nil
        isAccessibilityElement = false
        label.isAccessibilityElement = false
        label.lineBreakMode = .byClipping
        addSubview(label)
        draw(false)
    }

    @available(*, unavailable) required init?(coder: NSCoder) { fatalError("runs are made by their text") }

    func draw(_ isDown: Bool) {
        var attributes = fonts.attributes(block.font)
        attributes[.foregroundColor] = UIColor(link == nil ? block.color : isDown ? pressed : block.linkColor)
        if link != nil, block.isUnderlined { attributes[.underlineStyle] = NSUnderlineStyle.single.rawValue }
        label.attributedText = NSAttributedString(string: run.text, attributes: attributes)
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        // A hair wider than measured: a label that is narrower by a rounding error would cut its last character off.
        label.frame = CGRect(x: 0, y: 0, width: bounds.width + 1, height: bounds.height)
    }

    override var isHighlighted: Bool { didSet { if isHighlighted != oldValue { pressChanged?(isHighlighted) } } }
}

private final class LinkElement: UIAccessibilityElement {
    var activate: (() -> Void)?

    override func accessibilityActivate() -> Bool {
        activate?()
        return activate != nil
    }
}
#endif
