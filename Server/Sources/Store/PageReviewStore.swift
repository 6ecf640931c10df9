package import BenjiProtocol

/// A page submitted for an app, with the decision on it.
package struct PageSubmission: Hashable, Sendable {
    /// How far a submission is.
    package enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// It waits for a decision.
        case submitted
        case approved
        case refused
        /// It was taken back before it was decided, or was approved and is not any more.
        case withdrawn
    }

    /// Counts the submissions of all apps; 0 until it is written.
    package var id: Int64
    package var app: AppID
    /// The page digest; of a page that the app draws itself, the content digest.
    package var digest: String
    /// The description in its canonical form; of a page that the app draws itself, the content of its consents. JSON.
    package var page: String
    /// The developer's note to the reviewer.
    package var note: String?
    /// The findings of the rules when it was submitted. JSON.
    package var findings: String
    package var submittedBy: String
    package var submittedAt: Timestamp
    package var state: State
    /// The person who took the last decision; `nil` while there is none.
    package var decidedBy: String?
    package var decidedAt: Timestamp?
    package var reason: String?

    package init(
        id: Int64 = 0, app: AppID, digest: String, page: String, note: String? = nil, findings: String,
        submittedBy: String, submittedAt: Timestamp, state: State = .submitted, decidedBy: String? = nil,
        decidedAt: Timestamp? = nil, reason: String? = nil
    ) {
        self.id = id
        self.app = app
        self.digest = digest
        self.page = page
        self.note = note
        self.findings = findings
        self.submittedBy = submittedBy
        self.submittedAt = submittedAt
        self.state = state
        self.decidedBy = decidedBy
        self.decidedAt = decidedAt
        self.reason = reason
    }
}

/// Keeps submitted pages as a record of approvals. They stay when they are decided, and when their app is erased.
package protocol PageReviewStore: Sendable {
    /// Keeps a submission under the next number, which it answers.
    ///
    /// - Throws: ``StoreError/Code/alreadyExists`` if the app has one of the same digest that waits for a decision or
    ///   is approved.
    func addPageSubmission(_ submission: PageSubmission, audit: AuditEntry?) async throws(StoreError) -> Int64
    func pageSubmission(_ id: Int64) async throws(StoreError) -> PageSubmission?
    /// Submissions, newest first, at most `limit`. An argument that is `nil` matches all.
    /// - Parameter before: only those with a smaller number; `nil` from the newest on.
    func pageSubmissions(
        app: AppID?, state: PageSubmission.State?, before: Int64?, limit: Int
    ) async throws(StoreError) -> [PageSubmission]
    /// Writes a decision, and what it changes of the app as ``AppStore/updateApp(_:event:audit:)`` does, in one step.
    ///
    /// - Parameters:
    ///   - submission: with its new state, and who decided when and why.
    ///   - state: how far it was when that was decided.
    ///   - app: the app as it is afterwards; `nil` if nothing of it changes.
    /// - Throws: ``StoreError/Code/outdated`` if the submission is in another state by now, or the app at another
    ///   revision. ``StoreError/Code/notFound`` if there is no such submission or app. Then nothing is changed.
    func decidePageSubmission(
        _ submission: PageSubmission, from state: PageSubmission.State, app: AppRecord?, audit: AuditEntry?
    ) async throws(StoreError)
}
