@_exported public import CoreMedia
public import Dispatch
import Foundation
public import UIKit

public struct AVMediaType: Hashable, Sendable, RawRepresentable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let video = Self(rawValue: "vide")
}

public enum AVAuthorizationStatus: Int, Sendable { case notDetermined, restricted, denied, authorized }
public enum AVCaptureVideoOrientation: Int, Sendable {
    case portrait = 1
    case portraitUpsideDown, landscapeRight, landscapeLeft
}

/// Test hook: the phone's camera and the person's word about it. There is one: tests that use it take turns (``turn``).
public enum StandInCamera {
    private struct State {
        var status = AVAuthorizationStatus.notDetermined
        var answer = true
        var isThere = true
        var isBroken = false
        var refusesToRun = false
        var questions = 0
        var isUndecided = false
        var undecided: [@Sendable () -> Void] = []
        var starts = 0
        var running: [AVCaptureSession] = []
    }

    // The camera works on a queue of its own while a test looks on.
    private static let lock = NSLock()
    nonisolated(unsafe) private static var state = State()

    private static func with<Result>(_ body: (inout State) -> Result) -> Result { lock.withLock { body(&state) } }

    /// Admits one test at a time to the camera.
    public static let turn = StandInTurn()

    /// The person's choice in Settings.
    public static var status: AVAuthorizationStatus {
        get { with { $0.status } }
        set { with { $0.status = newValue } }
    }
    /// The person's answer when the system asks.
    public static var answer: Bool {
        get { with { $0.answer } }
        set { with { $0.answer = newValue } }
    }
    public static var isThere: Bool {
        get { with { $0.isThere } }
        set { with { $0.isThere = newValue } }
    }
    public static var isBroken: Bool {
        get { with { $0.isBroken } }
        set { with { $0.isBroken = newValue } }
    }
    /// Whether sessions that are started do not run.
    public static var refusesToRun: Bool {
        get { with { $0.refusesToRun } }
        set { with { $0.refusesToRun = newValue } }
    }

    /// A call, or another app, takes the camera away; the session stays as it is afterwards.
    public static func interrupt() { takeAway("AVCaptureSessionWasInterruptedNotification") }

    /// The call is over.
    public static func endInterruption(of sessions: [AVCaptureSession]) {
        for session in sessions { tell("AVCaptureSessionInterruptionEndedNotification", session) }
    }

    /// The camera stops with an error.
    public static func fail() { takeAway("AVCaptureSessionRuntimeErrorNotification") }

    private static func takeAway(_ name: String) {
        for session in running {
            session.stopRunning()
            tell(name, session)
        }
    }

    private static func tell(_ name: String, _ session: AVCaptureSession) {
        NotificationCenter.default.post(name: Notification.Name(name), object: session)
    }

    /// Whether the person leaves the system's question on the screen. Once this is false they answer.
    public static var isUndecided: Bool {
        get { with { $0.isUndecided } }
        set {
            let acts = with { state in
                state.isUndecided = newValue
                defer { if !newValue { state.undecided = [] } }
                return newValue ? [] : state.undecided
            }
            for act in acts { act() }
        }
    }
    /// Whether the system's question is on the screen.
    public static var isAsking: Bool { with { !$0.undecided.isEmpty } }
    /// How often a camera was turned on.
    public static var starts: Int { with { $0.starts } }
    /// How often the system asked.
    public static var questions: Int { with { $0.questions } }
    public static var running: [AVCaptureSession] { with { $0.running } }

    /// On which sides of the phone cameras are running.
    public static var positions: [AVCaptureDevice.Position] {
        running.flatMap { $0.inputs.compactMap { ($0 as? AVCaptureDeviceInput)?.device.position } }
    }

    /// Restores the initial state, with the system's first question still to come.
    public static func reset() { with { $0 = State() } }

    /// Hands a picture to everybody who looks through the camera now. Comes back when all of them have had it.
    public static func show(_ jpeg: Data?) {
        for session in running {
            for case let output as AVCaptureVideoDataOutput in session.outputs { output.take(jpeg) }
        }
    }

    /// Returns when the sessions have finished earlier requests, on their own thread.
    public static func settle(_ sessions: [AVCaptureSession]) {
        for session in sessions {
            for case let output as AVCaptureVideoDataOutput in session.outputs { output.settle() }
        }
    }

    static func whenDecided(_ act: @escaping @Sendable () -> Void) {
        let isKept = with { state in
            if state.isUndecided { state.undecided.append(act) }
            return state.isUndecided
        }
        if !isKept { act() }
    }

    /// Asks the person if no session has asked before. Returns whether the camera may be used.
    static func ask() -> Bool {
        with { state in
            if state.status == .notDetermined {
                state.questions += 1
                state.status = state.answer ? .authorized : .denied
            }
            return state.status == .authorized
        }
    }

    static func set(_ session: AVCaptureSession, running isRunning: Bool) {
        with { state in
            state.running.removeAll { $0 === session }
            guard isRunning else { return }
            state.running.append(session)
            state.starts += 1
        }
    }
}

/// Lets one test at a time use what there is one of.
public actor StandInTurn {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    public func take() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    public func leave() {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        isTaken = false
    }
}

open class AVCaptureDevice: NSObject, @unchecked Sendable {
    public struct DeviceType: Hashable, Sendable {
        public static let builtInWideAngleCamera = DeviceType()
    }
    public enum Position: Int, Sendable { case unspecified, back, front }

    public let position: Position
    init(_ position: Position) { self.position = position }

    open class func `default`(
        _ type: DeviceType, for media: AVMediaType?, position: Position
    ) -> AVCaptureDevice? {
        StandInCamera.isThere ? AVCaptureDevice(position) : nil
    }

    open class func authorizationStatus(for type: AVMediaType) -> AVAuthorizationStatus { StandInCamera.status }

    /// Answers on another thread, as the system does.
    open class func requestAccess(
        for type: AVMediaType, completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        StandInCamera.whenDecided {
            let granted = StandInCamera.ask()
            DispatchQueue.global().async { completionHandler(granted) }
        }
    }
}

open class AVCaptureInput: NSObject {}

open class AVCaptureDeviceInput: AVCaptureInput {
    public let device: AVCaptureDevice
    public init(device: AVCaptureDevice) throws {
        self.device = device
        guard StandInCamera.status == .authorized else { throw CocoaError(.userCancelled) }
    }
}

open class AVCaptureOutput: NSObject {
    let standInConnection = AVCaptureConnection()
    open func connection(with type: AVMediaType) -> AVCaptureConnection? { standInConnection }
}

open class AVCaptureConnection: NSObject {
    open var isVideoOrientationSupported: Bool { true }
    open var videoOrientation = AVCaptureVideoOrientation.landscapeRight
    open var videoRotationAngle: CGFloat = 0
    open func isVideoRotationAngleSupported(_ angle: CGFloat) -> Bool { true }
    open var isVideoMirroringSupported: Bool { true }
    open var automaticallyAdjustsVideoMirroring = true
    open var isVideoMirrored = false
}

public protocol AVCaptureVideoDataOutputSampleBufferDelegate: NSObjectProtocol {
    func captureOutput(
        _ output: AVCaptureOutput, didOutput buffer: CMSampleBuffer, from connection: AVCaptureConnection)
}

open class AVCaptureVideoDataOutput: AVCaptureOutput {
    open var alwaysDiscardsLateVideoFrames = true
    private weak var delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?
    private var queue: DispatchQueue?

    public override init() {}

    open func setSampleBufferDelegate(
        _ delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?, queue: DispatchQueue?
    ) {
        self.delegate = delegate
        self.queue = queue
    }

    func settle() { queue?.sync {} }

    func take(_ jpeg: Data?) {
        guard let delegate, let queue else { return }
        nonisolated(unsafe) let (hears, output) = (delegate, self)
        queue.sync {
            hears.captureOutput(output, didOutput: CMSampleBuffer(standIn: jpeg), from: output.standInConnection)
        }
    }
}

open class AVCaptureSession: NSObject, @unchecked Sendable {
    public struct Preset: Hashable, Sendable, RawRepresentable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let vga640x480 = Preset(rawValue: "AVCaptureSessionPreset640x480")
    }

    open var sessionPreset = Preset(rawValue: "AVCaptureSessionPresetHigh")
    open private(set) var isRunning = false
    var inputs: [AVCaptureInput] = []
    var outputs: [AVCaptureOutput] = []

    open func canSetSessionPreset(_ preset: Preset) -> Bool { true }
    open func beginConfiguration() {}
    open func commitConfiguration() {}
    open func canAddInput(_ input: AVCaptureInput) -> Bool { !StandInCamera.isBroken }
    open func addInput(_ input: AVCaptureInput) { inputs.append(input) }
    open func canAddOutput(_ output: AVCaptureOutput) -> Bool { true }
    open func addOutput(_ output: AVCaptureOutput) { outputs.append(output) }

    open func startRunning() {
        guard !isRunning, !StandInCamera.refusesToRun else { return }
        isRunning = true
        StandInCamera.set(self, running: true)
    }

    open func stopRunning() {
        isRunning = false
        StandInCamera.set(self, running: false)
    }
}

open class AVCaptureVideoPreviewLayer: CALayer {
    open var session: AVCaptureSession?
    open var videoGravity = AVLayerVideoGravity.resizeAspect

    public init(session: AVCaptureSession) {
        self.session = session
        super.init()
    }

    public required init() { super.init() }
}
