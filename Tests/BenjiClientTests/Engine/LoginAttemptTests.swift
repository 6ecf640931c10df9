import BenjiProtocol
import BenjiTesting
import Testing

@testable import BenjiClient

@Suite struct LoginAttemptTests {
    @Test("Events that do not belong to a step never lead to a token", arguments: 0..<20)
    func strayEvents(seed: UInt64) throws {
        var generator = Generator(source: SeededRandomSource(seed: seed))
        guard case .response(let prefetch) = ScriptedTransport.Answer.prefetched(),
            case .response(let authorize) = ScriptedTransport.Answer.authorized()
        else { return }
        let prefetched = try PrefetchResponse(try JSON(parsing: prefetch.body))
        let authorized = try AuthorizeResponse(try JSON(parsing: authorize.body))
        for _ in 0..<500 {
            var attempt = LoginAttempt(goal: .login, memory: LoginMemory(), margin: .zero)
            var asked = false
            var consented = false
            var offer: PageOffer?
            for _ in 0..<6 {
                var events: [LoginAttempt.Event] = [
                    .started, .prefetched(prefetched, sentAt: .zero), .authorized(authorized), .timedOut, .cancelled,
                    .presented(.cancelled),
                    .refused(
                        DeviceFailure(situation: .clockSkew, detail: "", serverTime: Timestamp(seconds: 1)),
                        at: Timestamp(seconds: 2)),
                    .failed(BenjiError(.networkFailure, ""), mayBeDone: true),
                ]
                if let offer {
                    events.append(.presented(.consented(FakePresenter.consent(to: offer, at: Timestamp(seconds: 1)))))
                }
                let event = events.randomElement(using: &generator)!
                if case .presented(.consented) = event { consented = true }
                switch attempt.handle(event, at: .zero).action {
                case .authorize:
                    #expect(consented)
                    asked = true
                case .present(let shown): offer = shown
                case .finish(.success(.token)): #expect(asked && consented)
                case .finish(.success(.prefetched)): Issue.record("a login does not end in a prefetch")
                case .finish(.failure), .prefetch: break
                }
            }
        }
    }

    private struct Generator: RandomNumberGenerator {
        var source: SeededRandomSource
        func next() -> UInt64 { source.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }
    }
}
