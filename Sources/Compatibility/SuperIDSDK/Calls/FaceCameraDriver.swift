#if canImport(UIKit)
import BenjiClient
import BenjiFace
import BenjiFaceTexts
import BenjiProtocol
import Foundation
#if canImport(ObjectiveC)
@_exported public import SuperIDSDKTypes
#else
@_exported import SuperIDSDKTypes
#endif
import UIKit

extension SuperID {
    /// Lets the classes that apps subclass find what drives them.
    static func prepareControllers() {
        #if canImport(ObjectiveC)
        Task { @MainActor in SIDCameraManagerViewController.driver = { FaceCameraDriver($0) } }
        #endif
    }
}

/// Runs the sessions of one `SIDCameraManagerViewController`.
@MainActor final class FaceCameraDriver: NSObject {
    private weak var owner: SIDCameraManagerViewController?
    private let shell = SuperIDShell.current
    private let stage: FaceCameraStage
    private weak var preview: UIView?
    private var seconds: Float = FaceCameraDriver.greatest.seconds
    private var running: Task<Void, Never>?

    private static let greatest = (seconds: Float(30), width: Float(480), height: Float(640))

    init(_ owner: SIDCameraManagerViewController) {
        self.owner = owner
        stage = FaceCameraStage(language: shell.language, themeColor: shell.themeColor)
        super.init()
        stage.passed = { [weak self] in (self?.owner as? any SIDSearchFaceProtocol)?.hasGetTheUserFace() }
    }

    func configure(duration: Float, width: Float, height: Float) -> Bool {
        let limits = Self.greatest
        guard (0...limits.seconds).contains(duration), (0...limits.width).contains(width),
            (0...limits.height).contains(height), (try? shell.engine()) != nil
        else { return false }
        seconds = duration == 0 ? limits.seconds : duration
        stage.previewLayer.frame = CGRect(
            x: 0, y: 0, width: CGFloat(width == 0 ? limits.width : width),
            height: CGFloat(height == 0 ? limits.height : height))
        return true
    }

    func show(in view: UIView?) {
        guard let view else { return }
        preview = view
        stage.previewLayer.frame = view.bounds
        view.layer.addSublayer(stage.previewLayer)
    }

    var previewLayer: Any? { stage.previewLayer }

    var isRunning: Bool { running != nil }

    func startFeature() {
        start(.attributes) { driver in
            driver.stage.open(for: .seconds(Double(driver.seconds)))
        }
    }

    func startSearch(from sourceID: String?, in groupID: String?) {
        start(.search(source: sourceID, group: groupID)) { driver in
            // Here the person has to do something: whoever does not show a preview still tells them.
            driver.stage.promptView = driver.preview ?? driver.owner?.viewIfLoaded
            driver.stage.host = driver.owner
            driver.stage.open(for: nil)
        }
    }

    /// A second start while one runs does nothing.
    private func start(_ kind: SuperIDSession.Kind, _ open: (FaceCameraDriver) -> Void) {
        guard running == nil else { return }
        let session: SuperIDSession
        do throws(BenjiError) { session = try SuperIDSession(kind, shell) } catch {
            shell.log("no session: \(error)")
            return tellLater(SuperIDAnswer(refusing: kind, SuperIDResults.error(error)))
        }
        // A preview may have been laid out since.
        if let preview { stage.previewLayer.frame = preview.bounds }
        open(self)
        running = Task { self.end(session, await session.engine.result(of: session.goal, on: stage)) }
    }

    func stop() {
        running?.cancel()
        running = nil
        stage.close()
    }

    private func end(_ session: SuperIDSession, _ result: Result<FaceOutcome, BenjiError>) {
        // Stopped: nobody wants to hear.
        guard running != nil, !Task.isCancelled else { return }
        running = nil
        stage.close()
        var result = result
        if stage.isOver, case .failure(var error) = result, error.situation == .userCancelled {
            error.situation = .faceNotFound
            result = .failure(error)
        }
        tell(session.answer(result))
    }

    private func tellLater(_ answer: SuperIDAnswer) {
        nonisolated(unsafe) let answer = answer
        Task { self.tell(answer) }
    }

    private func tell(_ answer: SuperIDAnswer) {
        switch answer {
        case .feature(let info, let error):
            let owner = owner as? SIDFaceFeatureViewController
            if let info {
                owner?.didFinishDetectFace()
                owner?.getFaceFeatureSucceed(withFeatureInfo: info)
            } else if let error {
                owner?.getFaceFeatureFail(error)
            }
        case .found(let search):
            let owner = owner as? any SIDSearchFaceProtocol
            switch search {
            case .somebody(let openID): owner?.groupCompareResult(true, usersArray: [openID])
            case .nobody: owner?.groupCompareResult(false, usersArray: [])
            case .notLive: owner?.userCannotPassLivenessDetect()
            }
        default: break
        }
    }
}

#if canImport(ObjectiveC)
extension FaceCameraDriver: SIDCameraDriving {}

// A header of ours that names the classes brings them along to Objective-C.
extension SIDFaceFeatureViewController {
    /// Whether a face is being looked at.
    @objc public var isDetectingFaceFeature: Bool { driving?.isRunning ?? false }
}
#endif
#else
extension SuperID {
    static func prepareControllers() {}
}
#endif
