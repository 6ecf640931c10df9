import Foundation

/// An action of a control, as a closure.
@MainActor open class UIAction: NSObject {
    public struct Identifier: Hashable, Sendable {
        public let rawValue: String
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    let handler: (UIAction) -> Void
    open internal(set) var sender: Any?

    public init(
        title: String = "", image: UIImage? = nil, identifier: Identifier? = nil,
        handler: @escaping (UIAction) -> Void
    ) {
        self.handler = handler
        super.init()
    }
}

/// A view that answers touches with its actions.
@MainActor open class UIControl: UIView {
    public struct Event: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let touchDown = Self(rawValue: 1 << 0)
        public static let touchDragExit = Self(rawValue: 1 << 5)
        public static let touchUpInside = Self(rawValue: 1 << 6)
        public static let touchUpOutside = Self(rawValue: 1 << 7)
        public static let touchCancel = Self(rawValue: 1 << 8)
        public static let valueChanged = Self(rawValue: 1 << 12)
        public static let editingChanged = Self(rawValue: 1 << 17)
        public static let primaryActionTriggered = Self(rawValue: 1 << 13)
    }

    public struct State: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let normal = Self([])
        public static let highlighted = Self(rawValue: 1 << 0)
        public static let disabled = Self(rawValue: 1 << 1)
        public static let selected = Self(rawValue: 1 << 2)
    }

    open var isEnabled = true
    open var isSelected = false
    open var isHighlighted = false
    open var state: State {
        var state: State = []
        if isHighlighted { state.insert(.highlighted) }
        if !isEnabled { state.insert(.disabled) }
        if isSelected { state.insert(.selected) }
        return state
    }

    private var actions: [(action: UIAction, event: Event)] = []

    open func addAction(_ action: UIAction, for event: Event) { actions.append((action, event)) }

    open func removeAction(_ action: UIAction, for event: Event) {
        actions.removeAll { $0.action === action && $0.event == event }
    }

    /// Test hook: for which events something happens.
    public var standInEvents: Event { actions.reduce(into: []) { $0.formUnion($1.event) } }

    open func sendActions(for event: Event) {
        for (action, on) in actions where !on.intersection(event).isEmpty {
            action.sender = self
            action.handler(action)
            action.sender = nil
        }
    }

    /// On a device, touches end in a view's `touchesEnded`; here the screen calls the control.
    func standInPress() {
        guard isEnabled else { return }
        isHighlighted = true
        sendActions(for: .touchDown)
    }

    func standInRelease(inside: Bool) {
        guard isEnabled, isHighlighted else { return }
        isHighlighted = false
        sendActions(for: inside ? .touchUpInside : .touchUpOutside)
    }

    /// VoiceOver's double tap lands in the middle of a control.
    open override func accessibilityActivate() -> Bool {
        guard isEnabled else { return false }
        sendActions(for: .touchUpInside)
        return true
    }
}
