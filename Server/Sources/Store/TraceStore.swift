package import BenjiProtocol

/// One step of a login, for support and the sandbox's timeline (decision 14). Carries no number and no credential.
package struct TraceEvent: Hashable, Sendable {
    /// The party that acted or answered.
    package enum Party: String, Hashable, Sendable, CaseIterable {
        case device, gateway, authority
        case appServer = "app-server"
    }

    package var trace: TraceID
    package var at: Timestamp
    package var party: Party
    /// The attempted action: "prefetch", "authorize", "loginTokenValidate".
    package var step: String
    package var situation: Situation
    /// A few words for people, without numbers and credentials.
    package var detail: String
    /// The login's app and person, in the step that found them; support finds a login by it.
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

/// Selects logins. A member that is `nil` or empty matches all.
package struct TraceFilter: Hashable, Sendable, Codable {
    package var app: AppID?
    /// The person: a row of the register, and the epoch in which it is about this person.
    package var subscription: Int64?
    package var epoch: Int32?
    /// Some step of it ended in one of these.
    package var situations: [Situation]
    /// When it was found out whose login it is: from then on, and before then.
    package var since: Timestamp?
    package var until: Timestamp?
    /// The last login that was told: those that come after it, also of its millisecond.
    package var after: TraceID?

    package init(
        app: AppID? = nil, subscription: Int64? = nil, epoch: Int32? = nil, situations: [Situation] = [],
        since: Timestamp? = nil,
        until: Timestamp? = nil, after: TraceID? = nil
    ) {
        self.app = app
        self.subscription = subscription
        self.epoch = epoch
        self.situations = situations
        self.since = since
        self.until = until
        self.after = after
    }

    /// Subscription and epoch are not coded: orders name the person by number.
    private enum CodingKeys: CodingKey { case app, situations, since, until, after }
}

/// How a login went: as the app's server was answered, or else as its last step ended. What a server asks again does
/// not undo an answer.
package struct LoginOutcome: Hashable, Sendable {
    package struct Step: Hashable, Sendable {
        package var step: String
        package var situation: Situation

        package init(_ step: String, _ situation: Situation) {
            self.step = step
            self.situation = situation
        }
    }

    /// The last step that answered the app's server, or the last of all if none did.
    package var decisive: Step
    /// The last of all.
    package var last: Step

    package init(decisive: Step, last: Step) {
        self.decisive = decisive
        self.last = last
    }

    /// - Parameter events: of one login, oldest first; `nil` if there is none.
    package init?(of events: [TraceEvent]) {
        guard let last = events.last else { return nil }
        let decisive = events.last { $0.answers } ?? last
        self.init(decisive: Step(decisive.step, decisive.situation), last: Step(last.step, last.situation))
    }
}

extension TraceEvent {
    /// Steps of an app's server before it gets the number or an answer about it, or without.
    package static let stepsWithoutAnswer = [
        "openid.backchannel", "openid.token", "openid.revoke", "openid.client-credentials",
        "one-time-password-sms.send-code",
    ]
    /// "It is another number" is an answer too.
    package static let answeringSituations: [Situation] = [.success, .numberDiffers]

    /// Whether the app's server got the number, or an answer about it.
    package var answers: Bool {
        party == .appServer && Self.answeringSituations.contains(situation) && !Self.stepsWithoutAnswer.contains(step)
    }
}

/// A login among others.
package struct TraceSummary: Hashable, Sendable {
    package var trace: TraceID
    package var app: AppID
    package var at: Timestamp
    package var outcome: LoginOutcome

    package init(trace: TraceID, app: AppID, at: Timestamp, outcome: LoginOutcome) {
        self.trace = trace
        self.app = app
        self.at = at
        self.outcome = outcome
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
