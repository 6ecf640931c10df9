import BenjiProtocol
import Store

extension MemoryPlace {
    func add(_ submission: PageSubmission, _ audit: AuditEntry?) throws(StoreError) -> Int64 {
        let open: Set<PageSubmission.State> = [.submitted, .approved]
        let same = pages.contains {
            $0.app == submission.app && $0.digest == submission.digest && open.contains($0.state)
        }
        if same, flaw != .takesPagesTwice { throw StoreError(.alreadyExists, "page") }
        var kept = submission
        kept.id = Int64(pages.count + 1)
        try beside(audit) { () throws(StoreError) in pages.append(kept) }
        return kept.id
    }

    func removePages(_ app: AppID) {
        if flaw != .keepsPagesOfErasedApps { pages.removeAll { $0.app == app } }
    }

    func pages(_ app: AppID?, _ state: PageSubmission.State?, before: Int64?, limit: Int) -> [PageSubmission] {
        let found = pages.reversed().filter { page in
            (app == nil || page.app == app) && (state == nil || page.state == state)
                && (before.map { page.id < $0 } ?? true)
        }
        return Array(found.prefix(max(limit, 0)))
    }

    func decide(
        _ submission: PageSubmission, _ state: PageSubmission.State, _ app: AppRecord?, _ audit: AuditEntry?
    ) async throws(StoreError) {
        guard let index = pages.firstIndex(where: { $0.id == submission.id }) else {
            throw StoreError(.notFound, "page")
        }
        guard pages[index].state == state else { throw StoreError(.outdated, "page") }
        await gap(.decidesPagesInTwoSteps)
        let old = pages[index]
        var decided = old
        decided.state = submission.state
        decided.decidedBy = submission.decidedBy
        decided.decidedAt = submission.decidedAt
        decided.reason = submission.reason
        if flaw == .decidesBeforeTheApp { pages[index] = decided }
        if let app {
            try await update(app, nil, audit)
        } else {
            try note(audit)
        }
        pages[index] = decided
    }
}
