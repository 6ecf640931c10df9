import BenjiClient
import BenjiFaceProtocol
import BenjiProtocol

/// One session: does what its flow says.
struct FaceAttempt {
    let engine: FaceEngine
    let stage: any FaceStage
    var flow: FaceFlow
    /// When the challenge's time is over.
    private var challengeEndsAt: Duration?

    init(engine: FaceEngine, stage: any FaceStage, flow: FaceFlow) {
        self.engine = engine
        self.stage = stage
        self.flow = flow
    }

    func run() async -> Result<FaceOutcome, BenjiError> {
        var attempt = self
        var event = FaceFlow.Event.started
        while true {
            if Task.isCancelled { event = .failed(BenjiError(.cancelledByApp, "the app ended the session")) }
            let action = attempt.flow.handle(event)
            if case .end(let result) = action {
                if case .failure(let error) = result, error.situation != .userCancelled {
                    await stage.tell(.ended(error.situation))
                }
                return result
            }
            event = await attempt.perform(action)
        }
    }

    private mutating func perform(_ action: FaceFlow.Action) async -> FaceFlow.Event {
        do throws(BenjiError) {
            switch action {
            case .proveNumber(let forgetting):
                if forgetting { await engine.forgetRemembered() }
                return .proven(try await engine.proveNumber(on: stage))
            case .begin(let identity):
                return .begun(try await engine.begin(flow.goal, identity, language: await stage.language))
            case .beginSearch(let group): return .begun(try await engine.beginSearch(group))
            case .ask(let question): return .replied(await stage.answer(question))
            case .sendConsent(let agreement, let terms):
                try await engine.sendConsent(agreement, terms, try session())
                return .consentTaken
            case .requestChallenge:
                let asked = engine.timer.elapsed()
                let response = try await engine.requestChallenge(try session().session)
                challengeEndsAt = asked + .seconds(response.lifetime)
                return .challenged(response)
            case .collect(let notices, let count):
                for notice in notices { await stage.tell(notice) }
                return await collect(atMost: count)
            case .send(let frames):
                guard let challenge = flow.challenge else {
                    throw BenjiError(.internalError, "pictures without a challenge")
                }
                let response = try await engine.sendFrames(
                    FaceFramesRequest(
                        session: try session().session, challenge: challenge.challenge, frames: frames))
                if case .passed = response { await stage.tell(.passed) }
                return .judged(response)
            case .sendFinish(let harvest):
                return .finished(try await engine.finish(try session(), harvest, flow.goal.userInfo))
            case .search: return .found(try await engine.search(try session().session))
            case .end(let result): return .failed(BenjiError(.internalError, "acted after the end: \(result)"))
            }
        } catch {
            return .failed(error)
        }
    }

    private func session() throws(BenjiError) -> FaceBegun {
        guard let begun = flow.begun else { throw BenjiError(.internalError, "no session has begun") }
        return begun
    }

    /// The next pictures, unless the challenge's time is over first.
    private func collect(atMost count: Int) async -> FaceFlow.Event {
        guard let end = challengeEndsAt else { return .timeIsUp }
        let (stage, timer) = (stage, engine.timer)
        // Frames must have arrived by then.
        let deadline = end - .seconds(1)
        guard timer.elapsed() < deadline else { return .timeIsUp }
        return await withTaskGroup(of: FaceFlow.Event?.self) { group in
            group.addTask { .collected(await stage.frames(atMost: count)) }
            group.addTask { await timer.reaches(deadline) ? .timeIsUp : nil }
            var first: FaceFlow.Event?
            while first == nil, let next = await group.next() { first = next }
            group.cancelAll()
            return first ?? .timeIsUp
        }
    }
}
