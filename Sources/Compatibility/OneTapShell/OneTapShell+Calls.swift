package import BenjiClient
import BenjiProtocol

extension OneTapShell {
    /// Makes a call and hands its result over on the main thread, once, after this has returned.
    ///
    /// - Parameter allowed: one time for the whole call, waiting for an earlier one included and the page excluded.
    package func start(
        _ call: Call, allowing allowed: TimeAllowed = .standard, deliver: @escaping @MainActor (CallResult) -> Void
    ) {
        let refusal = state.withLock { state -> BenjiError? in
            do throws(BenjiError) {
                let engine = try state.liveEngine(facade)
                guard
                    let time = (allowed == .standard ? state.timeout(of: call.kind) : allowed)
                        .duration(standard: facade.timeout)
                else { throw BenjiError(.invalidArgument, "timeout: must be a number that is not negative") }
                guard let id = state.admission.admit(call.kind) else {
                    throw BenjiError(.alreadyRunning, "an earlier call is still under way")
                }
                let earlier = state.last
                let page = state.surroundings?.page
                let task = Task {
                    let result = await self.perform(call, on: engine, within: time, after: earlier, page: page)
                    await deliver(self.end(id, call.kind, result, engine))
                }
                state.tasks[id] = task
                state.last = task
                return nil
            } catch {
                return error
            }
        }
        if let refusal { refuse(call.kind, refusal, deliver: deliver) }
    }

    /// Ends a call that cannot be made.
    package func refuse(
        _ kind: Call.Kind, _ error: BenjiError, deliver: @escaping @MainActor (CallResult) -> Void
    ) {
        let result = CallResult(facade: facade, call: kind, value: .failed(error), facts: facts)
        observe(.ended(kind, error))
        Task { await deliver(result) }
    }

    /// Ends every call that is under way with ``BenjiProtocol/Situation/cancelledByApp``.
    package func cancel() {
        for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
    }

    /// Discards the prefetched data: here at once, at the server as soon as it can be notified.
    ///
    /// - Returns: `false` if a call is under way, which may still need it.
    package func forget() -> Bool {
        state.withLock { state in
            guard !state.admission.isUnderWay(.forget) else { return true }
            guard state.tasks.isEmpty, let id = state.admission.admit(.forget) else { return false }
            state.facts.maskedNumber = nil
            state.facts.page = nil
            state.facts.prefetchEndsAt = nil
            guard let engine = state.engine?.engine else {
                state.admission.end(id)
                return true
            }
            state.last = Task {
                // The phone has forgotten even if the server could not be told.
                try? await engine.forget()
                self.state.withLock { $0.admission.end(id) }
            }
            return true
        }
    }

    private func perform(
        _ call: Call, on engine: LoginEngine, within time: Duration, after earlier: Task<Void, Never>?,
        page: (any AuthorizationPresenter)?
    ) async -> CallResult.Value {
        let timer = state.withLock { $0.timer }
        let deadline = timer.elapsed() + time
        await earlier?.value
        await follow(engine)
        do throws(BenjiError) {
            if facade.needsPrefetch, call.kind != .prefetch, await engine.remembered == nil {
                // A prefetch that was given up is forgotten. One that is remembered and not valid has expired.
                let situation: Situation = facts.prefetchEndsAt == nil ? .prefetchMissing : .prefetchExpired
                throw BenjiError(situation, "ask for the number first: no valid prefetch is in memory")
            }
            // Zero or less has timed out, which the engine reports.
            let left = deadline - timer.elapsed()
            return switch call {
            case .prefetch: .prefetched(try await engine.prefetch(timeout: left))
            case .login(let shown): .token(try await engine.logIn(with: page ?? shown, timeout: left))
            case .verification: .token(try await engine.verificationToken(timeout: left))
            }
        } catch {
            return await bySMS(call.kind, after: error, engine)
        }
    }

    /// Ends the call: the next may begin before the app receives the result of this one.
    private func end(
        _ id: Int, _ kind: Call.Kind, _ value: CallResult.Value, _ engine: LoginEngine
    ) async -> CallResult {
        let (remembered, network) = (await engine.remembered, await engine.networkStatus())
        let result = state.withLock { state in
            state.admission.end(id)
            state.tasks[id] = nil
            if kind == .prefetch { state.prefetchProblem = value.error }
            state.facts.note(value, remembered: remembered, now: state.timer.elapsed())
            state.facts.network = network ?? state.facts.network
            return CallResult(facade: facade, call: kind, value: value, facts: state.facts)
        }
        if case .failed(let error) = value { observe(.ended(kind, error)) } else { observe(.ended(kind, nil)) }
        return result
    }
}
