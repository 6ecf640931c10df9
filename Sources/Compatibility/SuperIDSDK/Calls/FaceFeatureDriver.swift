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
    /// Lets the class that apps subclass find what drives it.
    static func prepareControllers() {
        #if canImport(ObjectiveC)
        Task { @MainActor in SIDFaceFeatureViewController.driver = { FaceFeatureDriver($0) } }
        #endif
    }
}

/// Runs the sessions of one `SIDFaceFeatureViewController`.
@MainActor final class FaceFeatureDriver: NSObject {
    private weak var owner: SIDFaceFeatureViewController?
    private let shell = SuperIDShell.current
    private let stage: FaceCameraStage
    private var seconds: Float = FaceFeatureDriver.greatest.seconds
    private var running: Task<Void, Never>?

    private static let greatest = (seconds: Float(30), width: Float(480), height: Float(640))

    init(_ owner: SIDFaceFeatureViewController) {
        self.owner = owner
        stage = FaceCameraStage(language: shell.language)
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
        stage.previewLayer.frame = view.bounds
        view.layer.addSublayer(stage.previewLayer)
    }

    var previewLayer: Any? { stage.previewLayer }

    var isRunning: Bool { running != nil }

    /// A second start while one runs does nothing.
    func start() {
        guard running == nil else { return }
        let session: SuperIDSession
        do throws(BenjiError) { session = try SuperIDSession(.attributes, shell) } catch {
            let refusal = SuperIDResults.error(error)
            Task { self.owner?.getFaceFeatureFail(refusal) }
            return
        }
        stage.open(for: .seconds(Double(seconds)))
        running = Task {
            self.end(await session.engine.result(of: session.goal, on: stage))
        }
    }

    func stop() {
        running?.cancel()
        running = nil
        stage.close()
    }

    private func end(_ result: Result<FaceOutcome, BenjiError>) {
        // Stopped: nobody wants to hear.
        guard running != nil, !Task.isCancelled else { return }
        running = nil
        stage.close()
        switch result {
        case .success(.attributes(let values)):
            owner?.didFinishDetectFace()
            owner?.getFaceFeatureSucceed(withFeatureInfo: SuperIDResults.featureInfo(values))
        case .success:
            owner?.getFaceFeatureFail(SuperIDResults.error(BenjiError(.internalError, "another session's result")))
        case .failure(var error):
            if stage.isOver, error.situation == .userCancelled { error.situation = .faceNotFound }
            shell.log("attributes: \(error)")
            owner?.getFaceFeatureFail(SuperIDResults.error(error))
        }
    }
}

#if canImport(ObjectiveC)
extension FaceFeatureDriver: SIDFaceFeatureDriving {}

// A header of ours that names the class brings it along to Objective-C.
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
