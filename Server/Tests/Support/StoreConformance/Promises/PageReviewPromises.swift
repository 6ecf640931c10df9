import BenjiProtocol
import Store

extension StoreConformance {
    static let pageReviews: [StorePromise] = [
        StorePromise("a submitted page is kept with every field, and no second one of its digest while it is open") {
            scenario in
            for number in 1...2 { try await scenario.store.createApp(sampleApp(number)) }
            var first = page("one")
            first.id = try await scenario.store.addPageSubmission(first, audit: line("page.submit"))
            try expect(try await scenario.store.pageSubmission(first.id), is: first, "a new submission")
            try await expectFailure(.alreadyExists, "the same page again") {
                _ = try await scenario.store.addPageSubmission(page("one"), audit: line("page.submit"))
            }
            _ = try await scenario.store.addPageSubmission(page("one", app: Scenario.otherApp), audit: nil)
            let refused = decided(first, .refused)
            try await scenario.store.decidePageSubmission(refused, from: .submitted, app: nil, audit: nil)
            try expect(try await scenario.store.pageSubmission(first.id), is: refused, "a refused submission")
            let again = try await scenario.store.addPageSubmission(page("one"), audit: nil)
            try expect(again > first.id, "a later submission has no larger number")
            try expect(try await scenario.store.pageSubmission(again + 7) == nil, "an unknown submission is found")
            let lines = try await scenario.store.auditEntries(AuditFilter(), before: nil, limit: 10)
            try expect(lines.map(\.order), is: ["page.submit"], "the lines")
        },
        StorePromise("submitted pages are found by app and state, newest first and page by page") { scenario in
            for number in 1...2 { try await scenario.store.createApp(sampleApp(number)) }
            for number in 1...5 {
                let app = number == 3 ? Scenario.otherApp : Scenario.app
                let id = try await scenario.store.addPageSubmission(page("\(number)", app: app), audit: nil)
                guard number == 2 else { continue }
                let kept = try await scenario.store.pageSubmission(id)
                try await scenario.store.decidePageSubmission(
                    decided(kept ?? page(""), .refused), from: .submitted, app: nil, audit: nil)
            }
            func digests(
                _ app: AppID? = nil, _ state: PageSubmission.State? = nil, before: Int64? = nil, limit: Int = 10
            ) async throws -> [String] {
                try await scenario.store.pageSubmissions(app: app, state: state, before: before, limit: limit)
                    .map(\.digest)
            }
            try expect(try await digests(), is: ["5", "4", "3", "2", "1"], "all")
            try expect(try await digests(Scenario.app), is: ["5", "4", "2", "1"], "those of an app")
            try expect(try await digests(Scenario.app, .submitted), is: ["5", "4", "1"], "those of a state")
            try expect(try await digests(nil, .refused), is: ["2"], "those of a state, of all apps")
            let last = try await scenario.store.pageSubmissions(app: nil, state: nil, before: nil, limit: 2).last?.id
            try expect(try await digests(before: last, limit: 2), is: ["3", "2"], "the page after")
        },
        StorePromise("the pages of an erased app are gone, with their notes, and others' are there") { scenario in
            for number in [1, 2] { try await scenario.store.createApp(sampleApp(number)) }
            _ = try await scenario.store.addPageSubmission(page("one"), audit: nil)
            var other = page("two")
            other.app = sampleApp(2).id
            _ = try await scenario.store.addPageSubmission(other, audit: nil)
            var app = sampleApp(1)
            app.keys = []
            app.deletedAfter = Scenario.now
            try await scenario.store.eraseApp(app, audit: nil)
            let left = try await scenario.store.pageSubmissions(app: nil, state: nil, before: nil, limit: 9)
            try expect(left.map(\.digest), is: ["two"], "what is left")
        },
        StorePromise("a decision, the app and the line of the audit log are changed together or not at all") {
            scenario in
            try await scenario.store.createApp(sampleApp(1))
            var submission = page("one")
            submission.id = try await scenario.store.addPageSubmission(submission, audit: nil)
            let approved = decided(submission, .approved)
            var app = sampleApp(1)
            app.approvedContent.append("one")
            var late = app
            late.revision = 7
            try await expectFailure(.outdated, "a decision with an outdated app") { [late] in
                try await scenario.store.decidePageSubmission(
                    approved, from: .submitted, app: late, audit: line("page.approve"))
            }
            try expect(try await scenario.store.pageSubmission(submission.id), is: submission, "the submission")
            try await expectFailure(.outdated, "a decision from another state") { [app] in
                try await scenario.store.decidePageSubmission(
                    decided(submission, .withdrawn), from: .approved, app: app, audit: line("page.withdraw"))
            }
            try expect(try await scenario.store.app(Scenario.app), is: sampleApp(1), "the app")
            var unknown = approved
            unknown.id += 7
            try await expectFailure(.notFound, "a decision about nothing") { [unknown] in
                try await scenario.store.decidePageSubmission(
                    unknown, from: .submitted, app: nil, audit: line("page.approve"))
            }
            try expect(
                try await scenario.store.auditEntries(AuditFilter(), before: nil, limit: 10).isEmpty,
                "a refused decision has a line")
            try await scenario.store.decidePageSubmission(
                approved, from: .submitted, app: app, audit: line("page.approve"))
            app.revision = 2
            try expect(try await scenario.store.app(Scenario.app), is: app, "the app with its page")
            try expect(try await scenario.store.pageSubmission(submission.id), is: approved, "the decision")
            let lines = try await scenario.store.auditEntries(AuditFilter(), before: nil, limit: 10)
            try expect(lines.map(\.order), is: ["page.approve"], "the lines")
        },
        StorePromise("of 16 that decide one page at once, one succeeds") { scenario in
            try await scenario.store.createApp(sampleApp(1))
            var submission = page("one")
            submission.id = try await scenario.store.addPageSubmission(submission, audit: nil)
            let made = try await race(16) { [submission] position -> Bool in
                do {
                    try await scenario.store.decidePageSubmission(
                        decided(submission, position % 2 == 0 ? .approved : .refused), from: .submitted, app: nil,
                        audit: nil)
                    return true
                } catch let error as StoreError where error.code == .outdated { return false }
            }
            try expect(made.count { $0 }, is: 1, "decisions")
        },
    ]

    private static func page(_ digest: String, app: AppID = Scenario.app) -> PageSubmission {
        PageSubmission(
            app: app, digest: digest, page: "{}", note: "screenshots: 12", findings: "[]", submittedBy: "dev",
            submittedAt: Scenario.now)
    }

    private static func decided(_ submission: PageSubmission, _ state: PageSubmission.State) -> PageSubmission {
        var decided = submission
        decided.state = state
        decided.decidedBy = "ops"
        decided.decidedAt = Scenario.now + .seconds(1)
        decided.reason = "because"
        return decided
    }

    private static func line(_ order: String) -> AuditEntry {
        AuditEntry(at: Scenario.now, actor: "ops", role: "operator", origin: "203.0.113.9", order: order)
    }
}
