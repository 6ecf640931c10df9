#if canImport(UIKit)
import UIKit

/// One screen: views from top to bottom in a scrolling area, and buttons below it that are always in reach.
@MainActor class FaceScreenView: UIView {
    let title: UILabel
    private let scroll = UIScrollView(frame: .zero)
    private var rows: [(view: UIView, height: CGFloat?, gap: CGFloat)] = []
    private var buttons: [UIButton] = []

    init(title text: String, look: FaceLook) {
        title = FaceStyle.label(text, look.font(22, bold: true))
        super.init(frame: .zero)
        title.accessibilityTraits = .header
        backgroundColor = FaceStyle.background
        addSubview(scroll)
        add(title, gap: 8)
    }

    @available(*, unavailable) required init?(coder: NSCoder) { fatalError("made in code only") }

    /// - Parameter height: as high as the text is, if there is none.
    func add(_ view: UIView, height: CGFloat? = nil, gap: CGFloat = 16) {
        rows.append((view, height, gap))
        scroll.addSubview(view)
    }

    func add(button: UIButton) {
        buttons.append(button)
        addSubview(button)
    }

    /// Where VoiceOver begins.
    var firstElement: UIView { title }

    override func layoutSubviews() {
        super.layoutSubviews()
        let area = bounds.inset(by: safeAreaInsets)
        let width = max(area.width - 2 * FaceStyle.margin, 0)
        var bottom = area.maxY - 12
        for button in buttons.reversed() {
            let text = button.titleLabel?.sizeThatFits(CGSize(width: width, height: 10_000)).height ?? 0
            let height = max(FaceStyle.button, text + 16)
            bottom -= height
            button.frame = CGRect(x: area.minX + FaceStyle.margin, y: bottom, width: width, height: height)
            bottom -= 8
        }
        scroll.frame = CGRect(
            x: area.minX, y: area.minY + 52, width: area.width, height: max(bottom - area.minY - 52, 0))
        var y: CGFloat = 0
        for row in rows {
            y += row.gap
            let height = row.height ?? row.view.sizeThatFits(CGSize(width: width, height: 10_000)).height
            row.view.frame = CGRect(x: FaceStyle.margin, y: y, width: width, height: height)
            y += height
        }
        scroll.contentSize = CGSize(width: area.width, height: y + 16)
    }
}
#endif
