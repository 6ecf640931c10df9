import BenjiProtocol

/// One challenge, as a value: frames in, what to tell the person out. It knows no pictures, no clock and no one else.
struct FaceChallengeRun: Sendable {
    private enum Phase: Sendable {
        case settling
        /// The gesture at this place is asked for.
        case asking(FaceGestureWatch)
        /// It was seen; the next one is told when the person looks straight again.
        case returning
    }

    let policy: FacePolicy
    let gestures: [FaceGesture]
    let begun: Timestamp
    private var phase = Phase.settling
    private var phaseBegun: Timestamp
    private var done = 0
    private(set) var frames = 0
    private var latest = Duration.zero - .milliseconds(1)
    private var absentSince: Duration?
    private var identity: FaceIdentityWatch
    private var portraits: FacePortraits
    private var hint: FaceHint?

    init(gestures: [FaceGesture], policy: FacePolicy, begun: Timestamp) {
        self.gestures = gestures
        self.policy = policy
        self.begun = begun
        phaseBegun = begun
        identity = FaceIdentityWatch(policy: policy.challenge)
        portraits = FacePortraits(policy: policy)
    }

    private var limits: FaceChallengePolicy { policy.challenge }

    var expires: Timestamp { begun + limits.life }

    var prompt: FacePrompt {
        if case .asking(let watch) = phase { .gesture(watch.gesture) } else { .lookStraight }
    }

    var step: FaceChallengeStep {
        FaceChallengeStep(prompt: prompt, hint: hint, done: done, count: gestures.count)
    }

    /// The measurements that the next frame needs.
    var measures: FaceMeasures { if case .asking = phase { .embedding } else { .all } }

    // MARK: - Events

    /// Admits frames that have arrived. Their times are checked before anything is decoded.
    ///
    /// A device counts from its receipt of the challenge, half a round trip after ``begun``. Later prompts also reach
    /// it half a round trip late. So its times compare with the server's as if there were no delay.
    mutating func admit(_ times: [Duration], arrived: Timestamp) throws(FaceChallengeFailure) {
        guard arrived >= begun, arrived < expires else { throw failure(.expired) }
        guard frames + times.count <= limits.frames else { throw failure(.tooManyFrames) }
        var previous = latest
        for time in times {
            let moment = begun + time
            guard time > previous, moment <= arrived + limits.earliness else { throw failure(.timesWrong) }
            guard moment + limits.lateness >= arrived else { throw failure(.late) }
            guard frames == 0 && previous == latest || time - previous <= limits.gap else {
                throw failure(.interrupted)
            }
            previous = time
        }
    }

    enum Sight: Sendable {
        case face(FaceObservation)
        /// No usable face, with the hint for the person.
        case nobody(FaceHint)
        /// It could not be looked at, or is the same picture once more.
        case nothing
    }

    /// A frame was looked at.
    /// - Parameter now: when the person will be told what follows.
    /// - Returns: the proof, if this frame was the last one needed.
    mutating func take(_ sight: Sight, at time: Duration, now: Timestamp) throws(FaceChallengeFailure) -> FaceProof? {
        frames += 1
        latest = time
        try checkDeadline(at: time)
        switch sight {
        case .nothing: return nil
        case .nobody(let why):
            hint = why
            try miss(at: time, why)
            return nil
        case .face(let face):
            absentSince = nil
            return try take(face, at: time, now: now)
        }
    }

    private mutating func take(
        _ face: FaceObservation, at time: Duration, now: Timestamp
    ) throws(FaceChallengeFailure) -> FaceProof? {
        let pose = FacePose(face)
        var isPortrait = false
        if case .returning = phase { isPortrait = portraits.front(pose) == nil }
        do {
            guard try identity.isSame(face, pose, isFrontal: isPortrait, at: time) else { return nil }
        } catch { throw failure(error.reason) }
        switch phase {
        case .settling:
            hint = portraits.settle(face, pose)
            guard hint == nil else { return nil }
            identity.keep(face)
            guard portraits.isSettled else { return nil }
            ask(now)
        case .asking(var watch):
            // A movement before the prompt proves nothing.
            guard begun + time >= phaseBegun else { return nil }
            // A face that is hidden, or none at all, does nothing that was asked for.
            hint = watch.hidden(face, pose, from: portraits.base, limits, policy).map(FaceHint.flaw)
            let sight = watch.take(pose, isHidden: hint != nil, from: portraits.base, limits, policy)
            phase = .asking(watch)
            switch sight {
            case .nothing: break
            case .tooFast: hint = .slower
            case .wrong: throw failure(.wrongGesture)
            case .done:
                done += 1
                phase = .returning
                phaseBegun = now
            }
        case .returning:
            hint = portraits.comeBack(face, pose)
            guard hint == nil else { return nil }
            identity.keep(face)
            if done < gestures.count { ask(now) } else { return try prove(now) }
        }
        return nil
    }

    // MARK: - Decisions

    private mutating func ask(_ now: Timestamp) {
        phase = .asking(FaceGestureWatch(gestures[done]))
        phaseBegun = now
    }

    private func prove(_ now: Timestamp) throws(FaceChallengeFailure) -> FaceProof {
        guard let proof = portraits.proof(gestures, frames: frames, now) else { throw failure(.failed) }
        guard proof.passiveScore >= policy.liveness else { throw failure(.notLive) }
        return proof
    }

    private mutating func miss(at time: Duration, _ why: FaceHint) throws(FaceChallengeFailure) {
        if case .asking(var watch) = phase {
            watch.restart()
            phase = .asking(watch)
        }
        let since = absentSince ?? time
        absentSince = since
        // A person who has not come before the camera yet is not absent; the time for settling limits them.
        guard time - since <= limits.absence || !identity.isKnown else { throw failure(.init(absence: why)) }
    }

    private func checkDeadline(at time: Duration) throws(FaceChallengeFailure) {
        let moment = begun + time
        guard moment < expires else { throw failure(.expired) }
        if case .settling = phase {
            if moment > phaseBegun + limits.settling {
                throw failure(absentSince == nil ? .init(unsettled: hint) : .init(absence: hint))
            }
        } else if moment > phaseBegun + limits.gesture {
            if case .returning = phase, case .flaw = hint { throw failure(.init(unsettled: hint)) }
            throw failure(.gestureMissed)
        }
    }

    private func failure(_ reason: FaceChallengeFailure.Reason) -> FaceChallengeFailure {
        FaceChallengeFailure(reason, at: prompt)
    }
}
