#if canImport(UIKit)
import AVFoundation
import Foundation
import ImageIO
import UIKit

/// Plays a GIF. For people who asked for less motion its first picture stands still.
final class AnimatedImageView: UIImageView {
    private let animation = Animation()

    /// Whether it goes on; the system asks before each picture.
    private final class Animation {
        var isOver = false
    }

    init(_ url: URL, repeats: Bool) {
        super.init(frame: .zero)
        contentMode = .scaleAspectFill
        clipsToBounds = true
        let loops: Double = repeats ? .infinity : 1
        let options = [kCGImageAnimationLoopCount as String: NSNumber(value: loops)] as CFDictionary
        let animation = animation
        _ = CGAnimateImageAtURLWithBlock(url as CFURL, options) { [weak self] _, picture, stop in
            // The system calls on the main queue.
            self?.image = UIImage(cgImage: picture)
            stop.pointee = self == nil || animation.isOver || UIAccessibility.isReduceMotionEnabled
        }
    }

    @available(*, unavailable) required init?(coder: NSCoder) { fatalError("made by the page") }

    /// Off the screen nothing plays any more.
    override func didMoveToWindow() {
        super.didMoveToWindow()
        if superview == nil { animation.isOver = true }
    }
}

/// Plays a video without sound. For people who asked for less motion its first picture stands still.
final class VideoView: UIView {
    private let player: AVQueuePlayer
    private var looper: AVPlayerLooper?
    private var homecoming: ForegroundObserver?

    override class var layerClass: AnyClass { AVPlayerLayer.self }

    init(_ url: URL, repeats: Bool) {
        let item = AVPlayerItem(url: url)
        // A looper fills the queue itself.
        player = AVQueuePlayer(playerItem: repeats ? nil : item)
        super.init(frame: .zero)
        player.isMuted = true
        player.preventsDisplaySleepDuringVideoPlayback = false
        if repeats { looper = AVPlayerLooper(player: player, templateItem: item) }
        if let layer = layer as? AVPlayerLayer {
            layer.player = player
            layer.videoGravity = .resizeAspectFill
        }
    }

    @available(*, unavailable) required init?(coder: NSCoder) { fatalError("made by the page") }

    override func didMoveToWindow() {
        super.didMoveToWindow()
        setPlaying(window != nil)
        // The system pauses a video in the background, and does not start it again.
        homecoming = window == nil ? nil : ForegroundObserver { [weak self] in self?.setPlaying(true) }
    }

    /// Whether it begins again at its end.
    var isLooping: Bool { looper != nil }
    var isPlaying: Bool { player.rate > 0 }
    var isMuted: Bool { player.isMuted }

    func setPlaying(_ isPlaying: Bool) {
        if isPlaying, !UIAccessibility.isReduceMotionEnabled { player.play() } else { player.pause() }
    }
}

/// Notifies, for as long as it is kept, when the app comes back from the background.
private final class ForegroundObserver {
    private let observer: any NSObjectProtocol

    @MainActor init(_ act: @escaping @MainActor @Sendable () -> Void) {
        observer = NotificationCenter.default.addObserver(
            forName: UIApplication.willEnterForegroundNotification, object: nil, queue: nil
        ) { _ in
            // The system posts on the main thread.
            MainActor.assumeIsolated(act)
        }
    }

    deinit { NotificationCenter.default.removeObserver(observer) }
}
#endif
