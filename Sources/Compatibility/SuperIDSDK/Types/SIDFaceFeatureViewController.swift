#if canImport(UIKit) && !canImport(ObjectiveC)
public import UIKit

/// A view in which a later release of the SDK shows what the camera sees, where there is no Objective-C.
@MainActor open class SIDCameraPreviewView: UIView {}

/// An app's own screen for face attributes, where there is no Objective-C: the same as in SuperIDSDKTypes.
@MainActor open class SIDFaceFeatureViewController: UIViewController {
    private lazy var driving = FaceFeatureDriver(self)

    /// - Parameters:
    ///   - duration: seconds after which no face is an error (-1016); at most 30, and 0 for that.
    ///   - width: points of the preview, at most 480; 0 for that.
    ///   - high: at most 640.
    open func configureFaceFeatureView(withDuration duration: Float, withFrameWidth width: Float, high: Float) -> Bool {
        driving.configure(duration: duration, width: width, height: high)
    }

    open func setupFaceFeatureManager(withPreview previewView: SIDCameraPreviewView?) { driving.show(in: previewView) }

    open func startDetectFaceFeature() { driving.start() }
    open func stopDetectFaceFeature() { driving.stop() }

    /// Whether a face is being looked at.
    public var isDetectingFaceFeature: Bool { driving.isRunning }

    open override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        driving.stop()
    }

    /// Override: a good picture of a face was found.
    open func didFinishDetectFace() {}
    /// Override: what was measured.
    open func getFaceFeatureSucceed(withFeatureInfo featureInfo: [AnyHashable: Any]) {}
    /// Override: an error of the documented codes.
    open func getFaceFeatureFail(_ error: any Error) {}
    /// An AVCaptureVideoPreviewLayer.
    open func getCurrentPreviewLayer() -> Any? { driving.previewLayer }
}
#endif
