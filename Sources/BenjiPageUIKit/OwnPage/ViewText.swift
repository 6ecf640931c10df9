#if canImport(UIKit)
import BenjiPage
import UIKit

/// The text of a view, and its letters.
@MainActor struct ViewText {
    /// Letters of one kind.
    struct Run {
        let string: String
        let font: PageFont
        let color: UIColor
    }

    let string: String
    let runs: [Run]
    /// The font of the smallest letters.
    let font: PageFont
    /// The colour of the first letters.
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
        runs = Self.runs(of: attributed, else: plain)
        font = runs.map(\.font).min { $0.size < $1.size } ?? PageFont(17)
        color = runs.first?.color ?? .black
        var links: [TextBlock.Link] = []
        attributed.enumerateAttribute(.link, in: NSRange(location: 0, length: attributed.length), options: []) {
            value, range, _ in
            guard let url = (value as? URL)?.absoluteString ?? value as? String else { return }
            let title = (attributed.string as NSString).substring(with: range)
            links.append(TextBlock.Link(title: title, url: url))
        }
        self.links = links
    }

    /// The colour in which some words of the text begin.
    func color(of words: String) -> UIColor? {
        guard let place = string.firstRange(of: words)?.lowerBound else { return nil }
        var end = string.startIndex
        for run in runs {
            end = string.index(end, offsetBy: run.string.count, limitedBy: string.endIndex) ?? string.endIndex
            if place < end { return run.color }
        }
        return nil
    }

    private static func runs(of text: NSAttributedString, else plain: (font: UIFont?, color: UIColor?)) -> [Run] {
        var runs: [Run] = []
        var start = 0
        while start < text.length {
            var range = NSRange(location: start, length: 0)
            let attributes = text.attributes(at: start, effectiveRange: &range)
            let end = max(start + 1, min(text.length, range.location + range.length))
            let font = attributes[.font] as? UIFont ?? plain.font ?? .systemFont(ofSize: 17)
            let words = (text.string as NSString).substring(with: NSRange(location: start, length: end - start))
            runs.append(
                Run(
                    string: words,
                    font: PageFont(
                        Double(font.pointSize), isBold: font.fontDescriptor.symbolicTraits.contains(.traitBold)),
                    color: attributes[.foregroundColor] as? UIColor ?? plain.color ?? .black))
            start = end
        }
        return runs
    }
}
#endif
