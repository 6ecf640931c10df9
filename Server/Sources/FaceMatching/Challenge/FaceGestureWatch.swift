/// Watches for one gesture: from the front, through what lies between, to where it is unmistakable.
struct FaceGestureWatch: Sendable {
    enum Sight { case nothing, tooFast, wrong, done }

    let gesture: FaceGesture
    private var wasFrontal = false
    private var between = 0
    private var wereEyesClosed = false
    private var wrong = 0

    init(_ gesture: FaceGesture) { self.gesture = gesture }

    /// From the front again: the face was away, or the movement was too fast.
    mutating func restart() { self = FaceGestureWatch(gesture) }

    /// Returns the flaw that keeps a frame from showing a gesture: no face, or a hidden part of a frontal face. The
    /// moving part is not judged, because closed lids and an open mouth may look like a cover.
    func hidden(
        _ face: FaceObservation, _ pose: FacePose, from base: FacePose, _ limits: FaceChallengePolicy,
        _ policy: FacePolicy
    ) -> FaceFlaw? {
        guard face.mesh.score >= policy.quality.meshScore else { return .unclear }
        guard abs(pose.turn - base.turn) < limits.frontal else { return nil }
        let moved: FaceFlaw? =
            switch gesture {
            case .blink: .eyesCovered
            case .openMouth: .mouthCovered
            case .turnLeft, .turnRight: nil
            }
        return policy.flaws(of: face).first { $0.hides && $0 != moved }
    }

    /// - Parameters:
    ///   - base: how the person looked before the first gesture.
    ///   - isHidden: whether ``hidden(_:_:from:_:_:)`` found something. Such a frame is no part of the gesture, and may
    ///     still be a wrong one.
    mutating func take(
        _ pose: FacePose, isHidden: Bool, from base: FacePose, _ limits: FaceChallengePolicy, _ policy: FacePolicy
    ) -> Sight {
        let turned = Self.turned(pose, base, limits, policy)
        let isFrontal = abs(pose.turn - base.turn) < limits.frontal
        let isMouthOpen = pose.mouth > policy.mouthOpen && pose.mouth - base.mouth > limits.mouthChange
        let areEyesClosed = isFrontal && pose.eyes < base.eyes * limits.eyesClosed
        let isNeutral = isFrontal && pose.mouth < max(limits.mouthClosed, base.mouth + limits.mouthChange)

        let isWrong =
            switch gesture {
            case .turnLeft: turned == .turnRight || isFrontal && isMouthOpen
            case .turnRight: turned == .turnLeft || isFrontal && isMouthOpen
            case .blink: turned != nil || isFrontal && isMouthOpen
            case .openMouth: turned != nil
            }
        wrong = isWrong ? wrong + 1 : 0
        guard wrong < limits.wrongFrames else { return .wrong }
        guard !isWrong, !isHidden else { return .nothing }

        switch gesture {
        case .turnLeft, .turnRight:
            if turned == gesture {
                guard wasFrontal else { return .nothing }
                guard between >= limits.turningFrames else {
                    restart()
                    return .tooFast
                }
                return .done
            }
            if isNeutral { wasFrontal = true }
            // The way may begin within what counts as the front, so it is measured by its own.
            if wasFrontal, Self.isBetween(pose.turn - base.turn, gesture, limits) { between += 1 }
        case .blink:
            if areEyesClosed {
                wereEyesClosed = wasFrontal
            } else if isNeutral, pose.eyes > base.eyes * limits.eyesOpen {
                if wereEyesClosed { return .done }
                wasFrontal = true
            }
        case .openMouth:
            if isFrontal, isMouthOpen { return wasFrontal ? .done : .nothing }
            if isNeutral { wasFrontal = true }
        }
        return .nothing
    }

    private static func turned(
        _ pose: FacePose, _ base: FacePose, _ limits: FaceChallengePolicy, _ policy: FacePolicy
    ) -> FaceGesture? {
        if pose.turn > policy.turned, pose.turn - base.turn > limits.change { return .turnLeft }
        if pose.turn < -policy.turned, base.turn - pose.turn > limits.change { return .turnRight }
        return nil
    }

    private static func isBetween(_ way: Double, _ gesture: FaceGesture, _ limits: FaceChallengePolicy) -> Bool {
        let way = gesture == .turnLeft ? way : -way
        return way > limits.frontal / 2
    }
}
