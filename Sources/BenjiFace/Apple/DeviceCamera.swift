#if canImport(UIKit) && canImport(AVFoundation) && canImport(CoreImage)
import AVFoundation
import BenjiFaceProtocol
import BenjiProtocol
import CoreImage
import Dispatch
import Foundation

/// One of the phone's cameras: a session, its preview, and JPEGs at a pace.
///
/// `@unchecked Sendable`: everything that changes is read and written only on `queue`, on which the camera reports as
/// well. `session` is set up there and handed to the preview's layer, which UIKit reads it from.
final class DeviceCamera: NSObject, @unchecked Sendable {
    enum Start: Sendable { case running, denied, failed }

    /// For the layer that shows what the camera sees.
    let session = AVCaptureSession()
    private let queue = DispatchQueue(label: "benji.face.camera")
    private let context = CIContext()
    private let elapsed: @Sendable () -> Duration
    private let deliver: @Sendable (FaceFrame, _ count: Int) -> Void
    private var isSetUp = false
    /// Whether it shall run: it was started and not stopped.
    private var isWanted = false
    private var restartsLeft = 0
    private var observers: [any NSObjectProtocol] = []
    private var position = AVCaptureDevice.Position.front
    private var zero: Duration?
    private var count = 0
    private var next = Duration.zero
    private var pace = Duration.milliseconds(125)

    /// - Parameters:
    ///   - elapsed: measures time.
    ///   - deliver: called on a thread of the camera's own.
    init(elapsed: @escaping @Sendable () -> Duration, deliver: @escaping @Sendable (FaceFrame, _ count: Int) -> Void) {
        self.elapsed = elapsed
        self.deliver = deliver
    }

    deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

    /// The camera of the first start, and of all that follow.
    func use(_ position: AVCaptureDevice.Position) { queue.async { self.position = position } }

    /// Whether the person has said no.
    var isDenied: Bool {
        switch AVCaptureDevice.authorizationStatus(for: .video) {
        case .authorized, .notDetermined: false
        case .denied, .restricted: true
        @unknown default: true
        }
    }

    /// Asks the person for permission, unless that has happened, and starts.
    ///
    /// - Parameter isDeclared: whether the app's property list says what the camera is for. Without that the system
    ///   would end the app instead of asking.
    func start(isDeclared: Bool) async -> Start {
        guard isDeclared else { return .failed }
        switch AVCaptureDevice.authorizationStatus(for: .video) {
        case .authorized: break
        case .notDetermined:
            let granted = await withCheckedContinuation { continuation in
                AVCaptureDevice.requestAccess(for: .video) { continuation.resume(returning: $0) }
            }
            guard granted else { return .denied }
        case .denied, .restricted: return .denied
        @unknown default: return .denied
        }
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.run() ? .running : .failed) }
        }
    }

    /// Pictures count from now on; there are none before.
    ///
    /// - Returns: which count this is: pictures of the one before may still be on their way.
    func beginCounting(pace: Duration) -> Int {
        // Waited for: what the camera sees after this counts.
        queue.sync {
            (self.zero, self.next, self.pace) = (elapsed(), .zero, pace)
            count += 1
            return count
        }
    }

    /// No more pictures until the next ``beginCounting()``.
    func endCounting() { queue.async { self.zero = nil } }

    /// Whether it runs now: a call or another app may have taken it away.
    var isRunning: Bool {
        get async {
            await withCheckedContinuation { done in queue.async { done.resume(returning: self.session.isRunning) } }
        }
    }

    func stop() {
        queue.async {
            self.zero = nil
            self.isWanted = false
            self.session.stopRunning()
        }
    }

    private func run() -> Bool {
        if !isSetUp {
            guard setUp() else { return false }
            isSetUp = true
            observe()
        }
        (isWanted, restartsLeft) = (true, 3)
        session.startRunning()
        // `startRunning()` reports no failure.
        return session.isRunning
    }

    /// After a call or an error the camera goes on, as long as it is wanted.
    private func observe() {
        // By their own names: Swift's have changed from one SDK to the next.
        let ends = ["AVCaptureSessionInterruptionEndedNotification", "AVCaptureSessionRuntimeErrorNotification"]
        observers = ends.map { name in
            NotificationCenter.default.addObserver(
                forName: NSNotification.Name(rawValue: name), object: session, queue: nil
            ) {
                [weak self] _ in self?.goOn()
            }
        }
    }

    private func goOn() {
        queue.async {
            guard self.isWanted, !self.session.isRunning, self.restartsLeft > 0 else { return }
            // A camera that fails at once, each time, is left alone.
            self.restartsLeft -= 1
            self.session.startRunning()
        }
    }

    private func setUp() -> Bool {
        guard let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position),
            let input = try? AVCaptureDeviceInput(device: device)
        else { return false }
        let output = AVCaptureVideoDataOutput()
        output.alwaysDiscardsLateVideoFrames = true
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        if session.canSetSessionPreset(.vga640x480) { session.sessionPreset = .vga640x480 }
        guard session.canAddInput(input), session.canAddOutput(output) else { return false }
        session.addInput(input)
        session.addOutput(output)
        output.setSampleBufferDelegate(self, queue: queue)
        if let connection = output.connection(with: .video) { turnUpright(connection) }
        return true
    }

    /// The sensor lies on its side. The picture is not mirrored: left is the person's own left for the server too.
    private func turnUpright(_ connection: AVCaptureConnection) {
        if #available(iOS 17.0, *) {
            if connection.isVideoRotationAngleSupported(90) { connection.videoRotationAngle = 90 }
        } else if connection.isVideoOrientationSupported {
            connection.videoOrientation = .portrait
        }
        if connection.isVideoMirroringSupported {
            connection.automaticallyAdjustsVideoMirroring = false
            connection.isVideoMirrored = false
        }
    }
}

extension DeviceCamera: AVCaptureVideoDataOutputSampleBufferDelegate {
    func captureOutput(
        _ output: AVCaptureOutput, didOutput buffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        guard let zero else { return }
        let now = elapsed()
        // A camera gives thirty a second: a little early is near enough.
        guard now + .milliseconds(16) >= next else { return }
        guard let image = CMSampleBufferGetImageBuffer(buffer),
            let jpeg = context.jpegRepresentation(
                of: CIImage(cvPixelBuffer: image), colorSpace: CGColorSpaceCreateDeviceRGB(), options: [:])
        else { return }
        next = max(next, now) + pace
        deliver(FaceFrame(milliseconds: Int64((now - zero) / .milliseconds(1)), picture: Array(jpeg)), count)
    }
}
#endif
