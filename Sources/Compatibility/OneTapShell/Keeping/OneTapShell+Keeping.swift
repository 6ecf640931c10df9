import BenjiClient
import BenjiProtocol

// The work that the vendors' "Pro" calls do by themselves.
extension OneTapShell {
    /// Where the keeping of a prefetch stands.
    struct Keeping {
        /// Asks again and again, while a prefetch is kept valid.
        var task: Task<Void, Never>?
        /// How many prefetches of the keeper's own are under way, which the app cannot know of.
        var asking = 0
        /// A token was given out, the app gave the prefetch up, or asking cannot help: it begins again only when it is
        /// renewed.
        var hasEnded = false
        /// The app has asked for the result and has no answer yet.
        var isResultAsked = false
    }

    /// Begins to keep a prefetch valid, unless that has ended before: with an app's first call.
    package func beginKeeping() {
        guard isRegistered, state.withLock({ !$0.keeping.hasEnded }) else { return }
        keep()
    }

    /// Keeps a prefetch valid: asks now, and again whenever the last answer has ended.
    ///
    /// Ends when a token was given out, when asking again cannot help, and by ``stopKeeping()``.
    package func renewKeeping() {
        stopKeeping()
        state.withLock { $0.keeping.hasEnded = false }
        keep()
    }

    /// Ends keeping, until ``renewKeeping()``.
    package func stopKeeping() {
        state.withLock {
            $0.keeping.task?.cancel()
            $0.keeping.task = nil
            $0.keeping.hasEnded = true
        }
    }

    /// Whether a prefetch is being kept valid.
    package var isKeeping: Bool { state.withLock { $0.keeping.task != nil } }

    /// Prefetches for the app; while the keeper asks by itself, which the caller cannot know of, after that. A second
    /// call before the first was answered is refused.
    package func prefetchBesideKeeping(deliver: @escaping @MainActor (CallResult) -> Void) {
        let (isRefused, earlier) = state.withLock { state -> (Bool, Task<Void, Never>?) in
            guard !state.keeping.isResultAsked else { return (true, nil) }
            state.keeping.isResultAsked = true
            return (false, state.keeping.asking > 0 ? state.last : nil)
        }
        if isRefused {
            return refuse(
                .prefetch, BenjiError(.alreadyRunning, "an earlier call is still under way"), deliver: deliver)
        }
        let answer: @MainActor (CallResult) -> Void = { result in
            self.state.withLock { $0.keeping.isResultAsked = false }
            deliver(result)
        }
        guard let earlier else { return start(.prefetch, deliver: answer) }
        Task {
            await earlier.value
            self.start(.prefetch, deliver: answer)
        }
    }

    private func keep() {
        let (first, answer) = AsyncStream.makeStream(of: CallResult.self)
        let begins = state.withLock { state in
            guard state.keeping.task == nil else { return false }
            state.keeping.task = Task { await self.keep(first) }
            return true
        }
        // At once, so that a call right after this one finds the keeper asking.
        if begins { ask(answer) }
    }

    /// One prefetch of the keeper's own.
    private func ask(_ answer: AsyncStream<CallResult>.Continuation) {
        state.withLock { $0.keeping.asking += 1 }
        start(.prefetch) { result in
            self.state.withLock { $0.keeping.asking -= 1 }
            answer.yield(result)
            answer.finish()
        }
    }

    private func keep(_ first: AsyncStream<CallResult>) async {
        var pace = PrefetchPace()
        let timer = state.withLock { $0.timer }
        var answers = first
        while !Task.isCancelled {
            guard let result = await answers.first(where: { _ in true }) else { return }
            var validFor = Duration.zero
            if case .prefetched(let summary) = result.value { validFor = summary.validFor }
            guard !Task.isCancelled, let pause = pace.pause(after: result.situation, validFor: validFor) else { break }
            guard await timer.reaches(timer.elapsed() + pause) else { return }
            let (next, answer) = AsyncStream.makeStream(of: CallResult.self)
            answers = next
            ask(answer)
        }
        // Not of a keeper that has taken the place of this one.
        state.withLock { if !Task.isCancelled { ($0.keeping.task, $0.keeping.hasEnded) = (nil, true) } }
    }
}
