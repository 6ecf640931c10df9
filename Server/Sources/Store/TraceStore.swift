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
    /// Whose login it is, in the step that found it out; by it support finds a login.
    package var login: Login?

    /// The app that somebody logs in to, and who they are: a row of the register, while the number is theirs.
    package struct Login: Hashable, Sendable {
        package var app: AppID
        package var subscription: Int64
        package var epoch: Int32

        package init(app: AppID, subscription: Int64, epoch: Int32) {
            self.app = app
            self.subscription = subscription
            self.epoch = epoch
        }
    }

    package init(
        trace: TraceID, at: Timestamp, party: Party, step: String, situation: Situation, detail: String,
        login: Login? = nil
    ) {
        self.trace = trace
        self.at = at
        self.party = party
        self.step = step
        self.situation = situation
        self.detail = detail
        self.login = login
    }
}

/// Which logins are looked for. What is `nil` or empty asks for nothing.
package struct TraceFilter: Hashable, Sendable, Codable {
    package var app: AppID?
    /// Who logged in: a row of the register, and the epoch in which it is about this person.
    package var subscription: Int64?
    package var epoch: Int32?
    /// Some step of it ended in one of these.
    package var situations: [Situation]
    /// When it was found out whose login it is: from then on, and before then.
    package var since: Timestamp?
    package var until: Timestamp?

    package init(
        app: AppID? = nil, subscription: Int64? = nil, epoch: Int32? = nil, situations: [Situation] = [],
        since: Timestamp? = nil,
        until: Timestamp? = nil
    ) {
        self.app = app
        self.subscription = subscription
        self.epoch = epoch
        self.situations = situations
        self.since = since
        self.until = until
    }

    /// Whose login it is, is asked for by number.
    private enum CodingKeys: CodingKey { case app, situations, since, until }
}

/// A login among others.
package struct TraceSummary: Hashable, Sendable {
    package var trace: TraceID
    package var app: AppID
    package var at: Timestamp
    /// Its last step, and how that ended.
    package var step: String
    package var situation: Situation

    package init(trace: TraceID, app: AppID, at: Timestamp, step: String, situation: Situation) {
        self.trace = trace
        self.app = app
        self.at = at
        self.step = step
        self.situation = situation
    }
}

/// Keeps the traces of logins.
package protocol TraceStore: Sendable {
    /// Appends in order. May be grouped with other writes; losing the last moments in a crash is acceptable.
    func appendTraceEvents(_ events: [TraceEvent]) async throws(StoreError)
    /// The events of one trace, oldest first.
    func traceEvents(_ trace: TraceID) async throws(StoreError) -> [TraceEvent]
    /// Logins of which it is known whose they are, each once, newest first, at most `limit`.
    func traces(_ filter: TraceFilter, limit: Int) async throws(StoreError) -> [TraceSummary]
}
