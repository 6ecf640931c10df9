import Foundation

public struct UIAccessibilityTraits: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static let none: Self = []
    public static let button = Self(rawValue: 1 << 0)
    public static let link = Self(rawValue: 1 << 1)
    public static let image = Self(rawValue: 1 << 2)
    public static let selected = Self(rawValue: 1 << 3)
    public static let staticText = Self(rawValue: 1 << 6)
    public static let notEnabled = Self(rawValue: 1 << 8)
    public static let updatesFrequently = Self(rawValue: 1 << 9)
    public static let header = Self(rawValue: 1 << 16)
}

public enum UIAccessibility {
    public struct Notification: Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let screenChanged = Notification(rawValue: 1000)
        public static let layoutChanged = Notification(rawValue: 1001)
        public static let announcement = Notification(rawValue: 1008)
    }

    @MainActor public static var isReduceMotionEnabled: Bool { standInReducesMotion }
    @MainActor public static var isVoiceOverRunning: Bool { standInSpeaks }

    @MainActor public static func post(notification: Notification, argument: Any?) {
        standInPosts.append((notification, argument as? String))
    }

    /// Test hooks.
    @MainActor public static var standInReducesMotion = false
    @MainActor public static var standInSpeaks = false
    @MainActor public static var standInPosts: [(notification: Notification, text: String?)] = []
}

/// Something for VoiceOver that is no view.
@MainActor open class UIAccessibilityElement: UIResponder {
    public private(set) weak var accessibilityContainer: AnyObject?
    open var accessibilityLabel: String?
    open var accessibilityHint: String?
    open var accessibilityValue: String?
    open var accessibilityIdentifier: String?
    open var accessibilityTraits: UIAccessibilityTraits = []
    open var accessibilityFrameInContainerSpace = CGRect.zero
    open var isAccessibilityElement = true

    public init(accessibilityContainer container: Any) {
        accessibilityContainer = container as AnyObject
        super.init()
    }
}
