#if canImport(UIKit) && canImport(AVFoundation) && canImport(CoreImage)
public import Benji
public import BenjiClient
import BenjiFaceTexts
public import BenjiPage
import BenjiPageUIKit
import BenjiProtocol
import Foundation
public import UIKit

/// Walks a person through a face session: number, consent, camera, name and picture, authorisation.
///
/// Make one for each session and present it. The session begins when it appears, and when it is over the controller
/// takes itself down and says how it ended, once:
///
/// ```swift
/// let screen = FaceViewController(faces, .logIn()) { result in … }
/// present(screen, animated: true)
/// ```
///
/// An app that takes it down earlier ends the session. The app's `Info.plist` must say what the camera is for
/// (`NSCameraUsageDescription`).
@MainActor public final class FaceViewController: UIViewController, FaceStage {
    /// The choices of an app.
    public struct Options {
        /// Without one, the first of the person's languages decides (`Language.init(preferred:)`).
        public var language: Language?
        /// The page on which the number is proven. It should link the app's own terms.
        public var numberPage = PageDescription()
        /// The page on which it is proven by a code by SMS where one tap cannot work. There is none unless the app
        /// gives one. A server takes such a number for a face only with its operator's `face.least-assurance: sms`.
        public var smsPage: (any SMSPresenter)?
        /// The colour of the ring and of the buttons that go on; a button that says no keeps its own.
        public var themeColor: UIColor?
        /// How often the person may try to show their face. The server's own limit applies too.
        public var attempts = Int.max

        public init() {}
    }

    let faces: FaceLogin
    let goal: FaceGoal
    let options: Options
    let surroundings: Surroundings
    var completion: (@MainActor (Result<FaceOutcome, BenjiError>) -> Void)?
    let words: Language
    package var themeColor: UIColor? { options.themeColor }
    var look: FaceLook { FaceLook(traits: traitCollection, theme: options.themeColor) }

    var session: Task<Void, Never>?
    /// The screen that is shown, and the continuation that waits for the person's action on it.
    var screen: UIView?
    var waiting: CheckedContinuation<FaceReply, Never>?
    let close = UIButton(type: .custom)
    var numberPresenter: PagePresenter?
    var picker: AvatarPicker?
    var camera: DeviceCamera?
    let reel = FaceReel()
    var hasLeft = false
    /// The continuation that waits until the person has read the result.
    var farewell: CheckedContinuation<Void, Never>?
    var isRead = false

    /// - Parameter completion: called on the main thread, once, after the controller is gone; never if it has not
    ///   appeared.
    public convenience init(
        _ faces: FaceLogin, _ goal: FaceGoal, options: Options = Options(),
        completion: @escaping @MainActor (Result<FaceOutcome, BenjiError>) -> Void
    ) {
        self.init(faces, goal, options: options, surroundings: .current, completion: completion)
    }

    package init(
        _ faces: FaceLogin, _ goal: FaceGoal, options: Options, surroundings: Surroundings,
        completion: @escaping @MainActor (Result<FaceOutcome, BenjiError>) -> Void
    ) {
        self.faces = faces
        self.goal = goal
        self.options = options
        self.surroundings = surroundings
        self.completion = completion
        words = options.language ?? Language(preferred: surroundings.languages)
        super.init(nibName: nil, bundle: nil)
        modalPresentationStyle = .fullScreen
        isModalInPresentation = true
    }

    @available(*, unavailable) public required init?(coder: NSCoder) { fatalError("made in code only") }

    public override var supportedInterfaceOrientations: UIInterfaceOrientationMask {
        UIInterfaceOrientationMask.portrait.within(self)
    }

    public override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = FaceStyle.background
        close.setTitle("✕", for: .normal)
        close.setTitleColor(FaceStyle.text, for: .normal)
        close.accessibilityLabel = FaceSentence.close.text(in: words)
        close.addAction(UIAction { [weak self] _ in self?.leave() }, for: .touchUpInside)
        view.addSubview(close)
        show(FaceWaitView(.checking, words, look))
    }

    public override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        guard session == nil else { return }
        session = Task {
            await self.end(await faces.engine.result(of: goal, attempts: options.attempts, on: self))
        }
    }

    public override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        // Covered by a page or a picker of its own it is still there.
        if isGoing || (presentingViewController == nil && parent == nil) { leave() }
    }

    /// Itself, or whatever it stands in.
    private var isGoing: Bool {
        sequence(first: self as UIViewController, next: \.parent)
            .contains { $0.isBeingDismissed || $0.isMovingFromParent }
    }

    public override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        screen?.frame = view.bounds
        close.frame = CGRect(
            x: view.safeAreaInsets.left + 8, y: view.safeAreaInsets.top + 4, width: 44, height: 44)
    }

    public override func accessibilityPerformEscape() -> Bool {
        leave()
        return true
    }

    // MARK: contents of the screen

    func show(_ next: UIView, beginningAt element: UIView? = nil) {
        screen?.removeFromSuperview()
        screen = next
        isRead = false
        next.frame = view.bounds
        view.insertSubview(next, at: 0)
        view.setNeedsLayout()
        UIAccessibility.post(notification: .screenChanged, argument: element)
    }

    func leave() {
        sayGoodbye()
        guard !hasLeft else { return }
        hasLeft = true
        reel.close()
        reply(.left)
    }

    func reply(_ reply: FaceReply) {
        waiting?.resume(returning: reply)
        waiting = nil
    }

    func end(_ result: Result<FaceOutcome, BenjiError>) async {
        camera?.stop()
        await numberPresenter?.close(animated: false)
        let told = completion
        completion = nil
        if presentingViewController != nil, !isGoing {
            // Somebody who was refused reads why before the screen goes.
            if case .failure(let error) = result, screen is FaceMessageView, !isRead, !hasLeft,
                error.situation != .userCancelled
            {
                await withCheckedContinuation { farewell = $0 }
            }
            hasLeft = true
            await withCheckedContinuation { continuation in
                guard presentingViewController != nil, !isGoing else { return continuation.resume() }
                dismiss(animated: true) { continuation.resume() }
            }
        }
        told?(result)
    }
}
#endif
