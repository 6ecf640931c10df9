import BenjiProtocol
import BenjiTesting
import Testing

@testable import BenjiClient

@Suite struct ClockSkewTests {
    private let serverTime = Timestamp(seconds: 1_790_003_600)

    @Test("A phone whose clock is wrong takes the server's and tries once more")
    func retry() async throws {
        let lab = EngineLab(.refused(.clockSkew, serverTime: serverTime), .prefetched(), .authorized())
        _ = try await lab.engine.logIn(with: FakePresenter(clock: lab.wallClock))
        #expect(await lab.paths == ["prefetch", "prefetch", "authorize"])
        let times = try await lab.transport.requests.map { try $0.proof.issuedAt }
        #expect(times == [lab.wallClock.now, serverTime, serverTime])
        #expect(Set(try await lab.transport.requests.map { try $0.proof.id }).count == 3, "a proof is never sent twice")
    }

    @Test("The consent's times are the server's too")
    func consentTimes() async throws {
        let lab = EngineLab(.prefetched(), .refused(.clockSkew, serverTime: serverTime), .authorized())
        let presenter = FakePresenter(clock: lab.wallClock)
        _ = try await lab.engine.logIn(with: presenter)
        #expect(await presenter.offers.count == 1, "the page is not shown again")
        let requests = try await lab.transport.requests.dropFirst().map { try AuthorizeRequest(try $0.json) }
        let consents = try requests.map { try ConsentRecord(verifying: $0.consent ?? "", key: lab.signer.publicKey) }
        #expect(consents.map(\.shownAt) == [lab.wallClock.now, serverTime])
        #expect(consents.map(\.tappedAt) == [lab.wallClock.now + .milliseconds(2), serverTime + .milliseconds(2)])
    }

    @Test("A second refusal in one call is final")
    func once() async throws {
        let lab = EngineLab(
            .refused(.clockSkew, serverTime: serverTime), .refused(.clockSkew, serverTime: serverTime), .prefetched())
        #expect(
            await EngineLab.error { () async throws(BenjiError) in _ = try await lab.engine.prefetch() }?.situation
                == .clockSkew)
        #expect(await lab.transport.requests.count == 2)
    }

    @Test("A refusal that does not tell the time is final")
    func withoutTime() async throws {
        let lab = EngineLab(.refused(.clockSkew), .prefetched())
        #expect(
            await EngineLab.error { () async throws(BenjiError) in _ = try await lab.engine.prefetch() }?.situation
                == .clockSkew)
        #expect(await lab.transport.requests.count == 1)
    }

    @Test("The correction outlives the call, and the ends of time do not trap", arguments: [Int64.max, .min, 0])
    func extremes(milliseconds: Int64) async throws {
        let lab = EngineLab(
            .refused(.clockSkew, serverTime: Timestamp(milliseconds: milliseconds)), .prefetched(lifetime: 1),
            .prefetched())
        _ = try await lab.engine.prefetch()
        _ = try await lab.engine.prefetch()
        #expect(await lab.transport.requests.count == 3)
    }
}
