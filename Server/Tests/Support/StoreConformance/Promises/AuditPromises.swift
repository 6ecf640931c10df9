import BenjiProtocol
import Store

extension StoreConformance {
    static let audit: [StorePromise] = [
        StorePromise("a change and its line of the audit log are one: a refused change has no line") { scenario in
            let full = line("app.create", app: Scenario.app, key: "one", full: true)
            try await scenario.store.createApp(sampleApp(1), audit: full)
            try await expectFailure(.alreadyExists, "a second app with one id") {
                try await scenario.store.createApp(sampleApp(1), audit: line("app.create"))
            }
            var late = sampleApp(1)
            late.revision = 7
            try await expectFailure(.outdated, "an outdated change") { [late] in
                try await scenario.store.updateApp(late, audit: line("app.set"))
            }
            try await scenario.store.updateApp(sampleApp(1), audit: line("app.suspend", app: Scenario.app))
            try await scenario.store.appendAudit(line("trace.find", outcome: .orderNotPermitted))
            let lines = try await scenario.store.auditEntries(AuditFilter(), before: nil, limit: 10)
            try expect(lines.map(\.order), is: ["trace.find", "app.suspend", "app.create"], "the orders, newest first")
            var first = full
            first.id = lines.last?.id ?? 0
            try expect(lines.last, is: first, "a line with everything")
            try expect(lines.first?.outcome, is: .orderNotPermitted, "the outcome of a refusal")
        },
        StorePromise("a request that has a name is carried out once for its actor") { scenario in
            try await scenario.store.createApp(sampleApp(1), audit: line("app.create", key: "one"))
            var changed = sampleApp(1)
            changed.name = "changed"
            try await expectFailure(.alreadyExists, "the same request again") { [changed] in
                try await scenario.store.updateApp(changed, audit: line("app.set", key: "one"))
            }
            try await expectFailure(.alreadyExists, "the same look again") {
                try await scenario.store.appendAudit(line("audit.list", key: "one"))
            }
            try expect(try await scenario.store.app(Scenario.app), is: sampleApp(1), "the app after the refusal")
            try await scenario.store.updateApp(changed, audit: line("app.set", actor: "another", key: "one"))
            let found = try await scenario.store.auditEntry(actor: "another", requestKey: "one")
            try expect(found?.order, is: "app.set", "the line of a request")
            try expect(
                try await scenario.store.auditEntry(actor: "nobody", requestKey: "one") == nil, "nobody's is found")
            let done = try await race(16) { _ -> Bool in
                do {
                    try await scenario.store.appendAudit(line("audit.list", key: "two"))
                    return true
                } catch let error as StoreError where error.code == .alreadyExists { return false }
            }
            try expect(done.count { $0 }, is: 1, "requests of one name")
        },
        StorePromise("lines of the audit log are found by app, actor, order and time, and page by page") { scenario in
            for number in 1...5 {
                try await scenario.store.appendAudit(
                    line(
                        number == 3 ? "app.set" : "app.show", actor: number < 3 ? "first" : "second",
                        app: Scenario.appID(number % 2 + 1), at: Scenario.now + .seconds(Int64(number))))
            }
            func orders(_ filter: AuditFilter, before: Int64? = nil, limit: Int = 10) async throws -> [Int64] {
                try await scenario.store.auditEntries(filter, before: before, limit: limit).map {
                    $0.at.seconds - Scenario.now.seconds
                }
            }
            try expect(try await orders(AuditFilter(app: Scenario.app)), is: [4, 2], "those of an app")
            try expect(try await orders(AuditFilter(actor: "first")), is: [2, 1], "those of an actor")
            try expect(try await orders(AuditFilter(order: "app.set")), is: [3], "those of one order")
            let range = AuditFilter(since: Scenario.now + .seconds(2), until: Scenario.now + .seconds(4))
            try expect(try await orders(range), is: [3, 2], "from a moment on, and before another")
            try expect(try await orders(AuditFilter(), limit: 2), is: [5, 4], "the newest")
            let last = try await scenario.store.auditEntries(AuditFilter(), before: nil, limit: 2).last?.id
            try expect(try await orders(AuditFilter(), before: last, limit: 2), is: [3, 2], "the page after")
            try expect(try await orders(AuditFilter(), limit: 0), is: [], "none")
        },
        StorePromise("lines of the audit log after one come in their order, a few at a time, and none twice") {
            scenario in
            try expect(try await scenario.store.lastAuditLine(), is: 0, "before the first line")
            for order in ["first", "second", "third"] { try await scenario.store.appendAudit(line(order)) }
            var (found, last): ([String], Int64) = ([], 0)
            while case let next = try await scenario.store.auditLines(after: last, limit: 2), let end = next.last {
                found += next.map(\.order)
                guard found.count < 9 else { break }
                last = end.id
            }
            try expect(found, is: ["first", "second", "third"], "lines that were sent on")
            try expect(try await scenario.store.lastAuditLine(), is: last, "the newest line")
            try expect(try await scenario.store.auditLines(after: 0, limit: 0), is: [], "none")
        },
    ]

    private static func line(
        _ order: String, actor: String = "ops", app: AppID? = nil, key: String? = nil,
        outcome: Situation = .success, at moment: Timestamp = Scenario.now, full: Bool = false
    ) -> AuditEntry {
        var entry = AuditEntry(
            at: moment, actor: actor, role: "operator", origin: "203.0.113.9", order: order, app: app,
            outcome: outcome, request: key.map { OrderRequest(key: $0, digest: [1, 2, 3]) })
        guard full else { return entry }
        entry.subject = "token ops-1"
        entry.before = #"{"name":"old"}"#
        entry.after = #"{"name":"new"}"#
        entry.reason = "because"
        return entry
    }
}

// For promises that do not ask who ordered it.

extension OpenIDClientStore {
    @discardableResult
    func putOpenIDClient(
        _ client: OpenIDClientRecord, media: [OpenIDMedia] = [], removedMedia: [String] = []
    ) async throws(StoreError) -> OpenIDClientRecord {
        try await putOpenIDClient(client, media: media, removedMedia: removedMedia, audit: nil)
    }
    func removeOpenIDClient(_ app: AppID) async throws(StoreError) { try await removeOpenIDClient(app, audit: nil) }
}

extension OpenIDKeyStore {
    func addOpenIDKey(_ key: OpenIDKeyRecord, othersPublishedUntil: Timestamp?) async throws(StoreError) {
        try await addOpenIDKeys([key], publicKeys: [:], othersPublishedUntil: othersPublishedUntil, audit: nil)
    }
}

extension RegisterStore {
    func changeSubscriptions(
        _ numberIndices: [BlindIndex], _ change: @escaping @Sendable (Int, SubscriptionRecord?) -> SubscriptionRecord?
    ) async throws(StoreError) -> [SubscriptionRecord?] {
        try await changeSubscriptions(numberIndices.map { NumberIndex($0) }, audit: nil, change)
    }

    func subscription(numberIndex: BlindIndex) async throws(StoreError) -> SubscriptionRecord? {
        try await subscription(numberIndex: NumberIndex(numberIndex))
    }
}

extension FaceStore {
    func setFaceAccount(
        _ account: Int64, revision: Int64?, frozen: FaceFreezing?
    ) async throws(StoreError) -> FaceAccountOutcome {
        try await setFaceAccount(account, revision: revision, frozen: frozen, audit: nil)
    }
    func eraseFaceAccount(
        _ account: Int64, revision: Int64?, at moment: Timestamp
    ) async throws(StoreError) -> FaceAccountOutcome {
        try await eraseFaceAccount(account, revision: revision, at: moment, audit: nil)
    }
}

extension AppStore {
    func createApp(_ app: AppRecord) async throws(StoreError) { try await createApp(app, audit: nil) }
    func updateApp(_ app: AppRecord) async throws(StoreError) { try await updateApp(app, audit: nil) }
}
