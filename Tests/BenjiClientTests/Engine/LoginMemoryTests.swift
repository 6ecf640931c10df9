import BenjiProtocol
import BenjiTesting
import Testing

@testable import BenjiClient

@Suite struct LoginMemoryTests {
    @Test("A prefetch that is still valid is answered without any request")
    func remembered() async throws {
        let lab = EngineLab(.prefetched(lifetime: 600), .authorized())
        let first = try await lab.engine.prefetch()
        #expect(!first.fromMemory)
        #expect(first.validFor == .seconds(595))
        lab.clock.advance(by: .seconds(100))
        let second = try await lab.engine.prefetch()
        #expect(second.fromMemory)
        #expect(second.validFor == .seconds(495))
        #expect(await lab.transport.requests.count == 1)
        _ = try await lab.engine.logIn(with: FakePresenter())
        #expect(await lab.paths == ["prefetch", "authorize"])
    }

    @Test("Memory ends exactly a margin before the scrip does")
    func boundary() async throws {
        let lab = EngineLab(.prefetched(1, lifetime: 600), .prefetched(2))
        _ = try await lab.engine.prefetch()
        lab.clock.advance(by: .seconds(595) - .nanoseconds(1))
        #expect(try await lab.engine.prefetch().fromMemory)
        lab.clock.advance(by: .nanoseconds(1))
        #expect(!(try await lab.engine.prefetch().fromMemory))
        #expect(await lab.transport.requests.count == 2)
    }

    @Test("A scrip's life is counted from when it was asked for, not from when the answer came")
    func countedFromSending() async throws {
        let lab = EngineLab()
        await lab.transport.append(
            .handler { [clock = lab.clock] _ throws(TransportError) in
                clock.advance(by: .seconds(7))
                guard case .response(let response) = ScriptedTransport.Answer.prefetched(lifetime: 600) else {
                    fatalError()
                }
                return response
            })
        #expect(try await lab.engine.prefetch().validFor == .seconds(588))
    }

    @Test("Setting the phone's clock back does not make a scrip live longer")
    func wallClockDoesNotCount() async throws {
        let lab = EngineLab(.prefetched(1), .prefetched(2))
        _ = try await lab.engine.prefetch()
        lab.clock.advance(by: .seconds(600))
        lab.wallClock.advance(by: .seconds(-86400))
        #expect(!(try await lab.engine.prefetch().fromMemory))
    }

    @Test("After the page a dead scrip is not replaced: the consent was given for it")
    func expiredBehindThePage() async throws {
        let lab = EngineLab(.prefetched(lifetime: 600), .authorized())
        let presenter = FakePresenter(
            .does { [clock = lab.clock] offer in
                clock.advance(by: .seconds(600))
                return .consented(FakePresenter.consent(to: offer, at: Timestamp(seconds: 1_790_000_000)))
            })
        #expect(
            await EngineLab.error { () async throws(BenjiError) in _ = try await lab.engine.logIn(with: presenter) }?
                .situation == .scripExpired)
        #expect(await lab.paths == ["prefetch"])
    }

    @Test("A rotated scrip and its nonce replace the old ones")
    func rotation() async throws {
        let lab = EngineLab(.prefetched(1), .authorized(next: 2), .authorized(next: 3), .authorized())
        for _ in 0..<2 { _ = try await lab.engine.logIn(with: FakePresenter()) }
        _ = try await lab.engine.verificationToken()
        #expect(await lab.paths == ["prefetch", "authorize", "authorize", "authorize"])
        let requests = try await lab.transport.requests.dropFirst().map { try AuthorizeRequest(try $0.json) }
        #expect(requests.map(\.scrip) == [EngineLab.scrip(1), EngineLab.scrip(2), EngineLab.scrip(3)])
        let second = try ConsentRecord(verifying: try #require(requests[1].consent), key: lab.signer.publicKey)
        #expect(second.nonceHash == ConsentRecord.hash(of: EngineLab.nonce(2)))
        #expect(second.scripHash == ConsentRecord.hash(of: EngineLab.scrip(2)))
    }

    @Test("A rotated scrip does not live longer than the one it replaces")
    func rotationKeepsExpiry() async throws {
        let lab = EngineLab(.prefetched(1, lifetime: 600), .authorized(next: 2), .prefetched(3))
        lab.clock.advance(by: .seconds(50))
        _ = try await lab.engine.verificationToken()
        lab.clock.advance(by: .seconds(595))
        #expect(!(try await lab.engine.prefetch().fromMemory))
    }

    @Test("A scrip that is not replaced is gone after its use")
    func singleUse() async throws {
        let lab = EngineLab(.prefetched(1), .authorized(), .prefetched(2), .authorized())
        _ = try await lab.engine.logIn(with: FakePresenter())
        _ = try await lab.engine.logIn(with: FakePresenter())
        #expect(await lab.paths == ["prefetch", "authorize", "prefetch", "authorize"])
    }

    @Test("A verification with a dead scrip prefetches anew, once", arguments: [Situation.scripExpired, .scripInvalid])
    func renewal(situation: Situation) async throws {
        let lab = EngineLab(.prefetched(1), .refused(situation), .prefetched(2), .authorized())
        #expect(try await lab.engine.verificationToken().purpose == .verification)
        #expect(await lab.paths == ["prefetch", "authorize", "prefetch", "authorize"])
        let hopeless = EngineLab(
            .prefetched(1), .refused(situation), .prefetched(2), .refused(situation), .prefetched(3))
        #expect(
            await EngineLab.error { () async throws(BenjiError) in _ = try await hopeless.engine.verificationToken() }?
                .situation == situation)
        #expect(await hopeless.paths == ["prefetch", "authorize", "prefetch", "authorize"])
    }

    @Test(
        "A login with a dead scrip fails after the page, and the next call prefetches anew",
        arguments: [
            Situation.scripExpired, .scripInvalid, .scripReused, .scripStolen, .subscriptionMismatch,
            .subscriptionChanged, .consentInvalid,
        ])
    func deadScrip(situation: Situation) async throws {
        let lab = EngineLab(.prefetched(1), .refused(situation), .prefetched(2))
        #expect(
            await EngineLab.error { () async throws(BenjiError) in _ = try await lab.engine.logIn(with: FakePresenter())
            }?.situation == situation)
        #expect(await lab.paths == ["prefetch", "authorize"])
        #expect(!(try await lab.engine.prefetch().fromMemory))
    }

    @Test(
        "A refusal that says nothing about the scrip keeps it",
        arguments: [Situation.tooManyRequests, .tooManyUnusedTokens, .assuranceTooLow])
    func livingScrip(situation: Situation) async throws {
        let lab = EngineLab(.prefetched(1), .refused(situation))
        _ = await EngineLab.error { () async throws(BenjiError) in _ = try await lab.engine.logIn(with: FakePresenter())
        }
        #expect(try await lab.engine.prefetch().fromMemory)
    }

    @Test(
        "A scrip whose authorize may have been done unheard is never shown again",
        arguments: [
            (.broken(.connectionLost), false), (.broken(.timedOut), false), (.broken(.malformedResponse), false),
            (.json(.array([])), false),
            (.broken(.connectionRefused), true), (.broken(.noNetwork), true), (.broken(.tlsFailed), true),
            (.broken(.nameNotResolved), true),
        ] as [(ScriptedTransport.Answer, Bool)])
    func unheardAuthorize(answer: ScriptedTransport.Answer, kept: Bool) async throws {
        let lab = EngineLab(.prefetched(1), answer, .prefetched(2))
        _ = await EngineLab.error { () async throws(BenjiError) in _ = try await lab.engine.logIn(with: FakePresenter())
        }
        #expect(try await lab.engine.prefetch().fromMemory == kept)
    }

    @Test("Forgetting empties the memory first and tells the server; without a scrip nothing is sent")
    func forgetting() async throws {
        let lab = EngineLab(
            .prefetched(1), .response(TransportResponse(status: 204)), .prefetched(2), .broken(.noNetwork),
            .prefetched(3))
        try await lab.engine.forget()
        #expect(await lab.transport.requests.isEmpty)
        _ = try await lab.engine.prefetch()
        try await lab.engine.forget()
        #expect(try ForgetRequest(try await lab.transport.requests[1].json).scrip == EngineLab.scrip(1))
        #expect(!(try await lab.engine.prefetch().fromMemory))
        #expect(
            await EngineLab.error { () async throws(BenjiError) in try await lab.engine.forget() }?.situation
                == .noNetwork)
        #expect(!(try await lab.engine.prefetch().fromMemory), "forgotten although the server could not be told")
        #expect(await lab.paths == ["prefetch", "forget", "prefetch", "forget", "prefetch"])
    }
}
