import Authority
import BenjiProtocol
import Sightings
import Store

/// What is written down of sessions. The trace is in the store, so it is kept as everywhere else: nothing for a caller of whom no
/// subscription is known, and of a subscriber's refusals sixty in ten minutes.
extension FaceProvider {
    /// Steps of a search that are remembered until it is known whose they are.
    static let untoldSteps = 12

    /// Writes a step of a session down. As long as nobody knows whose session it is, only who looks on sees the step; it is written
    /// when the session becomes a login.
    func record(
        _ session: FaceSession, _ secret: String, _ party: TraceEvent.Party, _ step: String, _ detail: String
    ) async {
        let event = authority.tracer.event(session.trace, party, step, .success, detail)
        if session.subscription == nil { remember(event, secret) }
        await authority.tracer.record([event], isKept: session.subscription != nil)
    }

    /// The same of a refusal. Returns the trace for the answer, `nil` if the refusal is not to be found there.
    @discardableResult
    func record(
        refusal situation: Situation, _ detail: String, of session: FaceSession, _ secret: String, _ step: String
    ) async -> TraceID? {
        let event = authority.tracer.event(session.trace, .authority, step, situation, detail)
        let isKept = session.subscription.map { mayTraceRefusal(session.appID, $0.subscription) } ?? false
        if session.subscription == nil { remember(event, secret) }
        await authority.tracer.record([event], isKept: isKept)
        return isKept ? session.trace : nil
    }

    /// Writes down that a session became a login, after what was not told before.
    func record(finished session: FaceSession, _ detail: String) async {
        let event = authority.tracer.event(
            session.trace, .authority, "face.finish", .success, detail,
            of: session.subscription.map {
                TraceEvent.Login(app: session.appID, subscription: $0.subscription, epoch: $0.epoch)
            })
        // Somebody who watches the trace has seen the earlier steps.
        let earlier = session.untold
        var tracer = authority.tracer
        await tracer.record([event], isKept: earlier.isEmpty)
        guard !earlier.isEmpty else { return }
        tracer.observer = nil
        await tracer.record(earlier + [event])
    }

    func mayTraceRefusal(_ app: AppID, _ subscription: Int64) -> Bool {
        authority.mayTraceRefusal(of: "\(app.rawValue)/\(subscription)")
    }

    private func remember(_ event: TraceEvent, _ secret: String) {
        _ = sessions.change(secret) { session in
            if session.untold.count < Self.untoldSteps { session.untold.append(event) }
        }
    }
}
