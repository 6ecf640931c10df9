#if canImport(UIKit)
import AVFoundation
import BenjiFace
import BenjiFaceTesting
import BenjiTesting
import Foundation
import Testing
import UIKit
import Waiting

@testable import SuperIDSDK

/// A screen with a camera, on which an app calls SuperID and a person looks and taps.
@MainActor struct FacadePhone {
    let host = UIViewController(nibName: nil, bundle: nil)
    let screen: StandInScreen

    init() { screen = StandInScreen(host) }

    /// Makes calls as an app does, with the lab behind them.
    func run<Result>(_ lab: SuperIDLab, _ calls: (SuperID) throws -> Result) rethrows -> Result {
        let (clock, wallClock) = (lab.clock, lab.wallClock)
        let start = clock.now
        let surroundings = FaceViewController.Surroundings(
            now: { wallClock.now }, elapsed: { start.duration(to: clock.now) },
            sleep: { try await clock.sleep(for: $0) }, languages: ["zh-Hans"], declaresCamera: { true })
        return try FaceViewController.Surroundings.$scoped.withValue(surroundings) { try lab.run(calls) }
    }

    /// Looks into the camera until it is over. Time passes with each picture that arrives at the server, and the camera
    /// takes no other picture before.
    func look(
        _ lab: SuperIDLab, sourceLocation: SourceLocation = #_sourceLocation, until isOver: () -> Bool
    ) async {
        var arrived = await lab.service.pictures.count
        await eventually("what the test looks into the camera for", sourceLocation: sourceLocation) {
            let count = await lab.service.pictures.count
            if count > arrived { lab.pass(.milliseconds(125)) }
            arrived = count
            if isOver() { return true }
            StandInCamera.show(Data([0xFF, 0xD8, 0xFF, UInt8(truncatingIfNeeded: arrived)]))
            return false
        }
    }

    /// Whether the camera goes off: it is turned off on a thread of its own.
    func isDark() async -> Bool { (try? await until { StandInCamera.running.isEmpty }) != nil }

    /// Returns when the session that a screen has stopped is over, and its camera has done all that was asked of it.
    func end(of own: SIDCameraManagerViewController) async {
        await own.driving.stopped?.value
        let layer = own.driving.previewLayer as? AVCaptureVideoPreviewLayer
        StandInCamera.settle(layer?.session.map { [$0] } ?? [])
    }

    /// Taps buttons of the question over an app's screen, as soon as they are there: by what begins their titles.
    func answer(_ own: UIViewController, tapping titles: [String]) async -> Bool {
        for title in titles {
            var button: UIButton?
            await eventually("the button \(title)") {
                screen.settle()
                button = views(own.presentedViewController?.viewIfLoaded).compactMap { $0 as? UIButton }
                    .first { $0.currentTitle?.hasPrefix(title) == true && $0.isEnabled }
                return button != nil
            }
            guard let button, screen.tap(button) === button else { return false }
        }
        return true
    }

    private func views(_ view: UIView?) -> [UIView] {
        view.map { [$0] + $0.subviews.flatMap { views($0) } } ?? []
    }
}
#endif
