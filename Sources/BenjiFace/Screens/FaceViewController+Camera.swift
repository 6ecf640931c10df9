#if canImport(UIKit) && canImport(AVFoundation) && canImport(CoreImage)
import AVFoundation
public import BenjiFaceProtocol
import BenjiFaceTexts
import BenjiProtocol
import Foundation
import UIKit

// The camera, and how it ends.
extension FaceViewController {
    func openCamera() async -> FaceReply {
        let reel = reel
        let camera =
            camera
            ?? DeviceCamera(elapsed: surroundings.elapsed) { frame, count in
                Task { @MainActor in reel.add(frame, of: count) }
            }
        self.camera = camera
        switch await camera.start(isDeclared: surroundings.declaresCamera()) {
        case .running:
            // The person may have left while they were asked.
            guard !hasLeft else {
                camera.stop()
                return .left
            }
            showCapture(camera)
            return .ready
        case .denied: return .cameraDenied
        case .failed: return .cameraFailed
        }
    }

    @discardableResult
    func showCapture(_ camera: DeviceCamera) -> FaceCaptureView {
        if let capture = screen as? FaceCaptureView { return capture }
        let title: FaceSentence =
            switch goal {
            case .logIn: .loginTitle
            case .bind: .bindTitle
            case .verify: .loginTitle
            case .attributes: .attributesTitle
            case .search: .searchTitle
            }
        let capture = FaceCaptureView(
            title: title.text(in: words), session: camera.session, language: words, look: look)
        show(capture, beginningAt: capture.firstElement)
        return capture
    }

    public func frames(atMost count: Int) async -> [FaceFrame]? { await reel.next(atMost: count) }

    public func tell(_ notice: FaceNotice) async {
        switch notice {
        case .challenge(let pace):
            guard let camera else { return }
            showCapture(camera).begin()
            reel.begin(camera.beginCounting(pace: pace))
        case .due(let progress): (screen as? FaceCaptureView)?.show(progress)
        case .passed:
            camera?.stop()
            (screen as? FaceCaptureView)?.showPassed()
        case .ended(let situation): showEnd(situation)
        }
    }

    /// Why the person cannot go on, with a way to the settings where that helps.
    func showEnd(_ situation: Situation) {
        guard !hasLeft else { return }
        camera?.stop()
        var buttons: [(FaceSentence, @MainActor () -> Void)] = [(.otherWay, { [weak self] in self?.sayGoodbye() })]
        if situation == .cameraDenied {
            buttons.insert((.openSettings, { [weak self] in self?.openSettings() }), at: 0)
        }
        let message = FaceMessageView(
            title: situation == .cameraDenied ? .cameraRefusedTitle : .loginTitle, text: situation.faceSentence,
            language: words, look: look, buttons: buttons)
        show(message, beginningAt: message.firstElement)
    }

    func openSettings() {
        if let url = URL(string: UIApplication.openSettingsURLString) {
            UIApplication.shared.open(url, options: [:], completionHandler: nil)
        }
        sayGoodbye()
    }

    /// The person has read why the session ended.
    func sayGoodbye() {
        farewell?.resume()
        farewell = nil
        if screen is FaceMessageView { isRead = true }
    }
}
#endif
