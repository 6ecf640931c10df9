package import BenjiProtocol
import Logging
package import Requests
package import Sightings
package import Store

/// Writes the steps of a login where support and the sandbox find them (decision 14).
package struct Tracer: Sendable {
    let store: any TraceStore
    let clock: any WallClock
    let logger: Logger
    /// Sees each step when it happens, in the task in which it happens.
    package var observer: (@Sendable (TraceEvent) -> Void)?

    package func record(
        _ trace: TraceID, _ party: TraceEvent.Party, _ step: String, _ situation: Situation, _ detail: String
    ) async {
        await record([event(trace, party, step, situation, detail)])
    }

    /// Steps that belong together, in one write.
    /// - Parameter isKept: whether they are written down; otherwise only the observer receives them.
    package func record(_ events: [TraceEvent], isKept: Bool = true) async {
        if let observer { for event in events { observer(event) } }
        guard isKept, let first = events.first else { return }
        do {
            try await store.appendTraceEvents(events)
        } catch {
            // A login goes on when its trace cannot be written.
            logger.warning("a trace event was lost", metadata: ["trace": "\(first.trace)", "reason": "\(error)"])
        }
    }

    package func event(
        _ trace: TraceID, _ party: TraceEvent.Party, _ step: String, _ situation: Situation, _ detail: String,
        of login: TraceEvent.Login? = nil
    ) -> TraceEvent {
        TraceEvent(
            trace: trace, at: clock.now, party: party, step: step, situation: situation, detail: detail, login: login)
    }

    /// The event of a sighting: the subscription that the gateway saw, and the app.
    package func event(_ trace: TraceID, sighting: Sighting, of app: AppID) -> TraceEvent {
        event(
            trace, .gateway, "sighting", .success, "\(sighting.carrier.rawValue), by \(sighting.gateway)",
            of: TraceEvent.Login(
                app: app, subscription: sighting.subscription.subscription, epoch: sighting.subscription.epoch))
    }

    /// Takes a step of a login and records how it ended: the one place for both ends.
    ///
    /// - Parameters:
    ///   - trace: the login's; `nil` if unknown, and then nothing is recorded.
    ///   - earlier: steps that are written with this one.
    ///   - isNamed: whether a refusal names the trace even if it is not written down.
    ///   - keeps: whether a refusal is written down; otherwise only the observer receives it.
    package func traced<Answer>(
        _ trace: TraceID?, _ step: String, after earlier: [TraceEvent] = [], isNamed: Bool = false,
        _ body: () async throws(Refusal) -> TracedAnswer<Answer>, keeps: (Refusal) -> Bool
    ) async throws(Refusal) -> Answer {
        guard let trace else { return try await body().answer }
        do {
            let end = try await body()
            await record(
                earlier + end.earlier + [event(trace, .authority, step, .success, end.detail)], isKept: end.isKept)
            return end.answer
        } catch {
            let isKept = keeps(error)
            await record(
                earlier + [event(trace, .authority, step, error.situation, error.detail)], isKept: isKept)
            var refusal = error
            refusal.trace = isNamed || isKept ? trace : nil
            throw refusal
        }
    }
}

/// A step's answer, and what its trace says of it.
package struct TracedAnswer<Answer> {
    var answer: Answer
    var detail: String
    var isKept: Bool
    var earlier: [TraceEvent]

    /// - Parameters:
    ///   - isKept: whether the step is written down; otherwise only the observer receives it.
    ///   - earlier: steps that are written before this one.
    package init(_ answer: Answer, _ detail: String, isKept: Bool = true, after earlier: [TraceEvent] = []) {
        self.answer = answer
        self.detail = detail
        self.isKept = isKept
        self.earlier = earlier
    }
}
