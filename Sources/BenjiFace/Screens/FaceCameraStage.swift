#if canImport(UIKit) && canImport(AVFoundation) && canImport(CoreImage)
import AVFoundation
public import BenjiClient
public import BenjiFaceProtocol
import BenjiFaceTexts
public import BenjiPage
import Foundation
public import UIKit

/// A camera without a screen: for apps that draw their own around ``previewLayer``. What a person must be asked before
/// a search is shown over the app's ``host``.
@MainActor public final class FaceCameraStage: FaceStage {
    /// The camera's picture, once it runs.
    public let previewLayer: CALayer
    private let words: Language
    private let surroundings: FaceViewController.Surroundings
    private let camera: DeviceCamera
    private let reel: FaceReel
    private var timer: Task<Void, Never>?
    private var isOpen = false
    /// Whether there is a camera that may be used, as far as it is known.
    public enum Access: Hashable, Sendable { case ready, denied, failed }
    private var hasFailed = false
    public var access: Access { camera.isDenied ? .denied : hasFailed ? .failed : .ready }

    /// The camera on the other side of the phone. It stays the one that was chosen when it first ran.
    public var usesBackCamera = false {
        didSet { camera.use(usesBackCamera ? .back : .front) }
    }

    /// The time allowed has passed.
    public private(set) var isOver = false
    /// Over which questions are asked. Without one the answer to each is no.
    public weak var host: UIViewController?
    /// At whose lower edge the person is told what to do; without one they are told nothing.
    public weak var promptView: UIView?
    /// Called when the challenge is passed.
    public var passed: (@MainActor () -> Void)?
    private var prompt: FacePromptLabel?
    private weak var question: FaceQuestionViewController?
    private let theme: UIColor?

    /// - Parameter language: without one, the first of the person's languages decides.
    public convenience init(language: Language? = nil, themeColor: UIColor? = nil) {
        self.init(language: language, themeColor: themeColor, surroundings: FaceViewController.Surroundings.current)
    }

    package init(language: Language?, themeColor: UIColor?, surroundings: FaceViewController.Surroundings) {
        theme = themeColor
        words = language ?? Language(preferred: surroundings.languages)
        self.surroundings = surroundings
        let reel = FaceReel()
        self.reel = reel
        let camera = DeviceCamera(elapsed: surroundings.elapsed) { frame, count in
            Task { @MainActor in reel.add(frame, of: count) }
        }
        self.camera = camera
        let layer = AVCaptureVideoPreviewLayer(session: camera.session)
        layer.videoGravity = .resizeAspectFill
        previewLayer = layer
    }

    /// Before a session.
    ///
    /// - Parameter duration: after which it ends without a face, if it ends by itself.
    public func open(for duration: Duration?) {
        (isOpen, isOver) = (true, false)
        reel.open()
        timer?.cancel()
        timer = duration.map { duration in
            Task {
                guard (try? await surroundings.sleep(duration)) != nil, !Task.isCancelled else { return }
                self.timeIsUp()
            }
        }
    }

    /// Turns the camera off and ends the session.
    public func close() {
        isOpen = false
        timer?.cancel()
        timer = nil
        reel.close()
        camera.stop()
        prompt?.removeFromSuperview()
        prompt = nil
        question?.leave()
    }

    package func timeIsUp() {
        guard isOpen else { return }
        isOver = true
        close()
    }

    public var language: String { words.rawValue }

    public func numberPage() async -> any AuthorizationPresenter { NoPage() }

    /// The camera is answered, another attempt while there is time, and what the ``host`` asks the person.
    public func answer(_ question: FaceQuestion) async -> FaceReply {
        guard isOpen else { return .left }
        switch question {
        case .camera: return await startCamera()
        // The attempt may have failed because the camera was taken away.
        case .retry: return await camera.isRunning ? .ready : startCamera()
        case .consent, .searchConsent, .authorization, .groups: return await ask(question)
        case .profile: return .declined
        }
    }

    private func startCamera() async -> FaceReply {
        let start = await camera.start(isDeclared: surroundings.declaresCamera())
        hasFailed = start == .failed
        // Closed while the person was asked.
        if !isOpen { camera.stop() }
        return switch start {
        case .running: isOpen ? .ready : .left
        case .denied: .cameraDenied
        case .failed: .cameraFailed
        }
    }

    private func ask(_ question: FaceQuestion) async -> FaceReply {
        guard let host, host.viewIfLoaded?.window != nil, host.presentedViewController == nil else { return .declined }
        let screen = FaceQuestionViewController(question, words, theme, surroundings)
        self.question = screen
        return await screen.ask(over: host)
    }

    public func tell(_ notice: FaceNotice) async {
        switch notice {
        case .challenge(let pace):
            reel.begin(camera.beginCounting(pace: pace))
        case .due(let progress):
            guard let promptView else { return }
            if prompt?.superview !== promptView { prompt?.removeFromSuperview() }
            let label = prompt ?? FacePromptLabel(words, FaceLook(traits: promptView.traitCollection))
            prompt = label
            label.show(progress, in: promptView)
        case .passed:
            camera.endCounting()
            passed?()
        case .ended: camera.endCounting()
        }
    }

    public func frames(atMost count: Int) async -> [FaceFrame]? { await reel.next(atMost: count) }
}

private struct NoPage: AuthorizationPresenter {
    func present(_ offer: PageOffer) async -> PresentationOutcome { .failed("a camera alone shows no page") }
}
#endif
