#if canImport(UIKit)
import UIKit

/// Lights a face with the screen, and leaves the screen as it was.
@MainActor final class FaceLamp {
    /// The view that becomes white.
    weak var view: UIView?
    /// An app lets it be used first.
    var isAllowed = false
    private var before: (screen: UIScreen?, brightness: CGFloat, ground: UIColor?)?

    var isOn: Bool { before != nil }

    func turnOn() {
        guard isAllowed, before == nil, let view else { return }
        let screen = view.window?.windowScene?.screen
        before = (screen, screen?.brightness ?? 0, view.backgroundColor)
        screen?.brightness = 1
        view.backgroundColor = .white
    }

    func turnOff() {
        guard let before else { return }
        self.before = nil
        before.screen?.brightness = before.brightness
        view?.backgroundColor = before.ground
    }
}
#endif
