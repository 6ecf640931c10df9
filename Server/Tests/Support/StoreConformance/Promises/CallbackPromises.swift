import BenjiProtocol
import Store

extension StoreConformance {
    static let callbacks: [StorePromise] = [
        StorePromise("an event is in the outbox exactly when its answer is in the ledger, with every field") {
            scenario in
            try await scenario.store.createApp(callbackApp(1))
            let subscription = try await scenario.subscription()
            let token = try await scenario.issue(scenario.token("t", of: subscription, trace: Scenario.trace(7)))
            let other = try await scenario.issue(scenario.token("other", of: subscription))
            func redeem(_ token: TokenRecord, now: Timestamp = Scenario.now, quota: Int? = nil) async throws -> String {
                try await scenario.redeemTelling(token, now: now, quota: quota).word
            }
            try expect(try await redeem(token), is: "spent", "the first")
            try expect(try await redeem(token), is: "alreadySpent", "the second")
            try expect(try await redeem(other, now: Scenario.now + .seconds(3600)), is: "expired", "an expired one")
            try expect(try await redeem(other, quota: 1), is: "quotaExceeded", "one over the quota")
            let ledger = try await scenario.store.ledgerEntries(app: Scenario.app, limit: 9)
            try expect(ledger.map(\.trace), is: [Scenario.trace(7)], "the ledger")
            let entries = try await scenario.events()
            try expect(entries.map(\.event), is: [scenario.event(of: token, subscription)], "the events")
            try expect(entries.map(\.state), is: [.waiting], "its state")
            try expect(entries.map(\.dueAt), is: [Scenario.now], "when it is due")
            try expect(entries.map(\.attempts), is: [0], "its attempts")
            let access = scenario.credential("access", kind: .access, of: subscription)
            try await scenario.store.insertOpenIDCredential(access)
            let billing = OpenIDExchange.Billing(
                interface: "userinfo", result: "released", quota: AnswerQuota(), day: Scenario.day,
                event: scenario.event("openid"))
            for _ in 1...2 {
                _ = try await scenario.store.exchange(scenario.exchange(access, billing: billing))
            }
            try expect(try await scenario.events().map(\.event.id), is: ["openid", "told of t"], "after an exchange")
            let failing = try await scenario.issue(scenario.token("failing", of: subscription))
            try await expectFailure(.keyChanged, "an answer that cannot be given") {
                _ = try await scenario.redeemTelling(failing) { () throws(StoreError) in
                    throw StoreError(.keyChanged, "")
                }
            }
            try expect(try await scenario.events().count, is: 2, "events after a failure")
        },
        StorePromise("a change of an app and its event are one, and an erased app's events are gone") { scenario in
            var app = callbackApp(1)
            try await scenario.store.createApp(app)
            try expect(try await scenario.store.app(app.id), is: app, "the callback as it was registered")
            app.revision = 9
            try await expectFailure(.outdated, "a late change") { [app] in
                try await scenario.store.updateApp(app, event: scenario.event("late"), audit: nil)
            }
            app.revision = 1
            app.suspended = true
            app.callback?.stoppedAt = Scenario.now
            try await scenario.store.updateApp(app, event: scenario.event("suspended"), audit: nil)
            try expect(try await scenario.events().map(\.event), is: [scenario.event("suspended")], "the events")
            app.revision = 2
            try expect(try await scenario.store.app(app.id), is: app, "the changed callback")
            app.callback = nil
            app.keys = []
            app.deletedAfter = Scenario.now
            try await scenario.store.eraseApp(app, audit: nil)
            try expect(try await scenario.events(), is: [], "events of an erased app")
        },
        StorePromise("events are due of apps with a callback that is not stopped, longest due first") { scenario in
            for number in 1...3 {
                var app = callbackApp(number)
                if number == 2 { app.callback = nil }
                if number == 3 { app.callback?.stoppedAt = Scenario.now }
                try await scenario.store.createApp(app)
                try await scenario.store.addEvent(scenario.event("of \(number)", app: app.id), audit: nil)
            }
            try await scenario.store.addEvent(scenario.event("early", at: Scenario.now - .seconds(1)), audit: nil)
            let before = Scenario.now - .seconds(2)
            try expect(try await scenario.store.appsWithDueEvents(at: before), is: [], "apps before any event")
            try expect(try await scenario.store.appsWithDueEvents(at: Scenario.now), is: [Scenario.app], "apps")
            try expect(try await scenario.claim(at: before, lease: "0")?.event.id == nil, "an event is claimed early")
            try expect(try await scenario.claim(lease: "1")?.event.id, is: "early", "the first")
            try expect(try await scenario.claim(lease: "2")?.event.id, is: "of 1", "the second")
            try expect(try await scenario.claim(lease: "3")?.event.id == nil, "a third is claimed")
            try expect(
                try await scenario.store.appsWithDueEvents(at: Scenario.now), is: [], "apps once all are claimed")
            try expect(
                try await scenario.store.outboxCounts(),
                is: OutboxCounts(waiting: 2, dead: 0, oldest: Scenario.now - .seconds(1)), "what waits for a receiver")
        },
        StorePromise("an event that was claimed is nobody else's until its lease ends, to the millisecond") {
            scenario in
            try await scenario.store.createApp(callbackApp(1))
            try await scenario.store.addEvent(scenario.event("e"), audit: nil)
            let end = Scenario.now + .seconds(60)
            let claimed = try await scenario.claim(lease: "1")
            try expect(claimed?.attempts, is: 1, "the claim")
            try expect(claimed?.dueAt, is: end, "until when it is claimed, in the claim")
            try await scenario.withAnother { another in
                let early = try await another.claimEvent(
                    of: Scenario.app, at: end - .milliseconds(1), until: end + .seconds(60), lease: "2")
                try expect(early == nil, "a claimed event is claimed by another process")
            }
            try expect(try await scenario.events().map(\.dueAt), is: [end], "until when it is claimed")
        },
        StorePromise("a lease that has ended gives its event back, and whose lease has ended changes nothing") {
            scenario in
            try await scenario.store.createApp(callbackApp(1))
            try await scenario.store.addEvent(scenario.event("e"), audit: nil)
            let end = Scenario.now + .seconds(60)
            let first = try await scenario.claim(lease: "dead")
            let second = try await scenario.claim(at: end, lease: "living")
            try expect(second?.row, is: first?.row, "the event after the lease")
            try expect(second?.attempts, is: 2, "its attempts")
            let row = first?.row ?? 0
            let settlement = OutboxSettlement(state: .delivered, dueAt: end, outcome: "204", at: end)
            try expect(
                try await scenario.store.settleEvent(row, lease: "dead", settlement), is: false, "a lease that ended")
            try expect(try await scenario.events().map(\.state), is: [.waiting], "the state after it")
            try expect(
                try await scenario.store.settleEvent(row, lease: "living", settlement), is: true, "the present lease")
            let done = try await scenario.events()
            try expect(done.map(\.state), is: [.delivered], "the state")
            try expect(done.map(\.outcome), is: ["204"], "the outcome")
            try expect(done.map(\.triedAt), is: [end], "when it was tried")
            try expect(try await scenario.claim(at: end + .seconds(999), lease: "x") == nil, "it is delivered twice")
            try expect(
                try await scenario.store.settleEvent(row, lease: "living", settlement), is: false, "settling twice")
        },
        StorePromise("of 16 that claim events at once, no two get the same one") { scenario in
            try await scenario.store.createApp(callbackApp(1))
            for number in 1...4 { try await scenario.store.addEvent(scenario.event("\(number)"), audit: nil) }
            let claimed = try await race(16) { position in
                // A worker that waited for another's claim may have got nothing although more are due.
                for _ in 1...8 {
                    if let entry = try await scenario.claim(lease: "\(position)") { return entry.event.id }
                }
                return ""
            }.filter { !$0.isEmpty }
            try expect(Set(claimed).count, is: claimed.count, "events that two have: \(claimed)")
            try expect(claimed.count, is: 4, "events that are claimed")
        },
        StorePromise(
            "an attempt that failed is due again when it says, and an attempt that was broken off counts for nothing"
        ) {
            scenario in
            try await scenario.store.createApp(callbackApp(1))
            try await scenario.store.addEvent(scenario.event("e"), audit: nil)
            let row = try await scenario.claim(lease: "1")?.row ?? 0
            let later = Scenario.now + .seconds(5)
            _ = try await scenario.store.settleEvent(
                row, lease: "1", OutboxSettlement(state: .waiting, dueAt: later, outcome: "503", at: Scenario.now))
            try expect(try await scenario.claim(at: later - .milliseconds(1), lease: "2") == nil, "it is due early")
            let again = try await scenario.claim(at: later, lease: "3")
            try expect(again?.attempts, is: 2, "attempts")
            try expect(again?.outcome, is: "503", "the last outcome")
            _ = try await scenario.store.settleEvent(
                row, lease: "3", OutboxSettlement(state: .waiting, dueAt: later, outcome: nil, at: later))
            let broken = try await scenario.events().first
            try expect(broken?.attempts, is: 1, "attempts after one was broken off")
            try expect(broken?.outcome, is: "503", "and the outcome")
        },
        StorePromise("events are sent once more by their name, or dead ones by time, of one app alone") { scenario in
            let store = scenario.store
            for number in 1...2 { try await store.createApp(callbackApp(number)) }
            for number in 0..<4 {
                let at = Scenario.now + .seconds(Int64(number))
                try await store.addEvent(scenario.event("\(number)", at: at), audit: nil)
            }
            try await store.addEvent(scenario.event("other", app: Scenario.otherApp), audit: nil)
            let end = Scenario.now + .seconds(10)
            try expect(try await store.giveUpEvents(queuedBefore: end, limit: 9), is: 5, "given up")
            try expect(
                try await store.outboxCounts(), is: OutboxCounts(waiting: 0, dead: 5, oldest: nil), "the counts")
            func replay(_ selection: OutboxSelection) async throws -> Int {
                try await store.replayEvents(
                    of: Scenario.app, selection, at: end,
                    audit: AuditEntry(
                        at: end, actor: "ops", role: "operator", origin: "203.0.113.9", order: "app.callback.replay"))
            }
            try expect(try await replay(.event("other")), is: 0, "another app's")
            try expect(try await replay(.event("0")), is: 1, "one by its name")
            try expect(try await replay(.event("0")), is: 0, "one that waits")
            let range = LedgerRange(since: Scenario.now + .seconds(1), until: Scenario.now + .seconds(3))
            try expect(try await replay(.dead(range)), is: 2, "some by time")
            try expect(
                try await scenario.events().filter { $0.state == .waiting }.map(\.event.id), is: ["2", "1", "0"],
                "what waits")
            try expect(
                try await store.outboxCounts(), is: OutboxCounts(waiting: 3, dead: 2, oldest: end), "the counts")
            try expect(try await scenario.claim(at: end, lease: "1")?.attempts, is: 1, "attempts of a replayed event")
            let lines = try await store.auditEntries(AuditFilter(), before: nil, limit: 9)
            try expect(lines.count, is: 4, "lines of the audit log")
        },
        StorePromise("old events are given up and deleted before the moment that is named, and not what is newer") {
            scenario in
            let store = scenario.store
            try await store.createApp(callbackApp(1))
            for number in 0..<6 {
                let at = Scenario.now + .seconds(Int64(number))
                try await store.addEvent(scenario.event("\(number)", at: at), audit: nil)
            }
            // 0 and 1 are delivered, at the times 0 and 10.
            for (lease, at) in [("a", Scenario.now), ("b", Scenario.now + .seconds(10))] {
                let row = try await scenario.claim(at: Scenario.now + .seconds(9), lease: lease)?.row ?? 0
                _ = try await store.settleEvent(
                    row, lease: lease, OutboxSettlement(state: .delivered, dueAt: at, outcome: "200", at: at))
            }
            try expect(
                try await store.giveUpEvents(queuedBefore: Scenario.now + .seconds(4), limit: 1), is: 1, "the limit")
            try expect(
                try await store.giveUpEvents(queuedBefore: Scenario.now + .seconds(4), limit: 9), is: 1, "the rest")
            try expect(
                try await scenario.events().map(\.state),
                is: [.waiting, .waiting, .dead, .dead, .delivered, .delivered], "the states")
            for (state, ids) in [(OutboxState.waiting, ["5", "4"]), (.dead, ["3", "2"]), (.delivered, ["1", "0"])] {
                let page = try await store.outboxEntries(app: Scenario.app, state: state, before: nil, limit: 1)
                try expect(page.map(\.event.id), is: [ids[0]], "the newest that is \(state)")
                let next = try await store.outboxEntries(
                    app: Scenario.app, state: state, before: page.last?.row, limit: 9)
                try expect(next.map(\.event.id), is: [ids[1]], "the next that is \(state)")
            }
            try expect(
                try await store.deleteEvents(
                    deliveredBefore: Scenario.now + .seconds(10), deadBefore: Scenario.now + .seconds(3), limit: 9),
                is: 2, "deleted")
            try expect(try await scenario.events().map(\.event.id), is: ["5", "4", "3", "1"], "what is left")
        },
    ]

    private static func callbackApp(_ number: Int) -> AppRecord {
        var app = sampleApp(number)
        app.deletedAfter = nil
        app.callback = CallbackRecord(
            url: "https://receiver\(number).example/benji", events: [.loginReleased, .appSuspended])
        return app
    }
}

extension Scenario {
    func event(_ id: String, app: AppID = app, at: Timestamp = now) -> OutboxEvent {
        OutboxEvent(
            id: id, appID: app, type: .appSuspended, trace: nil, holder: nil, payload: #"{"id":"\#(id)"}"#, at: at)
    }

    /// Returns the event of a token's redemption.
    func event(of token: TokenRecord, _ subscription: SubscriptionRecord, result: String = "released") -> OutboxEvent {
        OutboxEvent(
            id: "told of \(String(decoding: token.hash.bytes.prefix { $0 != 0 }, as: UTF8.self))", appID: token.appID,
            type: .loginReleased, trace: token.trace,
            holder: .init(subscription: subscription.id, epoch: subscription.epoch),
            payload: #"{"result":"\#(result)"}"#, at: Self.now)
    }

    /// Redeems with an event.
    func redeemTelling(
        _ token: TokenRecord, now: Timestamp = now, quota: Int? = nil,
        answer: @escaping @Sendable () throws(StoreError) -> String = { "released" }
    ) async throws -> RedemptionOutcome {
        try await store.redeem(
            Redemption(
                token: token.hash, appID: token.appID, purposes: [.login], messageID: nil, now: now,
                quota: AnswerQuota(daily: quota),
                day: Self.day, leastAssurance: .net, interface: "loginTokenValidate"),
            result: { _, _ throws(StoreError) in try answer() },
            event: { token, subscription, result in event(of: token, subscription, result: result) })
    }

    /// Claims for a minute.
    func claim(at moment: Timestamp = now, lease: String) async throws -> OutboxEntry? {
        try await store.claimEvent(of: Self.app, at: moment, until: moment + .seconds(60), lease: lease)
    }

    /// Those of the app, newest first.
    func events() async throws -> [OutboxEntry] {
        try await store.outboxEntries(app: Self.app, state: nil, before: nil, limit: 99)
    }
}
