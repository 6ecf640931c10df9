package import BenjiProtocol
import Logging
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
    /// - Parameter isKept: whether they are written down; else only whoever looks on sees them.
    package func record(_ events: [TraceEvent], isKept: Bool = true) async {
        if let observer { for event in events { observer(event) } }
        guard isKept, let first = events.first else { return }
        do {
            try await store.appendTraceEvents(events)
        } catch {
            // A login does not fail because its story could not be written down.
            logger.warning("a trace event was lost", metadata: ["trace": "\(first.trace)", "reason": "\(error)"])
        }
    }

    package func event(
        _ trace: TraceID, _ party: TraceEvent.Party, _ step: String, _ situation: Situation, _ detail: String
    ) -> TraceEvent {
        TraceEvent(trace: trace, at: clock.now, party: party, step: step, situation: situation, detail: detail)
    }
}
