#if canImport(UIKit) && canImport(AVFoundation) && canImport(CoreImage)
import BenjiFaceTexts
import BenjiPage
import BenjiPageUIKit
import UIKit

/// One question with a yes and a no, over an app's own screen.
@MainActor final class FaceQuestionViewController: UIViewController {
    private let question: FaceQuestion
    private let words: Language
    private let theme: UIColor?
    private let surroundings: FaceViewController.Surroundings
    private var waiting: CheckedContinuation<FaceReply, Never>?
    private var screen: UIView?

    init(
        _ question: FaceQuestion, _ words: Language, _ theme: UIColor?,
        _ surroundings: FaceViewController.Surroundings
    ) {
        self.question = question
        self.words = words
        self.theme = theme
        self.surroundings = surroundings
        super.init(nibName: nil, bundle: nil)
        // The app's screen stays under it: its camera's view does not disappear.
        modalPresentationStyle = .overFullScreen
    }

    @available(*, unavailable) required init?(coder: NSCoder) { fatalError("made in code only") }

    override var supportedInterfaceOrientations: UIInterfaceOrientationMask {
        UIInterfaceOrientationMask.portrait.within(self)
    }

    /// Shows itself and waits for what the person decides. Its screen is gone when it answers.
    func ask(over host: UIViewController) async -> FaceReply {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: .left) }
                waiting = continuation
                host.present(self, animated: true, completion: nil)
            }
        } onCancel: {
            Task { @MainActor in self.leave() }
        }
    }

    func leave() { end(.left) }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = FaceStyle.background
        let shown = FaceConsentView(
            question, language: words, look: FaceLook(traits: traitCollection, theme: theme), now: surroundings.now
        ) { [weak self] in self?.end($0) }
        guard let shown else { return }
        screen = shown
        view.addSubview(shown)
        UIAccessibility.post(notification: .screenChanged, argument: shown.firstElement)
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        screen?.frame = view.bounds
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        // The app took it down.
        reply(.left)
    }

    override func accessibilityPerformEscape() -> Bool {
        leave()
        return true
    }

    private func end(_ decision: FaceReply) {
        guard waiting != nil else { return }
        guard presentingViewController != nil, !isBeingDismissed else { return reply(decision) }
        let answer = decision
        let continuation = waiting
        waiting = nil
        dismiss(animated: true) { continuation?.resume(returning: answer) }
    }

    private func reply(_ decision: FaceReply) {
        waiting?.resume(returning: decision)
        waiting = nil
    }
}
#endif
