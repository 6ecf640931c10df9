#if canImport(UIKit)
import BenjiFaceProtocol
import BenjiFaceTexts
import BenjiPage
import BenjiProtocol
import UIKit

/// The instruction to the person, over the camera's picture, at the lower edge of an app's own view.
@MainActor final class FacePromptLabel: UILabel {
    private let language: Language
    private var speech = FaceSpeech()

    init(_ language: Language, _ look: FaceLook) {
        self.language = language
        super.init(frame: .zero)
        numberOfLines = 0
        textAlignment = .center
        font = look.font(18, bold: true)
        // On whatever the camera sees.
        textColor = .white
        backgroundColor = UIColor(white: 0, alpha: 0.75)
        accessibilityTraits = .updatesFrequently
    }

    @available(*, unavailable) required init?(coder: NSCoder) { fatalError("made in code only") }

    func show(_ progress: FaceProgress, in view: UIView) {
        let sentences = progress.sentences
        if speech.say(sentences, in: language) {
            text = sentences.map { $0.text(in: language) }.joined(separator: "\n")
        }
        if superview == nil { view.addSubview(self) }
        view.bringSubviewToFront(self)
        let area = view.bounds
        let height = sizeThatFits(CGSize(width: max(area.width - 16, 0), height: 10_000)).height + 16
        frame = CGRect(x: 0, y: max(area.height - height, 0), width: area.width, height: min(height, area.height))
    }
}
#endif
