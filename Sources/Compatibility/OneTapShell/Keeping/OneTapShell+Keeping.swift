import BenjiClient
import BenjiProtocol

// What the vendors' "Pro" calls do by themselves.
extension OneTapShell {
    /// Keeps a prefetch valid: asks now, and again whenever the last answer has ended.
    ///
    /// Ends when a token was given out, when asking again cannot help, and by ``stopKeeping()``.
    package func keepPrefetched() {
        state.withLock { state in
            guard state.keeping == nil else { return }
            state.keeping = Task { await self.keep() }
        }
    }

    /// Ends ``keepPrefetched()``.
    package func stopKeeping() {
        state.withLock {
            $0.keeping?.cancel()
            $0.keeping = nil
        }
    }

    /// Whether a prefetch is being kept valid.
    package var isKeeping: Bool { state.withLock { $0.keeping != nil } }

    /// Prefetches; while a prefetch runs that is kept by itself, which the caller cannot know of, after that one.
    package func prefetchBesideKeeping(deliver: @escaping @MainActor (CallResult) -> Void) {
        start(.prefetch) { result in
            guard result.situation == .alreadyRunning, self.isKeeping else { return deliver(result) }
            let earlier = self.state.withLock { $0.last }
            Task {
                await earlier?.value
                self.start(.prefetch, deliver: deliver)
            }
        }
    }

    private func keep() async {
        var pace = PrefetchPace()
        let timer = state.withLock { $0.timer }
        while !Task.isCancelled {
            let result = await withCheckedContinuation { continuation in
                start(.prefetch) { continuation.resume(returning: $0) }
            }
            var validFor = Duration.zero
            if case .prefetched(let summary) = result.value { validFor = summary.validFor }
            guard !Task.isCancelled, let pause = pace.pause(after: result.situation, validFor: validFor) else { break }
            guard await timer.reaches(timer.elapsed() + pause) else { return }
        }
        state.withLock { if !Task.isCancelled { $0.keeping = nil } }
    }
}
