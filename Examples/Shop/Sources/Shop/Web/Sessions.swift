import Foundation

/// The shop's state for browsers: baskets, logged-in accounts, and logins that are under way.
actor Sessions {
    struct Session: Sendable {
        /// Tea and count.
        var basket: [String: Int] = [:]
        var account: String?
        var usedAt = Date()
    }

    private struct Departure {
        var attempt: LoginAttempt
        var browser: String
    }

    private var sessions: [String: Session] = [:]
    private var departures: [String: Departure] = [:]

    /// How long a session lives without being used, in seconds.
    private static let life: TimeInterval = 3600
    /// More than this are not kept; the one that was used longest ago makes room.
    private let maximumCount: Int

    init(maximumCount: Int = 10_000) { self.maximumCount = maximumCount }

    func find(_ id: String?) -> Session? {
        guard let id, var session = sessions[id] else { return nil }
        guard session.usedAt.timeIntervalSinceNow > -Self.life else {
            sessions[id] = nil
            return nil
        }
        session.usedAt = Date()
        sessions[id] = session
        return session
    }

    /// Changes a session, or a new one if there is none. Returns its id.
    func change(_ id: String?, _ body: @Sendable (inout Session) -> Void) -> String {
        if let id, var session = find(id) {
            body(&session)
            sessions[id] = session
            return id
        }
        if sessions.count >= maximumCount, let oldest = sessions.min(by: { $0.value.usedAt < $1.value.usedAt }) {
            sessions[oldest.key] = nil
        }
        let id = Secret.make()
        var session = Session()
        body(&session)
        sessions[id] = session
        return id
    }

    /// Begins a new session after a login, under a new id: an id that was known before is invalid.
    func logIn(_ account: String, from old: String?) -> String {
        let basket = find(old)?.basket ?? [:]
        if let old { sessions[old] = nil }
        return change(nil) {
            $0.account = account
            $0.basket = basket
        }
    }

    func end(_ id: String?) { if let id { sessions[id] = nil } }

    // MARK: - Logins under way

    func depart(_ attempt: LoginAttempt, from browser: String) {
        departures = departures.filter { $0.value.attempt.begunAt.timeIntervalSinceNow > -LoginAttempt.life }
        guard departures.count < maximumCount else { return }
        departures[attempt.state] = Departure(attempt: attempt, browser: browser)
    }

    /// The login that a browser comes back from. Each comes back once, and to the browser that it left.
    func arrive(_ state: String?, at browser: String?) -> LoginAttempt? {
        guard let state, let browser, let departure = departures[state], departure.browser == browser,
            departure.attempt.begunAt.timeIntervalSinceNow > -LoginAttempt.life
        else { return nil }
        departures[state] = nil
        return departure.attempt
    }
}
