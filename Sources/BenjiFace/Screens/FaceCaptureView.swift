#if canImport(UIKit) && canImport(AVFoundation)
import AVFoundation
import BenjiFaceProtocol
import BenjiFaceTexts
import BenjiPage
import BenjiProtocol
import UIKit

/// The camera's picture, in a ring that shows the progress, above the instruction.
@MainActor final class FaceCaptureView: UIView {
    private let title: UILabel
    private let prompt: UILabel
    private let hint: UILabel
    private let ring = UIView(frame: .zero)
    private let circle = UIView(frame: .zero)
    private let dots = UIView(frame: .zero)
    private let preview: AVCaptureVideoPreviewLayer
    private let language: Language
    private let look: FaceLook
    private var speech = FaceSpeech()

    init(title text: String, session: AVCaptureSession, language: Language, look: FaceLook) {
        self.language = language
        self.look = look
        title = FaceStyle.label(text, look.font(22, bold: true))
        prompt = FaceStyle.label(FaceSentence.placeFace.text(in: language), look.font(20, bold: true))
        hint = FaceStyle.label("", look.font(16), color: FaceStyle.quiet)
        preview = AVCaptureVideoPreviewLayer(session: session)
        super.init(frame: .zero)
        backgroundColor = FaceStyle.background
        title.accessibilityTraits = .header
        prompt.accessibilityTraits = .updatesFrequently
        preview.videoGravity = .resizeAspectFill
        circle.layer.masksToBounds = true
        circle.layer.addSublayer(preview)
        ring.layer.borderWidth = 6
        for view in [circle, ring] { view.isUserInteractionEnabled = false }
        for view in [title, circle, ring, prompt, hint, dots] { addSubview(view) }
        colour(FaceStyle.line)
    }

    @available(*, unavailable) required init?(coder: NSCoder) { fatalError("made in code only") }

    var firstElement: UIView { title }

    func begin() {
        speech = FaceSpeech()
        colour(look.accent)
    }

    func show(_ progress: FaceProgress) {
        let count = Int(progress.count)
        if dots.subviews.count != count {
            for dot in dots.subviews { dot.removeFromSuperview() }
            for _ in 0..<count { dots.addSubview(UIView(frame: .zero)) }
            setNeedsLayout()
        }
        for (index, dot) in dots.subviews.enumerated() {
            dot.backgroundColor = index < Int(progress.done) ? FaceStyle.good : FaceStyle.line
        }
        say(progress.sentences)
    }

    func showPassed() {
        for dot in dots.subviews { dot.backgroundColor = FaceStyle.good }
        colour(FaceStyle.good)
        say([.passed])
    }

    /// Shows the instruction and the obstacle, and lets VoiceOver speak them once.
    private func say(_ sentences: [FaceSentence]) {
        guard speech.say(sentences, in: language) else { return }
        prompt.text = sentences.first?.text(in: language)
        hint.text = sentences.dropFirst().first?.text(in: language) ?? ""
        setNeedsLayout()
    }

    private func colour(_ color: UIColor) {
        ring.layer.borderColor = color.resolvedColor(with: traitCollection).cgColor
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        let area = bounds.inset(by: safeAreaInsets)
        let width = max(area.width - 2 * FaceStyle.margin, 0)
        func height(_ label: UILabel) -> CGFloat { label.sizeThatFits(CGSize(width: width, height: 10_000)).height }
        let texts = height(title) + height(prompt) + height(hint)
        let side = max(min(width, area.height - 52 - texts - 96), 96)
        var y = area.minY + 52
        func place(_ view: UIView, _ height: CGFloat) {
            view.frame = CGRect(x: area.minX + FaceStyle.margin, y: y, width: width, height: height)
            y += height + 16
        }
        place(title, height(title))
        circle.frame = CGRect(x: area.midX - side / 2, y: y, width: side, height: side)
        ring.frame = circle.frame
        circle.layer.cornerRadius = side / 2
        ring.layer.cornerRadius = side / 2
        preview.frame = circle.bounds
        y += side + 24
        place(prompt, height(prompt))
        place(hint, height(hint))
        place(dots, 10)
        let all = CGFloat(dots.subviews.count) * 22 - 12
        for (index, dot) in dots.subviews.enumerated() {
            dot.frame = CGRect(x: (width - all) / 2 + CGFloat(index) * 22, y: 0, width: 10, height: 10)
            dot.layer.cornerRadius = 5
        }
    }
}
#endif
