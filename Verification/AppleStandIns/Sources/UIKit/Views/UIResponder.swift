import Foundation

@MainActor open class UIResponder: NSObject {
    public override init() { super.init() }
    open var next: UIResponder? { nil }

    // What VoiceOver asks of every object.
    open func accessibilityActivate() -> Bool { false }
    open func accessibilityPerformEscape() -> Bool { false }
}

open class UIEvent: NSObject {}

open class UITouch: NSObject {}
