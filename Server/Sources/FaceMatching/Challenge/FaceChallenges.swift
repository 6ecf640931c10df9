package import BenjiProtocol

/// Begins challenges and judges what the camera shows. A challenge is valid once, for its session and for a minute.
///
/// It holds numbers, never pictures. The open challenges, the requests in progress and the remembered frames are
/// bounded. Beyond a bound it throws `busy`.
package actor FaceChallenges {
    private struct Entry {
        var session: String
        var isKnown: Bool
        var run: FaceChallengeRun
        var lastMark: FrameMemory.Mark?
        var identical = 0
        var isJudged = false
    }

    private let analyzer: any FaceAnalyzer
    package nonisolated let policy: FacePolicy
    private let clock: any WallClock
    private let random: any RandomSource
    private let capacity: Int
    private let posts: Int
    private var open: [String: Entry] = [:]
    /// A session has one challenge: a second one takes its place.
    private var sessions: [String: String] = [:]
    private var judged = 0
    private var judgedOfStrangers = 0
    private var memory: FrameMemory

    /// - Parameters:
    ///   - capacity: how many challenges are open at a time; one takes about 20 kB.
    ///   - posts: how many posts are looked at at a time.
    ///   - remembered: how many frames are remembered, so that they cannot be shown again.
    package init(
        analyzer: any FaceAnalyzer, policy: FacePolicy = .standard, clock: any WallClock,
        random: any RandomSource, capacity: Int = 1024, posts: Int = 64, remembered: Int = 1 << 17
    ) {
        self.analyzer = analyzer
        self.policy = policy
        self.clock = clock
        self.random = random
        self.capacity = capacity
        self.posts = posts
        memory = FrameMemory(capacity: remembered)
    }

    /// Why no challenge can begin here, a sentence for the administrator; `nil` if it can.
    package nonisolated var unavailability: String? { analyzer.unavailability }

    /// Begins a challenge.
    /// - Parameters:
    ///   - session: The session that begins it; its frames must come from the same one. It is no secret of a person.
    ///   - isKnown: Whether the session's holder is known. Unknown callers share a quarter of the challenges and
    ///     requests, because anyone can be one.
    /// - Throws: `unavailable`, `busy`.
    package func begin(for session: String, isKnown: Bool = true) throws(FaceChallengeFailure) -> FaceChallenge {
        guard analyzer.unavailability == nil else { throw FaceChallengeFailure(.unavailable) }
        let now = clock.now
        if let old = sessions[session], open[old]?.isJudged != true { end(old) }
        if isFull(isKnown) {
            for (id, entry) in open where !entry.isJudged && !Self.isAlive(entry, now) { end(id) }
        }
        guard !isFull(isKnown) else { throw FaceChallengeFailure(.busy) }
        let limits = policy.challenge
        let run = FaceChallengeRun(
            gestures: FaceGesture.sequence(limits.gestures, among: limits.among, random), policy: policy, begun: now)
        let id = random.alphanumerics(32)
        open[id] = Entry(session: session, isKnown: isKnown, run: run)
        sessions[session] = id
        return FaceChallenge(
            id: id, expires: run.expires, pace: limits.pace, framesPerPost: limits.framesPerPost,
            bytesPerFrame: limits.bytesPerFrame, step: run.step)
    }

    /// How many challenges are open.
    package var count: Int { open.count }

    private func isFull(_ isKnown: Bool) -> Bool {
        open.count >= capacity || !isKnown && open.values.count { !$0.isKnown } >= Self.strangersShare(of: capacity)
    }

    private static func strangersShare(of all: Int) -> Int { max(all / 4, 1) }

    /// Looks at frames, in the order of their times.
    /// - Throws: why the challenge was failed, which ends it; `busy` and `unknown` do not.
    package func judge(
        _ frames: [FaceFrame], of id: String, for session: String
    ) async throws(FaceChallengeFailure) -> FaceVerdict {
        guard let entry = open[id], entry.session == session else { throw FaceChallengeFailure(.unknown) }
        guard !entry.isJudged, judged < posts, entry.isKnown || judgedOfStrangers < Self.strangersShare(of: posts)
        else {
            throw FaceChallengeFailure(.busy)
        }
        open[id]?.isJudged = true
        judged += 1
        if !entry.isKnown { judgedOfStrangers += 1 }
        defer {
            judged -= 1
            if !entry.isKnown { judgedOfStrangers -= 1 }
            open[id]?.isJudged = false
        }
        do throws(FaceChallengeFailure) {
            let sights = try admit(frames, of: id)
            for (frame, isNew) in zip(frames, sights) {
                let sight = isNew ? try await look(at: frame, of: id) : .nothing
                guard var run = open[id]?.run else { throw FaceChallengeFailure(.unknown) }
                let proof = try run.take(sight, at: frame.time, now: clock.now)
                open[id]?.run = run
                if let proof {
                    end(id)
                    return .passed(proof)
                }
            }
            guard let run = open[id]?.run else { throw FaceChallengeFailure(.unknown) }
            return .goingOn(run.step)
        } catch {
            if !error.mayGoOn { end(id) }
            throw error
        }
    }

    private static func isAlive(_ entry: Entry, _ now: Timestamp) -> Bool {
        now >= entry.run.begun && now < entry.run.expires
    }

    private func end(_ id: String) {
        guard let entry = open.removeValue(forKey: id) else { return }
        if sessions[entry.session] == id { sessions[entry.session] = nil }
    }

    /// Judges what can be judged before anything is decoded.
    /// - Returns: for each frame whether it is a new picture.
    private func admit(_ frames: [FaceFrame], of id: String) throws(FaceChallengeFailure) -> [Bool] {
        guard var entry = open[id] else { throw FaceChallengeFailure(.unknown) }
        let limits = policy.challenge
        let prompt = entry.run.prompt
        guard !frames.isEmpty, frames.count <= limits.framesPerPost else {
            throw FaceChallengeFailure(frames.isEmpty ? .frameUnreadable : .tooManyFrames, at: prompt)
        }
        guard frames.allSatisfy({ $0.image.count <= limits.bytesPerFrame }) else {
            throw FaceChallengeFailure(.frameTooLarge, at: prompt)
        }
        try entry.run.admit(frames.map(\.time), arrived: clock.now)
        var isNew: [Bool] = []
        for frame in frames {
            let mark = FrameMemory.mark(frame.image)
            if mark == entry.lastMark {
                // A slow camera may give the same picture twice. One that keeps giving it is a still picture.
                entry.identical += 1
                guard entry.identical < limits.identicalFrames else { throw FaceChallengeFailure(.still, at: prompt) }
                isNew.append(false)
                continue
            }
            guard !memory.contains(mark) else { throw FaceChallengeFailure(.replayed, at: prompt) }
            memory.remember(mark)
            entry.lastMark = mark
            entry.identical = 0
            isNew.append(true)
        }
        open[id] = entry
        return isNew
    }

    private func look(
        at frame: FaceFrame, of id: String
    ) async throws(FaceChallengeFailure) -> FaceChallengeRun.Sight {
        guard let run = open[id]?.run else { throw FaceChallengeFailure(.unknown) }
        do throws(FaceError) {
            return .face(
                try await analyzer.observe(
                    frame.image, measuring: run.measures, in: .ring, within: policy.challenge.limits))
        } catch {
            if let hint = FaceHint(error) { return .nobody(hint) }
            switch error.code {
            // The frame is lost; the challenge goes on with the next.
            case .busy: return .nothing
            case .unavailable: throw FaceChallengeFailure(.unavailable, at: run.prompt)
            case .failed, .outOfMemory: throw FaceChallengeFailure(.failed, at: run.prompt)
            default: throw FaceChallengeFailure(.frameUnreadable, at: run.prompt)
            }
        }
    }
}
