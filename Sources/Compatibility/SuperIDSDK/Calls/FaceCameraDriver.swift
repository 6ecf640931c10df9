#if canImport(UIKit)
import BenjiClient
import BenjiFace
import BenjiFaceProtocol
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
    /// A session that was stopped, and may not have ended yet.
    private(set) var stopped: Task<Void, Never>?
    private var detectsLiveness = true
    private(set) var hasFoundFace = false
    private let lamp = FaceLamp()
    /// Whether a double tap turns the night mode on and off.
    var hearsDoubleTaps = false

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

    /// - Parameter position: a `SIDPreferCameraDevicePosition`.
    func configure(detectsLiveness: Bool, position: Int) -> Bool {
        guard [1, 2].contains(position), (try? shell.engine()) != nil else { return false }
        self.detectsLiveness = detectsLiveness
        stage.usesBackCamera = position == 1
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
            // Here the person has to do something: without a preview the app's own view shows the instructions.
            driver.stage.promptView = driver.preview ?? driver.owner?.viewIfLoaded
            driver.stage.host = driver.owner
            driver.stage.open(for: nil)
        }
    }

    func startLiveness() {
        hasFoundFace = false
        guard detectsLiveness else { return showPreview() }
        start(.verification(attempts: .max)) { driver in
            driver.stage.promptView = driver.preview ?? driver.owner?.viewIfLoaded
            driver.stage.open(for: nil)
        }
    }

    /// Only what the camera sees, until it is stopped.
    private func showPreview() {
        guard running == nil else { return }
        if let preview { stage.previewLayer.frame = preview.bounds }
        stage.open(for: nil)
        running = Task {
            let reply = await stage.answer(.camera)
            guard !Task.isCancelled, reply != .ready else { return }
            running = nil
            stage.close()
            if reply == .cameraDenied { owner?.cannotAccessCamera() } else { owner?.overTimeGetFace() }
        }
    }

    // MARK: night mode

    func light(in view: UIView?) { lamp.view = view }

    var isLightAllowed: Bool {
        get { lamp.isAllowed }
        set { lamp.isAllowed = newValue }
    }

    var isLit: Bool {
        get { lamp.isOn }
        set { if newValue { lamp.turnOn() } else { lamp.turnOff() } }
    }

    func doubleTapped() { if hearsDoubleTaps { isLit.toggle() } }

    /// A `SIDAVCamSetupResult`.
    var setupResult: Int {
        switch stage.access {
        case .ready: 0
        case .denied: 1
        case .failed: 2
        }
    }

    // MARK: sessions

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
        let earlier = stopped
        running = Task {
            await earlier?.value
            self.end(session, await session.engine.result(of: session.goal, on: stage))
        }
    }

    func stop() {
        running?.cancel()
        stopped = running ?? stopped
        running = nil
        stage.close()
        lamp.turnOff()
    }

    private func end(_ session: SuperIDSession, _ result: Result<FaceOutcome, BenjiError>) {
        // Stopped: the result has no receiver.
        guard running != nil, !Task.isCancelled else { return }
        running = nil
        stage.close()
        var result = result
        if stage.isOver, case .failure(var error) = result, error.situation == .userCancelled {
            error.situation = .faceNotFound
            result = .failure(error)
        }
        if stage.access == .denied { owner?.cannotAccessCamera() }
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
        case .verified(.faceVerifySucceed, _):
            (hasFoundFace, hearsDoubleTaps) = (true, false)
            owner?.finishGetFace(withLivenessScore: 1)
        case .verified(.faceVerifyFail, _): if stage.access != .denied { owner?.overTimeGetFace() }
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
