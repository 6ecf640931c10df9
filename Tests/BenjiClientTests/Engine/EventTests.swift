import BenjiProtocol
import BenjiTesting
import Testing

@testable import BenjiClient

@Suite struct EventTests {
    @Test("Every subscriber sees every step, in order, with the trace once it is known")
    func steps() async throws {
        let lab = EngineLab(.prefetched(), .authorized())
        let streams = [await lab.engine.events(), await lab.engine.events()]
        _ = try await lab.engine.logIn(with: FakePresenter())
        for stream in streams {
            let events = await EngineLab.steps(stream)
            #expect(
                events.map(\.step) == [
                    .started, .prefetching, .prefetched, .presenting, .consented, .authorizing, .authorized, .finished,
                ])
            #expect(events.last?.situation == .success)
            #expect(events.last?.trace == EngineLab.trace)
            #expect(events.allSatisfy { $0.time == lab.wallClock.now })
        }
    }

    @Test("A refusal and what it costs are steps")
    func refusal() async throws {
        let lab = EngineLab(.prefetched(), .refused(.scripReused))
        let stream = await lab.engine.events()
        _ = await EngineLab.error { () async throws(BenjiError) in _ = try await lab.engine.verificationToken() }
        let events = await EngineLab.steps(stream)
        #expect(
            events.map(\.step) == [
                .started, .prefetching, .prefetched, .authorizing, .refused, .scripDropped, .finished,
            ])
        #expect(events.compactMap(\.situation) == [.scripReused, .scripReused])
    }

    @Test("Streams end with their engine")
    func endOfEngine() async {
        var lab: EngineLab? = EngineLab()
        let stream = await lab!.engine.events()
        lab = nil
        var count = 0
        for await _ in stream { count += 1 }
        #expect(count == 0)
    }
}
