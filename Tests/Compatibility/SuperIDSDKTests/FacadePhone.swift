#if canImport(UIKit)
import AVFoundation
import BenjiFace
import BenjiTesting
import Foundation
import UIKit

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
            now: { wallClock.now }, elapsed: { start.duration(to: clock.now) }, languages: ["zh-Hans"],
            declaresCamera: { true })
        return try FaceViewController.Surroundings.$scoped.withValue(surroundings) { try lab.run(calls) }
    }

    /// Looks into the camera until it is over.
    func look(_ lab: SuperIDLab, until isOver: () -> Bool) async {
        for index in 0..<2000 where !isOver() {
            lab.pass(.milliseconds(125))
            StandInCamera.show(Data([0xFF, 0xD8, 0xFF, UInt8(truncatingIfNeeded: index)]))
            try? await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Whether the camera is off: it is turned off on a thread of its own.
    func isDark() async -> Bool {
        for _ in 0..<2000 where !StandInCamera.running.isEmpty { try? await Task.sleep(for: .milliseconds(1)) }
        return StandInCamera.running.isEmpty
    }

    /// Taps buttons of the question over an app's screen, as soon as they are there: by what begins their titles.
    func answer(_ own: UIViewController, tapping titles: [String]) async -> Bool {
        for title in titles {
            var button: UIButton?
            for _ in 0..<2000 where button == nil {
                screen.settle()
                button = views(own.presentedViewController?.viewIfLoaded).compactMap { $0 as? UIButton }
                    .first { $0.currentTitle?.hasPrefix(title) == true && $0.isEnabled }
                try? await Task.sleep(for: .milliseconds(1))
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
