#if canImport(UIKit)
import AVFoundation
import BenjiClient
import BenjiFace
import BenjiFaceTesting
import BenjiFaceTexts
import BenjiPage
import BenjiPageUIKit
import BenjiProtocol
import BenjiTesting
import Foundation
import Testing
import UIKit
import Waiting

/// A phone with a screen, on which a person goes through a face session.
@MainActor final class FaceScreen {
    let lab: FaceLab
    let host = UIViewController(nibName: nil, bundle: nil)
    let screen: StandInScreen
    let language: Language
    private(set) var results: [Result<FaceOutcome, BenjiError>] = []
    private(set) weak var controller: FaceViewController?

    init(_ lab: FaceLab, language: Language = .english) {
        self.lab = lab
        self.language = language
        screen = StandInScreen(host)
        StandInCamera.reset()
        UIAccessibility.standInPosts = []
    }

    func begin(_ goal: FaceGoal = .logIn(), declaresCamera: Bool = true, options: FaceViewController.Options = .init())
    {
        let clock = lab.clock
        let start = clock.now
        let wallClock = lab.wallClock
        let surroundings = FaceViewController.Surroundings(
            now: { wallClock.now }, elapsed: { start.duration(to: clock.now) }, languages: [language.rawValue],
            declaresCamera: { declaresCamera })
        let controller = FaceViewController(
            FaceLogin(engine: lab.engine), goal, options: options, surroundings: surroundings
        ) { self.results.append($0) }
        self.controller = controller
        host.present(controller, animated: false)
    }

    // MARK: waiting

    /// Waits until something is there; `nil` if it does not come.
    func until<Value>(_ what: @MainActor () -> Value?) async -> Value? {
        var value: Value?
        try? await Waiting.until {
            controller?.viewIfLoaded?.layoutIfNeeded()
            value = what()
            return value != nil
        }
        return value
    }

    func result() async -> Result<FaceOutcome, BenjiError>? { await until { self.results.first } }

    // MARK: looking

    private func views(in view: UIView?) -> [UIView] {
        guard let view else { return [] }
        return [view] + view.subviews.flatMap { views(in: $0) }
    }

    var buttons: [UIButton] { views(in: controller?.viewIfLoaded).compactMap { $0 as? UIButton } }
    var texts: [String] {
        views(in: controller?.viewIfLoaded).compactMap { ($0 as? UILabel)?.text }.filter { !$0.isEmpty }
    }

    func shows(_ sentence: FaceSentence) -> Bool { texts.contains(sentence.text(in: language)) }

    func button(_ sentence: FaceSentence) -> UIButton? {
        buttons.first {
            $0.currentTitle == sentence.text(in: language) || $0.accessibilityLabel == sentence.text(in: language)
        }
    }

    var spoken: [String] { UIAccessibility.standInPosts.compactMap(\.text) }

    // MARK: doing

    /// Taps a button as soon as there is one.
    @discardableResult
    func tap(_ sentence: FaceSentence) async -> Bool {
        guard let button = await until({ self.button(sentence) }) else { return false }
        screen.settle()
        return screen.tap(button) === button
    }

    func tick() async -> Bool {
        guard let tick = await until({ self.buttons.first { $0.currentTitle?.hasPrefix("☐") == true } }) else {
            return false
        }
        screen.settle()
        return screen.tap(tick) === tick
    }

    func field() async -> UITextField? {
        await until { self.views(in: self.controller?.viewIfLoaded).compactMap { $0 as? UITextField }.first }
    }

    /// Ticks and taps on the one-tap page.
    func proveNumber() async -> Bool {
        let page = await until {
            (self.controller?.presentedViewController as? AuthorizationPageViewController).flatMap {
                $0.isOpen ? $0 : nil
            }
        }
        page?.setTick(true)
        page?.tapLogin()
        return page != nil
    }

    /// Looks into the camera until the session ends, the camera goes off, or so many pictures have arrived at the
    /// server. Time passes with each arrival, and the camera takes no other picture before.
    func look(_ pictures: Int = .max) async {
        _ = await until { StandInCamera.running.isEmpty ? nil : true }
        let before = await lab.service.pictures.count
        var arrived = 0
        await eventually("the camera goes off, or has taken enough pictures") {
            let count = await lab.service.pictures.count - before
            if count > arrived { lab.pass(.milliseconds(125)) }
            arrived = count
            if arrived >= pictures || !results.isEmpty || StandInCamera.running.isEmpty { return true }
            StandInCamera.show(Data([0xFF, 0xD8, 0xFF, UInt8(truncatingIfNeeded: arrived)]))
            return false
        }
    }
}
#endif
