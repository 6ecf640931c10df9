package import BenjiClient

extension OneTapShell {
    /// The steps that an app under development wants to see. Carries no number and no credential.
    package enum Observation: Sendable {
        case step(LoginEvent)
        /// A call is over; without an error it went well.
        case ended(Call.Kind, BenjiError?)
    }

    /// Reports every step from the next call on. `nil` ends that.
    package func observe(with observer: (@Sendable (Observation) -> Void)?) {
        state.withLock { $0.observer = observer }
    }

    /// Whether somebody is told.
    package var isObserved: Bool { state.withLock { $0.observer != nil } }

    func observe(_ observation: Observation) {
        state.withLock { $0.observer }?(observation)
    }

    /// Begins to pass the engine's steps on, once for each engine and only if somebody looks.
    func follow(_ engine: LoginEngine) async {
        let begins = state.withLock { state in
            guard state.observer != nil, state.engine?.engine === engine, state.engine?.isFollowed == false else {
                return false
            }
            state.engine?.isFollowed = true
            return true
        }
        guard begins else { return }
        let steps = await engine.events()
        // Ends with the engine.
        Task { [weak self] in
            for await step in steps { self?.observe(.step(step)) }
        }
    }
}
