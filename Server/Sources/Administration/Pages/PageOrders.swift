package import Authority
package import BenjiProtocol
package import Requests
package import Store

/// Hands a page in for review: what the rules find is kept with it. Answers the submission.
package struct SubmitPage: Order {
    package static let name = "page.submit"
    package static let route = OrderRoute.post("/apps/{id}/pages")
    package static let summary = "Submit a page for review; answered with what the rules find."
    package static let answer = "PageSubmission"
    package static let fields: [OrderField] = [
        .id,
        OrderField("page", .text, isRequired: true, "A page's description, or the content of a consent, as JSON text."),
        OrderField("submissionNote", .text, "For the reviewer."),
    ]
    package static let roles: Set<Role> = [.operator, .developer]
    /// A page is JSON within JSON, of which each character may be written as six.
    package static let bodyLimit = 2 << 20
    /// Pages of one app that wait for a decision at the same time.
    package static let maximumWaiting = 20
    /// Pages of one app in any 24 hours, whatever became of them: submissions stay, and so do their lines of the audit
    /// log.
    package static let maximumADay = 50
    private static let day: Duration = .seconds(86_400)

    package var id: AppID
    /// A description, or the `content` of a consent for a page that the app draws itself: JSON.
    package var page: String
    /// A note to the reviewer, such as where screenshots are.
    package var submissionNote: String?
    package var app: AppID? { id }

    package init(_ id: AppID, _ page: String, note: String? = nil) {
        self.id = id
        self.page = page
        submissionNote = note
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let app = try await context.apps.find(id).record
        // It is kept and shown as reasons are.
        if let problem = submissionNote.flatMap({ OrderNote.problem(inReason: $0) }) {
            throw Refusal(.parameterInvalid, "note" + problem.dropFirst("reason".count))
        }
        let latest = try await context.stored { store throws(StoreError) in
            try await store.pageSubmissions(app: id, state: nil, before: nil, limit: Self.maximumADay)
        }
        // A submission dated later than now was made before the clock was put back.
        let ofToday = latest.filter { $0.submittedAt <= context.now && context.now < $0.submittedAt + Self.day }
        if let first = ofToday.last, ofToday.count >= Self.maximumADay {
            let wait = (first.submittedAt + Self.day).milliseconds - context.now.milliseconds
            throw Refusal(
                .tooManyRequests,
                "\(ofToday.count) pages of this app were submitted within 24 hours, withdrawn ones included; the next "
                    + "one may be in \((wait + 59_999) / 60_000) minutes"
            )
        }
        let waiting = try await context.stored { store throws(StoreError) in
            try await store.pageSubmissions(app: id, state: .submitted, before: nil, limit: Self.maximumWaiting)
        }
        guard waiting.count < Self.maximumWaiting else {
            throw Refusal(
                .overloaded, "\(waiting.count) pages of this app wait for a decision; some must be decided first")
        }
        // Last: to judge a page takes longer than all else here.
        let reviewed = try ReviewedPage(
            page, policy: context.authority.configuration.policy, hasCodes: app.workflow == .oneTapThenSMS)
        var submission = PageSubmission(
            app: id, digest: reviewed.digest, page: reviewed.canonical, note: submissionNote,
            findings: reviewed.findings.text, submittedBy: context.caller.name, submittedAt: context.now)
        let line = context.note.entry(at: context.now, app: id, subject: submission.subject)
        do throws(StoreError) {
            submission.id = try await context.store.addPageSubmission(submission, audit: line)
        } catch {
            guard error.code == .alreadyExists else { throw Refusal(error) }
            throw Refusal(
                .parameterInvalid,
                "this very page waits for a decision or is approved already; its digest is \(reviewed.digest)")
        }
        return try submission.json()
    }
}

/// Submitted pages, newest first: of all apps or of one, in every state or in one.
package struct ListPages: Order {
    package static let name = "page.list"
    package static let route = OrderRoute.get("/pages")
    package static let summary = "Submissions, newest first."
    package static let answer = "PageSubmissions"
    package static let fields: [OrderField] = [
        OrderField("app", .app),
        OrderField("state", .words(PageSubmission.State.self)),
        OrderField("before", .integer, "`next` of the answer before."),
        OrderField("limit", .integer(1...200), "Submissions at the most."),
    ]
    package static let roles = Set(Role.allCases)
    package static let changes = false
    package static let limits = 1...200
    package static let usual = [JSON.Member("limit", 50)]

    /// A developer names one of theirs.
    package var app: AppID?
    package var state: PageSubmission.State?
    /// Only submissions with a smaller number: the `next` of the answer before.
    package var before: Int64?
    package var limit: Int

    package init(_ app: AppID? = nil, state: PageSubmission.State? = nil, before: Int64? = nil, limit: Int = 50) {
        self.app = app
        self.state = state
        self.before = before
        self.limit = limit
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        try context.check(limit, in: Self.limits)
        let found = try await context.stored { store throws(StoreError) in
            try await store.pageSubmissions(app: app, state: state, before: before, limit: limit)
        }
        return .object([
            "submissions": .array(try found.map { submission throws(Refusal) in try submission.summary() }),
            // There may be more.
            "next": found.count == limit ? found.last.map { .integer($0.id) } : nil,
        ])
    }
}

/// One submission with its page and what the rules found.
package struct ShowPage: Order {
    package static let name = "page.show"
    package static let route = OrderRoute.get("/pages/{submission}")
    package static let summary = "One submission with its page and findings."
    package static let answer = "PageSubmission"
    package static let fields: [OrderField] = [
        OrderField("submission", .integer(1), "The submission."),
        OrderField("app", .app),
    ]
    package static let roles = Set(Role.allCases)
    package static let changes = false

    package var submission: Int64
    /// The app that it must be of; a developer names one of theirs.
    package var app: AppID?

    package init(_ submission: Int64, app: AppID? = nil) {
        self.submission = submission
        self.app = app
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let found = try await context.submission(submission, of: app)
        return try found.json()
    }
}

/// Lets people say yes on a submitted page, or once more on an approved one whose digest was taken out of the app's
/// list. From then on the app needs approved pages, whether it did before or not.
package struct ApprovePage: Order {
    package static let name = "page.approve"
    package static let route = OrderRoute.post("/pages/{submission}/approve")
    package static let summary = "Approve a page: from then on the app may ask for consent with it."
    package static let answer = "PageSubmission"
    package static let fields: [OrderField] = [
        OrderField("submission", .integer(1), "The submission.")
    ]
    package static let roles: Set<Role> = [.operator]

    package var submission: Int64

    package init(_ submission: Int64) { self.submission = submission }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let found = try await context.submission(submission)
        let errors = try found.reported()["errors"]?.integerValue ?? 0
        guard errors == 0 || context.note.reason != nil else {
            throw Refusal(
                .parameterInvalid, "the page breaks \(errors) rules; to approve it all the same, give a reason")
        }
        let isTakenOut =
            if found.state == .approved {
                try await !context.apps.find(found.app).record.approvedContent.contains(found.digest)
            } else { false }
        return try await context.decide(found, .approved, from: isTakenOut ? .approved : .submitted) { app in
            app.requiresPageReview = true
            if !app.approvedContent.contains(found.digest) { app.approvedContent.append(found.digest) }
        }
    }
}

/// Refuses a submitted page, and says why.
package struct RefusePage: Order {
    package static let name = "page.refuse"
    package static let route = OrderRoute.post("/pages/{submission}/refuse")
    package static let summary = "Refuse a page, with the reason."
    package static let answer = "PageSubmission"
    package static let fields: [OrderField] = [
        OrderField("submission", .integer(1), "The submission.")
    ]
    package static let roles: Set<Role> = [.operator]

    package var submission: Int64

    package init(_ submission: Int64) { self.submission = submission }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        guard context.note.reason != nil else {
            throw Refusal(.parameterInvalid, "reason: say what has to change; the developer reads it")
        }
        return try await context.decide(try await context.submission(submission), .refused, from: .submitted)
    }
}

/// Withdraws a page that waits for a decision, or an approval: from the next request on no consent counts on that page.
/// The app then needs approved pages; without one no login succeeds. Only an operator withdraws an approval.
package struct WithdrawPage: Order {
    package static let name = "page.withdraw"
    package static let route = OrderRoute.post("/pages/{submission}/withdraw")
    package static let summary =
        "Take back a page that waits for a decision, or an approval, which is the operator's alone."
    package static let answer = "PageSubmission"
    package static let fields: [OrderField] = [
        OrderField("submission", .integer(1), "The submission."),
        OrderField("app", .app),
    ]
    package static let roles: Set<Role> = [.operator, .developer]

    package var submission: Int64
    /// The app that it must be of; a developer names one of theirs.
    package var app: AppID?

    package init(_ submission: Int64, app: AppID? = nil) {
        self.submission = submission
        self.app = app
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let found = try await context.submission(submission, of: app)
        guard found.state != .submitted else { return try await context.decide(found, .withdrawn, from: .submitted) }
        guard found.state != .approved || context.caller.role != .developer else {
            throw Refusal(
                .orderNotPermitted, "the page is approved: the operator takes an approval back, not a developer")
        }
        return try await context.decide(found, .withdrawn, from: .approved) { app in
            app.requiresPageReview = true
            app.approvedContent.removeAll { $0 == found.digest }
        }
    }
}

extension OrderContext {
    /// - Parameter app: the one that it must be of; any if `nil`.
    fileprivate func submission(_ id: Int64, of app: AppID? = nil) async throws(Refusal) -> PageSubmission {
        guard let found = try await stored({ store throws(StoreError) in try await store.pageSubmission(id) }),
            app == nil || app == found.app
        else { throw PageSubmission.unknown(id) }
        return found
    }

    /// Writes a decision, and what it changes of the app, with the order's line. Answers the submission.
    fileprivate func decide(
        _ submission: PageSubmission, _ state: PageSubmission.State, from before: PageSubmission.State,
        _ change: ((inout AppRecord) -> Void)? = nil
    ) async throws(Refusal) -> JSON {
        guard submission.state == before else {
            let said =
                state == .withdrawn ? "only a page that waits or is approved can be withdrawn" : "it is decided already"
            throw Refusal(.parameterInvalid, "submission \(submission.id) is \(submission.state.rawValue): \(said)")
        }
        var decided = submission
        decided.state = state
        decided.decidedBy = caller.name
        decided.decidedAt = now
        decided.reason = note.reason
        let decision = decided
        do throws(Refusal) {
            try await write(decision, from: before, change)
        } catch {
            guard try await self.submission(submission.id).state == before else {
                throw Refusal(.parameterInvalid, "somebody else has just decided submission \(submission.id)")
            }
            throw error
        }
        return try decision.json()
    }

    private func write(
        _ decision: PageSubmission, from before: PageSubmission.State, _ change: ((inout AppRecord) -> Void)?
    ) async throws(Refusal) {
        if let change {
            func write(_ app: AppRecord, _ line: AuditEntry) async throws(StoreError) {
                var line = line
                line.subject = decision.subject
                try await self.write(decision, from: before, app: app, line)
            }
            try await apps.change(decision.app, by: note, writingBy: write) { app in change(&app) }
        } else {
            let line = note.entry(at: now, app: decision.app, subject: decision.subject)
            try await stored { store throws(StoreError) in
                try await store.decidePageSubmission(decision, from: before, app: nil, audit: line)
            }
        }
    }

    private func write(
        _ decision: PageSubmission, from state: PageSubmission.State, app: AppRecord, _ line: AuditEntry
    ) async throws(StoreError) {
        do throws(StoreError) {
            try await store.decidePageSubmission(decision, from: state, app: app, audit: line)
        } catch {
            // Somebody else decided meanwhile, which a change of the app does not mend.
            guard error.code == .outdated, try await store.pageSubmission(decision.id)?.state != state else {
                throw error
            }
            throw StoreError(.notFound, "the submission was decided by somebody else")
        }
    }
}

extension PageSubmission {
    fileprivate static func unknown(_ id: Int64) -> Refusal {
        Refusal(.parameterInvalid, "no page was submitted under the number \(id)")
    }

    /// As the audit log names it.
    fileprivate var subject: String { "page \(digest)" }

    fileprivate func reported() throws(Refusal) -> JSON { try Self.read(findings, of: id) }

    private static func read(_ text: String, of id: Int64) throws(Refusal) -> JSON {
        do { return try JSON(parsing: text) } catch {
            throw Refusal(.internalError, "submission \(id) cannot be read")
        }
    }

    /// The members that lists show.
    fileprivate func summary() throws(Refusal) -> JSON {
        let report = try reported()
        return .object([
            "id": .integer(id), "app": .string(app.rawValue), "digest": .string(digest),
            "state": .string(state.rawValue),
            "note": note.map { .string($0) }, "submittedBy": .string(submittedBy),
            "submittedAt": .integer(submittedAt.milliseconds), "errors": report["errors"],
            "warnings": report["warnings"], "decidedBy": decidedBy.map { .string($0) },
            "decidedAt": decidedAt.map { .integer($0.milliseconds) }, "reason": reason.map { .string($0) },
        ])
    }

    /// All of it.
    fileprivate func json() throws(Refusal) -> JSON {
        guard case .object(let members) = try summary() else { return .null }
        return .object(
            members + [
                JSON.Member("report", try reported()), JSON.Member("page", try Self.read(page, of: id)),
            ])
    }
}
