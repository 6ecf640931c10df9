package import BenjiProtocol

/// How many steps of an app's logins ended alike in one hour. It identifies no person.
package struct LoginCount: Hashable, Sendable {
    package var app: AppID
    /// Hours since 1970, UTC.
    package var hour: Int64
    /// `nil` where the step did not get so far as to know it.
    package var carrier: Carrier?
    package var party: TraceEvent.Party
    /// As in ``TraceEvent/step``.
    package var step: String
    package var situation: Situation
    package var count: Int

    package init(
        app: AppID, hour: Int64, carrier: Carrier?, party: TraceEvent.Party, step: String, situation: Situation,
        count: Int
    ) {
        self.app = app
        self.hour = hour
        self.carrier = carrier
        self.party = party
        self.step = step
        self.situation = situation
        self.count = count
    }

    /// The hour that a moment is in.
    package static func hour(of moment: Timestamp) -> Int64 { moment.milliseconds / 3_600_000 }
}

/// Keeps counts of steps of logins for charts. They show an app's logins of months without reading the ledger or
/// traces. Bills never use them: a crash may lose the last moments.
package protocol LoginCountStore: Sendable {
    /// Adds to the present counts, in one commit.
    func addLoginCounts(_ counts: [LoginCount]) async throws(StoreError)
    /// The counts of an app in these hours, oldest first.
    func loginCounts(of app: AppID, hours: Range<Int64>) async throws(StoreError) -> [LoginCount]
    /// The counts of all apps in these hours, summed over units of time, in no order. The time it takes grows with the
    /// counts in these hours, and not with others.
    ///
    /// - Parameters:
    ///   - unit: how many hours are summed. ``LoginCount/hour`` is the first of them.
    ///   - offset: where units begin, in hours from the begin of a day of UTC.
    func loginCounts(
        hours: Range<Int64>, unit: Int64, offset: Int64
    ) async throws(StoreError) -> [LoginCount]
}
