#if canImport(UIKit)
import BenjiFaceTexts
import BenjiPage
import UIKit

/// A sentence and what can be done about it.
@MainActor final class FaceMessageView: FaceScreenView {
    init(
        title: FaceSentence, text: FaceSentence, language: Language, look: FaceLook,
        buttons: [(FaceSentence, @MainActor () -> Void)]
    ) {
        super.init(title: title.text(in: language), look: look)
        let font = look.font(16)
        add(FaceStyle.label(text.text(in: language), font, color: FaceStyle.quiet))
        for (index, (words, act)) in buttons.enumerated() {
            let title = words.text(in: language)
            add(
                button: index == 0
                    ? look.primary(title, act)
                    : FaceStyle.plain(title, font, act))
        }
    }
}

/// While something is under way of which a person sees nothing.
@MainActor final class FaceWaitView: UIView {
    private let wheel = UIActivityIndicatorView(style: .large)
    private let label: UILabel

    init(_ words: FaceSentence, _ language: Language, _ look: FaceLook) {
        label = FaceStyle.label(words.text(in: language), look.font(16), color: FaceStyle.quiet)
        super.init(frame: .zero)
        backgroundColor = FaceStyle.background
        wheel.color = FaceStyle.quiet
        wheel.startAnimating()
        addSubview(wheel)
        addSubview(label)
    }

    @available(*, unavailable) required init?(coder: NSCoder) { fatalError("made in code only") }

    override func layoutSubviews() {
        super.layoutSubviews()
        wheel.center = CGPoint(x: bounds.midX, y: bounds.midY - 30)
        label.frame = CGRect(x: 0, y: bounds.midY, width: bounds.width, height: 60)
    }
}
#endif
