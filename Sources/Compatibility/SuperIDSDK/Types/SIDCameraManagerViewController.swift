// Where there is no Objective-C: the same as in SuperIDSDKTypes.
#if canImport(UIKit) && !canImport(ObjectiveC)
public import UIKit

/// A view in which a later release of the SDK shows what the camera sees.
@MainActor open class SIDCameraPreviewView: UIView {}

/// Whether there is a camera that may be used.
public enum SIDAVCamSetupResult: Int, Sendable { case success, cameraNotAuthorized, sessionConfigurationFailed }

/// The camera that a screen begins with.
public enum SIDPreferCameraDevicePosition: Int, Sendable {
    case back = 1
    case front
}

/// The base of an app's own screens with the camera, and a screen of its own for a liveness check.
@MainActor open class SIDCameraManagerViewController: UIViewController {
    lazy var driving = FaceCameraDriver(self)

    open override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        driving.stop()
    }

    open func configureCameraManager(
        withLivenessDetectFlag flag: Bool, sidPreview previewView: SIDCameraPreviewView?,
        cameraPositon positon: SIDPreferCameraDevicePosition
    ) -> Bool {
        guard driving.configure(detectsLiveness: flag, position: positon.rawValue) else { return false }
        driving.show(in: previewView)
        return true
    }

    open func startLivenessDetect() { driving.startLiveness() }
    open func startLivenessDetectUnderNightMode() {
        driving.isLit = true
        driving.startLiveness()
    }
    open func stopLivenssDetect() { driving.stop() }
    open func stopCameraSession() { driving.stop() }
    open func destoryCameraModule() { driving.stop() }
    open func isGetFace() -> Bool { driving.hasFoundFace }
    open func getCameraSetupResult() -> SIDAVCamSetupResult {
        SIDAVCamSetupResult(rawValue: driving.setupResult) ?? .success
    }

    open func configNightMode(in view: UIView?) { driving.light(in: view) }
    open func enableNightMode() { driving.isLightAllowed = true }
    open func isNightModeEnable() -> Bool { driving.isLightAllowed }
    open func openNightMode() { driving.isLit = true }
    open func closeNightMode() { driving.isLit = false }
    /// Without Objective-C there is no gesture to add.
    open func openDoubleTapGesture() { driving.hearsDoubleTaps = true }
    open func enableDoubleTap() { driving.hearsDoubleTaps = true }
    open func disableDoubleTap() { driving.hearsDoubleTaps = false }
    /// Does nothing: no picture is kept.
    open func enableAutoSaveAvatar() {}
    /// Does nothing: no points are drawn.
    open func hideFaceLandmarks() {}

    /// Override: it is the account's face.
    open func finishGetFace(withLivenessScore score: Float) {}
    /// Override: it ended without that.
    open func overTimeGetFace() {}
    /// Override: the person does not let the app use the camera.
    open func cannotAccessCamera() {}
}

/// An app's own screen for face attributes.
@MainActor open class SIDFaceFeatureViewController: SIDCameraManagerViewController {
    /// - Parameters:
    ///   - duration: seconds after which no face is an error (-1016); at most 30, and 0 for that.
    ///   - width: points of the preview, at most 480; 0 for that.
    ///   - high: at most 640.
    open func configureFaceFeatureView(withDuration duration: Float, withFrameWidth width: Float, high: Float) -> Bool {
        driving.configure(duration: duration, width: width, height: high)
    }

    open func setupFaceFeatureManager(withPreview previewView: SIDCameraPreviewView?) { driving.show(in: previewView) }

    open func startDetectFaceFeature() { driving.startFeature() }
    open func stopDetectFaceFeature() { driving.stop() }

    /// Whether a face is being looked at.
    public var isDetectingFaceFeature: Bool { driving.isRunning }

    /// Override: a good picture of a face was found.
    open func didFinishDetectFace() {}
    /// Override: the measured attributes.
    open func getFaceFeatureSucceed(withFeatureInfo featureInfo: [AnyHashable: Any]) {}
    /// Override: an error of the documented codes.
    open func getFaceFeatureFail(_ error: any Error) {}
    /// An AVCaptureVideoPreviewLayer.
    open func getCurrentPreviewLayer() -> Any? { driving.previewLayer }
}

/// The callbacks of an app's own screen for a search.
@MainActor public protocol SIDSearchFaceProtocol: AnyObject {
    /// - Parameter usersArray: the openId of the one person who was found, or nothing.
    func groupCompareResult(_ isSucceed: Bool, usersArray: [Any])
    func userCannotPassLivenessDetect()
    func hasGetTheUserFace()
}

/// An app's own screen that looks for a face in one of the app's groups.
@MainActor open class SIDSearchFaceViewController: SIDCameraManagerViewController {
    open func setupSearchFaceManager(withPreview previewView: SIDCameraPreviewView?) { driving.show(in: previewView) }

    open func startDetectFace(withSourceId sourceId: String?, groupId: String?) {
        driving.startSearch(from: sourceId, in: groupId)
    }
}
#endif
