import Foundation

@MainActor open class UIResponder: NSObject {
    public override init() { super.init() }
    open var next: UIResponder? { nil }

    // Who is typed into. There is one in the process, as on a device.
    private static weak var standInFirst: UIResponder?
    open var canBecomeFirstResponder: Bool { false }
    open var isFirstResponder: Bool { Self.standInFirst === self }

    @discardableResult
    open func becomeFirstResponder() -> Bool {
        guard canBecomeFirstResponder else { return false }
        UIResponder.standInFirst = self
        return true
    }

    @discardableResult
    open func resignFirstResponder() -> Bool {
        if isFirstResponder { UIResponder.standInFirst = nil }
        return true
    }

    public nonisolated static let keyboardWillChangeFrameNotification = Notification.Name(
        "UIKeyboardWillChangeFrameNotification")
    public nonisolated static let keyboardFrameEndUserInfoKey = "UIKeyboardFrameEndUserInfoKey"

    // VoiceOver calls these on every object.
    open func accessibilityActivate() -> Bool { false }
    open func accessibilityPerformEscape() -> Bool { false }
}

open class UIEvent: NSObject {}

open class UITouch: NSObject {}
