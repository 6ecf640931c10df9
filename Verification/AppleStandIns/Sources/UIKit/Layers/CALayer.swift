import Foundation

public struct CACornerMask: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let layerMinXMinYCorner = Self(rawValue: 1)
    public static let layerMaxXMinYCorner = Self(rawValue: 2)
    public static let layerMinXMaxYCorner = Self(rawValue: 4)
    public static let layerMaxXMaxYCorner = Self(rawValue: 8)
}

/// Keeps what it is told, and remembers which animations were added.
open class CALayer: NSObject {
    public required override init() { super.init() }

    open var cornerRadius: CGFloat = 0
    open var maskedCorners: CACornerMask = [
        .layerMinXMinYCorner, .layerMaxXMinYCorner, .layerMinXMaxYCorner, .layerMaxXMaxYCorner,
    ]
    open var masksToBounds = false
    open var borderWidth: CGFloat = 0
    open var borderColor: CGColor?
    open var opacity: Float = 1
    open var frame = CGRect.zero
    open var bounds = CGRect.zero
    open private(set) var sublayers: [CALayer]?
    open private(set) weak var superlayer: CALayer?

    open func addSublayer(_ layer: CALayer) { insertSublayer(layer, at: UInt32(sublayers?.count ?? 0)) }

    open func insertSublayer(_ layer: CALayer, at index: UInt32) {
        layer.removeFromSuperlayer()
        var layers = sublayers ?? []
        layers.insert(layer, at: min(Int(index), layers.count))
        sublayers = layers
        layer.superlayer = self
    }

    open func removeFromSuperlayer() {
        superlayer?.sublayers?.removeAll { $0 === self }
        superlayer = nil
    }

    /// Test hook: every animation that was ever added, in order.
    public private(set) var standInAnimations: [(key: String?, animation: CAAnimation)] = []

    /// An animation is over at once, unless it repeats for ever.
    open func add(_ animation: CAAnimation, forKey key: String?) {
        standInAnimations.append((key, animation))
        animation.delegate?.animationDidStart(animation)
        if animation.repeatCount != .infinity { animation.delegate?.animationDidStop(animation, finished: true) }
    }

    open func removeAnimation(forKey key: String) { standInAnimations.removeAll { $0.key == key } }
    open func removeAllAnimations() { standInAnimations = [] }
    open func animationKeys() -> [String]? { standInAnimations.compactMap(\.key) }
}

public protocol CAAnimationDelegate: NSObjectProtocol {
    func animationDidStart(_ animation: CAAnimation)
    func animationDidStop(_ animation: CAAnimation, finished: Bool)
}

extension CAAnimationDelegate {
    public func animationDidStart(_ animation: CAAnimation) {}
    public func animationDidStop(_ animation: CAAnimation, finished: Bool) {}
}

open class CAAnimation: NSObject {
    open var duration: TimeInterval = 0
    open var repeatCount: Float = 0
    open var autoreverses = false
    open var isRemovedOnCompletion = true
    /// Strong, as in Core Animation.
    open var delegate: (any CAAnimationDelegate)?
}

open class CAPropertyAnimation: CAAnimation {
    open var keyPath: String?
    public convenience init(keyPath: String?) {
        self.init()
        self.keyPath = keyPath
    }
}

open class CABasicAnimation: CAPropertyAnimation {
    open var fromValue: Any?
    open var toValue: Any?
}

open class CAKeyframeAnimation: CAPropertyAnimation { open var values: [Any]? }

open class CATransition: CAAnimation {}

/// Changes to layers that belong together.
public enum CATransaction {
    public static func begin() {}
    public static func commit() {}
    public static func setDisableActions(_ disable: Bool) {}
    public static func setCompletionBlock(_ block: (() -> Void)?) { block?() }
}
