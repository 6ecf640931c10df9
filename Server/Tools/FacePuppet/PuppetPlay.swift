package import FaceMatching
import Foundation

/// A puppet's movement over time: it holds still, or does a gesture and comes back, swaying a little as people do.
package struct PuppetPlay: Sendable {
    private var gesture: FaceGesture?
    private var begun = Duration.zero

    package init() {}

    /// Begins a gesture, or with `nil` comes back at once.
    package mutating func play(_ gesture: FaceGesture?, at time: Duration) {
        self.gesture = gesture
        begun = time
    }

    /// The pose at a moment.
    package func pose(at time: Duration) -> PuppetPose {
        let seconds = time / .seconds(1)
        let rest = PuppetPose(x: sin(seconds * 1.3) * 2, y: sin(seconds * 0.9) * 1.5)
        guard let gesture else { return rest }
        // People do not react at once.
        let since = max((time - begun) / .seconds(1) - 0.4, 0)
        // A second there, half a second held, a second back; eyes are quicker.
        let pace = gesture == .blink ? 0.35 : 0.9
        let part = min(max(since / pace, 0), 1) - min(max((since - pace - 0.5) / pace, 0), 1)
        let eased = part * part * (3 - 2 * part)
        return rest.towards(Self.extreme(gesture, rest), eased)
    }

    private static func extreme(_ gesture: FaceGesture, _ rest: PuppetPose) -> PuppetPose {
        var pose = rest
        switch gesture {
        case .turnLeft: pose.yaw = 24
        case .turnRight: pose.yaw = -24
        case .blink: pose.blink = 1
        case .openMouth: pose.mouth = 1
        }
        return pose
    }
}
