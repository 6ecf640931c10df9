package import BenjiProtocol

/// One step of a login, for support and the sandbox's timeline (decision 14). Carries no number and no credential.
package struct TraceEvent: Hashable, Sendable {
    /// Who acted or answered.
    package enum Party: String, Hashable, Sendable, CaseIterable {
        case device, gateway, authority
        case appServer = "app-server"
    }

    package var trace: TraceID
    package var at: Timestamp
    package var party: Party
    /// What was attempted: "prefetch", "authorize", "loginTokenValidate".
    package var step: String
    package var situation: Situation
    /// A few words for people, without numbers and credentials.
    package var detail: String

    package init(
        trace: TraceID, at: Timestamp, party: Party, step: String, situation: Situation, detail: String
    ) {
        self.trace = trace
        self.at = at
        self.party = party
        self.step = step
        self.situation = situation
        self.detail = detail
    }
}

/// Keeps the traces of logins.
package protocol TraceStore: Sendable {
    /// Appends in order. May be grouped with other writes; losing the last moments in a crash is acceptable.
    func appendTraceEvents(_ events: [TraceEvent]) async throws(StoreError)
    /// The events of one trace, oldest first.
    func traceEvents(_ trace: TraceID) async throws(StoreError) -> [TraceEvent]
}
