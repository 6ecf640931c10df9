import Authority
import BenjiProtocol
import Sightings
import Store

/// The trace of sessions. The store keeps it as for other logins: nothing for a caller without a known subscription,
/// and sixty of a subscriber's refusals in ten minutes.
extension FaceProvider {
    /// Steps of a search that are remembered until it is known whose they are.
    static let untoldSteps = 12

    /// Records a step of a session. While the session's holder is unknown, only observers of the trace see the step.
    /// The step is stored when the session becomes a login.
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

    /// Records that a session became a login, after its earlier steps that were not stored.
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
