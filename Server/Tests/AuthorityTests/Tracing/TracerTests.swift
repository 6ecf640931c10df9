@_spi(Server) import BenjiProtocol
import Logging
import ServerTestKit
import Sightings
import Store
import Synchronization
import Testing

@testable import Authority
@testable import Requests

@Suite("Steps of logins, as they are written and seen")
struct TracerTests {
    /// Keeps the written steps in memory, or refuses every write.
    private final class TraceBook: TraceStore {
        private let state = Mutex<[[TraceEvent]]>([])
        private let isAway: Bool
        var writes: [[TraceEvent]] { state.withLock { $0 } }

        init(isAway: Bool = false) { self.isAway = isAway }

        func appendTraceEvents(_ events: [TraceEvent]) async throws(StoreError) {
            if isAway { throw StoreError(.unavailable, "a test") }
            state.withLock { $0.append(events) }
        }

        func traceEvents(_ trace: TraceID) async throws(StoreError) -> [TraceEvent] { [] }
        func traces(_ filter: TraceFilter, limit: Int) async throws(StoreError) -> [TraceSummary] { [] }
    }

    /// A tracer with its store, its log and the events that it reports.
    private struct Stage {
        let store: TraceBook
        let log = LogBook()
        let seen = Seen()
        let tracer: Tracer

        final class Seen: Sendable {
            private let state = Mutex<[TraceEvent]>([])
            var events: [TraceEvent] { state.withLock { $0 } }
            func append(_ event: TraceEvent) { state.withLock { $0.append(event) } }
        }

        init(isAway: Bool = false) {
            store = TraceBook(isAway: isAway)
            tracer = Tracer(store: store, clock: TestClock(), logger: log.logger) { [seen] in seen.append($0) }
        }
    }

    private static let trace = TraceID(rawValue: String(repeating: "a", count: 32))!

    private func event(_ step: String, _ situation: Situation = .success, _ detail: String = "") -> TraceEvent {
        TraceEvent(
            trace: Self.trace, at: TestClock().now, party: .authority, step: step, situation: situation, detail: detail)
    }

    @Test("steps that belong together are seen one by one and written at once; what is not kept is seen alone")
    func recording() async {
        let here = Stage()
        await here.tracer.record([event("a"), event("b")])
        await here.tracer.record([event("c")], isKept: false)
        await here.tracer.record([])
        await here.tracer.record(Self.trace, .device, "d", .codeWrong, "why")
        var last = event("d", .codeWrong, "why")
        last.party = .device
        #expect(here.store.writes == [[event("a"), event("b")], [last]])
        #expect(here.seen.events == [event("a"), event("b"), event("c"), last] && here.log.lines.isEmpty)
    }

    @Test("a login goes on when its steps cannot be written; the log names its trace")
    func lost() async throws {
        let here = Stage(isAway: true)
        let answer = try await here.tracer.traced(Self.trace, "a") { () async throws(Refusal) in
            TracedAnswer(7, "done")
        } keeps: { _ in
            true
        }
        #expect(answer == 7 && here.seen.events == [event("a", .success, "done")])
        #expect(
            here.log.lines == [
                "warning a trace event was lost reason=store unavailable: a test trace=\(Self.trace)"
            ])
    }

    @Test("a sighting's step says which gateway saw a phone of which carrier, and whose login to which app it is")
    func sightings() throws {
        let sighting = Sighting(
            subscription: SubscriptionReference(subscription: 5, epoch: 3, simGeneration: 2), carrier: .mobile,
            binding: BindingID(rawValue: 7), gateway: "gateway-1", time: TestClock().now,
            localAddressConfirmed: false, roaming: false)
        let app = try #require(AppID(rawValue: "300000000001"))
        var expected = event("sighting", .success, "mobile, by gateway-1")
        expected.party = .gateway
        expected.login = TraceEvent.Login(app: app, subscription: 5, epoch: 3)
        #expect(Stage().tracer.event(Self.trace, sighting: sighting, of: app) == expected)
    }

    @Test("an answer is written behind the steps before it, and only seen where the login is not kept")
    func answers() async throws {
        for isKept in [true, false] {
            let here = Stage()
            let answer = try await here.tracer.traced(Self.trace, "c", after: [event("a")]) {
                () async throws(Refusal) in
                isKept
                    ? TracedAnswer("yes", "done", after: [event("b")])
                    : TracedAnswer("yes", "done", isKept: false, after: [event("b")])
            } keeps: { _ in
                false
            }
            let steps = [event("a"), event("b"), event("c", .success, "done")]
            #expect(answer == "yes" && here.seen.events == steps && here.store.writes == (isKept ? [steps] : []))
        }
        let here = Stage()
        _ = try await here.tracer.traced(nil, "c") { () async throws(Refusal) in
            TracedAnswer(1, "")
        } keeps: { _ in
            true
        }
        #expect(here.seen.events.isEmpty && here.store.writes.isEmpty, "nobody knows whose login it is")
    }

    @Test("whoever looks on at an authority sees each step of a login, those that are not kept among them")
    func lookingOn() async throws {
        try await withWorld { world async throws in
            let seen = Stage.Seen()
            let here = {
                var world = world
                world.authority = Authority(
                    configuration: world.authority.configuration, store: world.store, vault: world.vault,
                    clock: world.clock, logger: AuthorityWorld.logger
                ) { seen.append($0) }
                return world
            }()
            let stranger = try here.call(sighting: .failure(.unknownAddress))
            #expect(try await refusal { _ = try await here.prefetch(stranger) } == .addressUnknown)
            #expect(seen.events.last?.situation == .addressUnknown)
            let token = try await here.token()
            let kept = try await world.authority.traceEvents(token.trace)
            #expect(kept.count > 2 && seen.events.filter { $0.trace == token.trace } == kept)
        }
    }

    @Test("a refusal names its trace where that is written, or where the caller is told it all the same")
    func refusals() async {
        for (isNamed, isKept) in [(false, false), (false, true), (true, false), (true, true)] {
            let here = Stage()
            // Whatever the refusal said of a trace before.
            let refusal = Refusal(.codeWrong, "why", trace: TraceID(rawValue: String(repeating: "b", count: 32)))
            do throws(Refusal) {
                _ = try await here.tracer.traced(Self.trace, "c", after: [event("a")], isNamed: isNamed) {
                    () async throws(Refusal) -> TracedAnswer<Int> in
                    throw refusal
                } keeps: {
                    $0 == refusal && isKept
                }
                Issue.record("it is answered")
            } catch {
                #expect(error.situation == .codeWrong && error.trace == (isNamed || isKept ? Self.trace : nil))
            }
            let steps = [event("a"), event("c", .codeWrong, "why")]
            #expect(here.seen.events == steps && here.store.writes == (isKept ? [steps] : []))
        }
        let here = Stage()
        do throws(Refusal) {
            _ = try await here.tracer.traced(Self.trace, "c") { () async throws(Refusal) -> TracedAnswer<Int> in
                throw Refusal(.codeWrong, "why")
            } keeps: { _ in
                false
            }
        } catch { #expect(error.trace == nil, "nobody asked to have it named") }
    }
}
