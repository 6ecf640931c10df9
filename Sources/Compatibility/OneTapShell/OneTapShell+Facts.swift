package import BenjiClient

extension OneTapShell {
    package var facts: Facts { state.withLock { $0.facts } }

    /// Whether a login would need no prefetch now.
    package var isPrefetchValid: Bool {
        state.withLock { state in state.facts.prefetchEndsAt.map { state.timer.elapsed() < $0 } ?? false }
    }

    /// The networks that are up, without waiting; `nil` when they are unknown.
    package var networkStatus: NetworkStatus? {
        // Asked outside of the lock, because the system takes a few milliseconds.
        state.withLock { $0.surroundings }?.networkNow() ?? facts.network
    }

    /// The system's current report on the phone's SIMs.
    package var mobileServices: MobileServices? { state.withLock { $0.surroundings }?.mobileServices() }
}
