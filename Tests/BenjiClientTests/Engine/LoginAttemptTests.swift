import BenjiProtocol
import BenjiTesting
import Testing

@testable import BenjiClient

@Suite struct LoginAttemptTests {
    @Test("Whatever comes in whatever order, nothing is authorized for a login before its consent", arguments: 0..<4)
    func strayEvents(seed: UInt64) throws {
        var generator = Generator(source: SeededRandomSource(seed: seed))
        let stray = try Self.strayEvents()
        var tokens = 0
        for _ in 0..<200 {
            var attempt = LoginAttempt(goal: .login, memory: LoginMemory(), margin: .zero)
            var expected = LoginAttempt.Event.started
            var consented = false
            for _ in 0..<8 {
                let event = Bool.random(using: &generator) ? expected : stray.randomElement(using: &generator)!
                if case .presented(.consented) = event { consented = true }
                switch attempt.handle(event, at: .zero).action {
                case .prefetch: expected = stray[0]
                case .present(let offer):
                    expected = .presented(.consented(FakePresenter.consent(to: offer, at: Timestamp(seconds: 1))))
                case .authorize:
                    #expect(consented)
                    expected = stray[1]
                case .finish(.success(.token)):
                    #expect(consented)
                    tokens += 1
                case .finish(.success(.prefetched)): Issue.record("a login does not end in a prefetch")
                case .finish(.failure): break
                }
            }
        }
        #expect(tokens > 0, "no walk came to its end")
    }

    /// A prefetch's answer, a token, and whatever else can come.
    private static func strayEvents() throws -> [LoginAttempt.Event] {
        guard case .response(let prefetched) = ScriptedTransport.Answer.prefetched(),
            case .response(let authorized) = ScriptedTransport.Answer.authorized()
        else { return [] }
        return [
            .prefetched(try PrefetchResponse(try JSON(parsing: prefetched.body)), sentAt: .zero),
            .authorized(try AuthorizeResponse(try JSON(parsing: authorized.body))), .started, .presented(.cancelled),
            .refused(
                DeviceFailure(situation: .clockSkew, detail: "", serverTime: Timestamp(seconds: 1)),
                at: Timestamp(seconds: 2)),
            .refused(DeviceFailure(situation: .scripExpired, detail: ""), at: .init(seconds: 2)),
            .failed(BenjiError(.networkFailure, ""), mayBeDone: true), .timedOut, .cancelled,
        ]
    }

    private struct Generator: RandomNumberGenerator {
        var source: SeededRandomSource
        func next() -> UInt64 { source.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }
    }
}
