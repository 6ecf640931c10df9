@_exported import Foundation
public import UIKit

/// A film of which only the address is known.
@MainActor open class AVPlayerItem: NSObject {
    public let standInURL: URL

    public init(url: URL) { standInURL = url }
}

/// Plays nothing, but says whether it would.
@MainActor open class AVPlayer: NSObject {
    open var isMuted = false
    open var preventsDisplaySleepDuringVideoPlayback = true
    open private(set) var rate: Float = 0
    open private(set) var currentItem: AVPlayerItem?

    public init(playerItem: AVPlayerItem?) { currentItem = playerItem }

    public convenience override init() { self.init(playerItem: nil) }

    open func play() { rate = 1 }
    open func pause() { rate = 0 }
}

@MainActor open class AVQueuePlayer: AVPlayer {}

/// Begins an item again at its end.
@MainActor open class AVPlayerLooper: NSObject {
    public private(set) weak var standInPlayer: AVQueuePlayer?

    public init(player: AVQueuePlayer, templateItem: AVPlayerItem) { standInPlayer = player }

    open func disableLooping() {}
}

public struct AVLayerVideoGravity: Hashable, Sendable, RawRepresentable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let resizeAspect = Self(rawValue: "AVLayerVideoGravityResizeAspect")
    public static let resizeAspectFill = Self(rawValue: "AVLayerVideoGravityResizeAspectFill")
}

open class AVPlayerLayer: CALayer {
    open var player: AVPlayer?
    open var videoGravity = AVLayerVideoGravity.resizeAspect
}
