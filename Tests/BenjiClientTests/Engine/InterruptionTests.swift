import BenjiProtocol
import BenjiTesting
import Testing

@testable import BenjiClient

/// Where a login can be stopped.
enum LoginPhase: String, CaseIterable, Sendable {
    case prefetching, presenting, authorizing

    func lab() -> EngineLab {
        switch self {
        case .prefetching: EngineLab(.silence, .prefetched(9))
        case .presenting: EngineLab(.prefetched(), .authorized())
        case .authorizing: EngineLab(.prefetched(), .silence, .prefetched(9))
        }
    }

    var person: FakePresenter.Person { self == .presenting ? .waits : .consents }

    func reached(_ lab: EngineLab, _ presenter: FakePresenter) async {
        switch self {
        case .prefetching: await lab.transport.sent(1)
        case .presenting: await presenter.shown()
        case .authorizing: await lab.transport.sent(2)
        }
    }
}

@Suite struct InterruptionTests {
    private func logIn(_ lab: EngineLab, _ presenter: FakePresenter) async -> BenjiError? {
        await EngineLab.error { () async throws(BenjiError) in _ = try await lab.engine.logIn(with: presenter) }
    }

    @Test("cancel() ends a login in every phase", arguments: LoginPhase.allCases)
    func cancelling(phase: LoginPhase) async throws {
        let lab = phase.lab()
        let presenter = FakePresenter(phase.person)
        async let error = logIn(lab, presenter)
        await phase.reached(lab, presenter)
        await lab.engine.cancel()
        #expect(await error?.situation == .cancelledByApp)
        // Only where no token may have been made unheard does the phone keep its scrip.
        #expect(try await lab.engine.prefetch().fromMemory == (phase == .presenting))
    }

    @Test("Cancelling the calling task ends a login in every phase", arguments: LoginPhase.allCases)
    func taskCancellation(phase: LoginPhase) async throws {
        let lab = phase.lab()
        let presenter = FakePresenter(phase.person)
        let situations = await withTaskGroup(of: Situation?.self) { group in
            group.addTask { await logIn(lab, presenter)?.situation }
            await phase.reached(lab, presenter)
            group.cancelAll()
            return await group.reduce(into: [Situation?]()) { $0.append($1) }
        }
        #expect(situations == [.cancelledByApp])
    }

    @Test("The time-out ends a call in every phase but the person's own", arguments: LoginPhase.allCases)
    func timingOut(phase: LoginPhase) async throws {
        let lab = phase.lab()
        let presenter = FakePresenter(phase.person)
        async let error = logIn(lab, presenter)
        await phase.reached(lab, presenter)
        lab.clock.advance(by: .seconds(8))
        if phase == .presenting {
            #expect(await lab.engine.trace == EngineLab.trace)
            await lab.engine.cancel()
            #expect(await error?.situation == .cancelledByApp)
        } else {
            #expect(await error?.situation == .timedOut)
            #expect(!(try await lab.engine.prefetch().fromMemory))
        }
    }

    @Test("One nanosecond before the time-out an answer still counts")
    func justInTime() async throws {
        let lab = EngineLab()
        await lab.transport.append(
            .handler { [clock = lab.clock] _ throws(TransportError) in
                clock.advance(by: .seconds(8) - .nanoseconds(1))
                guard case .response(let response) = ScriptedTransport.Answer.prefetched() else { fatalError() }
                return response
            })
        #expect(!(try await lab.engine.prefetch().fromMemory))
    }

    @Test("The steps of one call share its time, and the page's time is not counted")
    func sharedBudget() async throws {
        let lab = EngineLab()
        let slow: @Sendable (ScriptedTransport.Answer) -> ScriptedTransport.Answer = { [clock = lab.clock] answer in
            .handler { _ throws(TransportError) in
                clock.advance(by: .seconds(3))
                guard case .response(let response) = answer else { fatalError() }
                return response
            }
        }
        await lab.transport.append(slow(.prefetched()), slow(.authorized()))
        let presenter = FakePresenter(
            .does { [clock = lab.clock] offer in
                clock.advance(by: .seconds(60))
                return .consented(FakePresenter.consent(to: offer, at: Timestamp(seconds: 1_790_000_000)))
            })
        _ = try await lab.engine.logIn(with: presenter)
        #expect(await lab.transport.timeouts == [.seconds(8), .seconds(5)])
    }

    @Test("A call that has used its time up sends nothing more")
    func usedUp() async throws {
        let lab = EngineLab()
        await lab.transport.append(
            .handler { [clock = lab.clock] _ throws(TransportError) in
                clock.advance(by: .seconds(9))
                guard case .response(let response) = ScriptedTransport.Answer.prefetched() else { fatalError() }
                return response
            }, .authorized())
        let error = await EngineLab.error { () async throws(BenjiError) in _ = try await lab.engine.verificationToken()
        }
        #expect(error?.situation == .timedOut)
        #expect(await lab.transport.requests.count == 1)
    }

    @Test("cancel() without a call does nothing, to the next call neither")
    func nothingToCancel() async throws {
        let lab = EngineLab(.prefetched())
        await lab.engine.cancel()
        #expect(!(try await lab.engine.prefetch().fromMemory))
    }

    @Test("A forget that hangs can be cancelled, and times out")
    func forgetting() async throws {
        for cancels in [true, false] {
            let lab = EngineLab(.prefetched(), .silence)
            _ = try await lab.engine.prefetch()
            async let error = EngineLab.error { () async throws(BenjiError) in try await lab.engine.forget() }
            await lab.transport.sent(2)
            if cancels { await lab.engine.cancel() } else { lab.clock.advance(by: .seconds(8)) }
            #expect(await error?.situation == (cancels ? .cancelledByApp : .timedOut))
        }
    }
}
