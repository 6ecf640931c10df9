#if canImport(UIKit) && canImport(AVFoundation) && canImport(CoreImage)
import AVFoundation
public import BenjiClient
public import BenjiFaceTexts
public import BenjiProtocol
import Foundation
public import UIKit

/// A camera without a screen: for apps that draw their own around ``previewLayer`` and only look at a face that is known.
@MainActor public final class FaceCameraStage: FaceStage {
    /// What the camera sees, once it runs.
    public let previewLayer: CALayer
    private let words: FaceLanguage
    private let surroundings: FaceViewController.Surroundings
    private let camera: DeviceCamera
    private let reel: FaceReel
    private var timer: Task<Void, Never>?
    private var isOpen = false
    /// The time allowed has passed.
    public private(set) var isOver = false
    /// Hears what the person should be told.
    public var prompt: (@MainActor (FaceSentence, _ hint: FaceSentence?) -> Void)?

    /// - Parameter language: without one, the first of the person's languages decides.
    public convenience init(language: FaceLanguage? = nil) {
        self.init(language: language, surroundings: FaceViewController.Surroundings.current)
    }

    package init(language: FaceLanguage?, surroundings: FaceViewController.Surroundings) {
        words = language ?? FaceLanguage(preferred: surroundings.languages)
        self.surroundings = surroundings
        let reel = FaceReel()
        self.reel = reel
        let camera = DeviceCamera(elapsed: surroundings.elapsed) { frame in Task { @MainActor in reel.add(frame) } }
        self.camera = camera
        let layer = AVCaptureVideoPreviewLayer(session: camera.session)
        layer.videoGravity = .resizeAspectFill
        previewLayer = layer
    }

    /// Before a session.
    ///
    /// - Parameter duration: after which it ends without a face.
    public func open(for duration: Duration) {
        (isOpen, isOver) = (true, false)
        reel.open()
        timer?.cancel()
        timer = Task {
            guard (try? await Task.sleep(for: duration)) != nil, !Task.isCancelled else { return }
            self.timeIsUp()
        }
    }

    /// Turns the camera off and ends the session.
    public func close() {
        isOpen = false
        timer?.cancel()
        timer = nil
        reel.close()
        camera.stop()
    }

    package func timeIsUp() {
        guard isOpen else { return }
        isOver = true
        close()
    }

    public var language: String { words.rawValue }

    public func numberPage() async -> any AuthorizationPresenter { NoPage() }

    /// There is no screen to ask anything on: only the camera is answered, and another attempt while there is time.
    public func answer(_ question: FaceQuestion) async -> FaceReply {
        guard isOpen else { return .left }
        switch question {
        case .camera:
            return switch await camera.start(isDeclared: surroundings.declaresCamera()) {
            case .running: isOpen ? .ready : .left
            case .denied: .cameraDenied
            case .failed: .cameraFailed
            }
        case .retry: return .ready
        case .consent, .authorization, .profile: return .declined
        }
    }

    public func tell(_ notice: FaceNotice) async {
        switch notice {
        case .challenge(let pace):
            reel.clear()
            camera.beginCounting(pace: pace)
        case .due(let progress):
            prompt?(
                FaceSentence(rawValue: progress.prompt) ?? .placeFace,
                progress.hint.flatMap(FaceSentence.init(rawValue:)))
        case .passed, .ended: camera.endCounting()
        }
    }

    public func frames(atMost count: Int) async -> [FaceFrame]? { await reel.next(atMost: count) }
}

private struct NoPage: AuthorizationPresenter {
    func present(_ offer: PageOffer) async -> PresentationOutcome { .failed("a camera alone shows no page") }
}
#endif
