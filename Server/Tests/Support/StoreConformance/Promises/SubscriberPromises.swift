import BenjiProtocol
import Sightings
import Store

extension StoreConformance {
    static let retention: [StorePromise] = [
        StorePromise("deleting old consents takes only those from before the moment, oldest first") { scenario in
            let subscription = try await scenario.subscription()
            for number in 0..<4 {
                let moment = Scenario.now + .seconds(Int64(number) * 10)
                _ = try await scenario.issue(
                    scenario.token(
                        "t\(number)", of: subscription, issuedAt: moment, expiresAt: moment + .seconds(60),
                        trace: Scenario.trace(number)))
            }
            func kept() async throws -> [Int] {
                var kept: [Int] = []
                for number in 0..<4 where try await !scenario.store.consents(of: Scenario.trace(number)).isEmpty {
                    kept.append(number)
                }
                return kept
            }
            let moment = Scenario.now + .seconds(20)
            try expect(try await scenario.store.deleteConsents(before: moment, limit: 1), is: 1, "the limit")
            try expect(try await kept(), is: [1, 2, 3], "what is left of the oldest")
            try expect(try await scenario.store.deleteConsents(before: moment, limit: 9), is: 1, "the rest")
            try expect(try await kept(), is: [2, 3], "what is left")
        },
        StorePromise("the ledger is shortened to a day, with the counts of quotas, and never begins earlier again") {
            scenario in
            let subscription = try await scenario.subscription()
            for number in 0..<4 {
                let token = try await scenario.issue(scenario.token("t\(number)", of: subscription))
                _ = try await scenario.redeem(token, message: nil, day: Scenario.day + Int32(number))
            }
            try expect(try await scenario.store.ledgerBegin(), is: 0, "the beginning of a new ledger")
            let day = Scenario.day + 2
            try expect(try await scenario.store.shortenLedger(to: day, limit: 1), is: 1, "the limit")
            try expect(try await scenario.store.shortenLedger(to: day, limit: 9), is: 1, "the rest")
            try expect(try await scenario.store.shortenLedger(to: Scenario.day, limit: 9), is: 0, "to an earlier day")
            try expect(try await scenario.store.ledgerBegin(), is: day, "where it begins")
            let days = Scenario.day...(Scenario.day + 9)
            let counts = try await scenario.store.ledgerCounts(app: Scenario.app, days: days)
            try expect(counts.lines.map(\.day), is: [day, day + 1], "the lines' days")
            try expect(counts.billed, is: [day: 1, day + 1: 1], "what quotas go by")
        },
        StorePromise("sums of the ledger go with their days, and lines of such a day come into no sum any more") {
            scenario in
            let store = scenario.store
            let subscription = try await scenario.subscription()
            func redeem(_ number: Int, _ day: Int32) async throws {
                let token = try await scenario.issue(scenario.token("t\(number)", of: subscription))
                _ = try await scenario.redeem(token, message: nil, day: day)
            }
            func check(_ moment: String) async throws {
                let counts = try await store.ledgerCounts(
                    app: Scenario.app, days: Scenario.day...(Scenario.day + 9))
                try expect(counts.lines.map(\.day), is: [Scenario.day + 2, Scenario.day + 3], "days \(moment)")
                try expect(counts.lines.map(\.answers), is: [1, 1], "answers \(moment)")
                try expect(counts.billed.values.reduce(0, +), is: 2, "what quotas go by \(moment)")
            }
            for number in 0..<4 { try await redeem(number, Scenario.day + Int32(number)) }
            try expect(try await store.sumLedger(limit: 3), is: 3, "lines in sums")
            _ = try await store.shortenLedger(to: Scenario.day + 2, limit: 1)
            try await check("while lines are being deleted")
            // As of a request that was under way at midnight.
            try await redeem(4, Scenario.day)
            for _ in 0..<3 { _ = try await store.sumLedger(limit: 9) }
            _ = try await store.shortenLedger(to: Scenario.day + 2, limit: 9)
            let late = try await store.ledgerCounts(app: Scenario.app, days: Scenario.day...Scenario.day)
            try expect(late.lines, is: [], "lines of a day that the ledger has left")
            let counts = try await store.ledgerCounts(app: Scenario.app, days: (Scenario.day + 2)...(Scenario.day + 9))
            try expect(counts.lines.map(\.answers), is: [1, 1], "answers of the days that it keeps")
        },
    ]

    static let subscribers: [StorePromise] = [
        StorePromise("erasing a subscriber takes everything that names them, and leaves evidence that names nobody") {
            scenario in
            let store = scenario.store
            let gone = try await scenario.subscription(1)
            let stays = try await scenario.subscription(2)
            try await scenario.leaveEverything(of: gone, 1)
            try await scenario.leaveEverything(of: stays, 2)
            let before = try await store.subscriberCounts(gone.id)
            for part in SubscriberPart.allCases { try expect(before[part, default: 0] > 0, "no \(part) to erase") }
            let others = try await store.subscriberCounts(stays.id)
            let done = try await store.eraseSubscriber(scenario.erasure(of: gone, openIDs: ["open-id-1"]))
            try expect(done.counts, is: before, "what was erased")
            try expect(
                try await store.unfinishedErasure(Scenario.erasureMark(stays.id)) == nil, "an erasure of somebody else")

            for (part, count) in try await store.subscriberCounts(gone.id) {
                try expect(count, is: 0, "\(part) that are left")
            }
            try expect(try await store.subscription(gone.id) == nil, "the row is left")
            try expect(try await store.subscription(numberIndex: gone.numberIndex) == nil, "the number is found")
            try expect(try await store.traceEvents(Scenario.trace(1)), is: [], "steps of their logins")
            for label in ["code 1", "page 1", "asked 1"] {
                let found = try await store.openIDCredential(Scenario.hash(label))
                try expect(found.credential == nil, "\(label) is left")
            }
            for (id, end) in [(1, "unknown"), (101, "unknown"), (102, "ended")] {
                let code = Scenario.smsCode(id, purpose: .login)
                try expect(try await scenario.show(code), is: end, "what the code \(id) is")
            }
            for (id, end) in [(1, "unknown"), (101, "unknown"), (102, "arrived")] {
                try expect(try await scenario.ask(Scenario.smsUpstream(id)), is: end, "what the text \(id) is")
            }
            let evidence = try await store.consents(of: Scenario.trace(1))
            try expect(evidence.map(\.record), is: [Scenario.record(of: Scenario.trace(1))], "the consent is evidence")
            let nobody = SubscriptionReference(subscription: 0, epoch: 0, simGeneration: 0)
            try expect(evidence.map(\.subscription), is: [nobody], "and names nobody")
            try expect(try await store.ledgerEntries(app: Scenario.app, limit: 9).count, is: 2, "lines of the ledger")
            let lines = try await store.auditEntries(AuditFilter(), before: nil, limit: 9)
            try expect(lines.map(\.order), is: ["subscriber.erase"], "the order's line")

            try expect(try await store.subscriberCounts(stays.id), is: others, "what is kept of somebody else")
            try expect(try await store.subscription(stays.id), is: stays, "somebody else's row")
            try expect(
                try await store.openIDCredential(Scenario.hash("asked 2")).credential != nil, "another's is gone")
            let again = try await scenario.subscription(1)
            try expect(
                again.id != gone.id && again.id != stays.id, "the same number again has a row that was another's")
        },
        StorePromise("an erasure is refused when the number has another holder by now, or was erased before") {
            scenario in
            let read = try await scenario.subscription(1)
            try await scenario.leaveEverything(of: read, 1)
            try await scenario.change(1) { $0.epoch += 1 }
            try await expectFailure(.outdated, "erasing the next holder") {
                _ = try await scenario.store.eraseSubscriber(scenario.erasure(of: read))
            }
            try expect(try await scenario.store.subscription(read.id)?.epoch, is: 2, "the next holder")
            try expect(
                try await scenario.store.auditEntries(AuditFilter(), before: nil, limit: 9), is: [], "lines of it")
            let present = try await scenario.subscription(1)
            _ = try await scenario.store.eraseSubscriber(scenario.erasure(of: present))
            try await expectFailure(.outdated, "erasing twice") {
                _ = try await scenario.store.eraseSubscriber(scenario.erasure(of: present))
            }
        },
        StorePromise(
            "who takes back their consent ends what that app could use of them, and nothing else, in one commit"
        ) {
            scenario in
            let store = scenario.store
            let person = try await scenario.subscription(1)
            let other = try await scenario.subscription(2)
            try await scenario.leaveEverything(of: person, 1)
            try await scenario.leaveEverything(of: other, 2)
            try await store.insertScrip(scenario.scrip("elsewhere", of: person, app: Scenario.otherApp))
            let before = try await store.subscriberCounts(person.id)
            let others = try await store.subscriberCounts(other.id)
            let ended = try await store.withdrawConsents(scenario.withdrawal(of: person))
            let credentials = try await store.subscriberRecords(person.id, epoch: person.epoch).credentials
            try expect(
                credentials.filter { !$0.kind.hasPrefix("face") }.map { "\($0.kind) \($0.appID.rawValue)" },
                is: ["scrip \(Scenario.otherApp.rawValue)", "sms code login \(Scenario.app.rawValue)"],
                "what is still there; the code's row counts for the number's limit")
            try expect(
                try await scenario.show(Scenario.smsCode(1, purpose: .login)), is: "ended",
                "the code that they were sent")
            try expect(
                ended,
                is: [
                    .scrips: before[.scrips, default: 0] - 1, .tokens: 1, .openIDCredentials: 2, .familiarKeys: 1,
                    .smsCodes: 1, .smsUpstream: 1, .consents: 1, .faceAuthorizations: 1,
                ], "what was ended")
            for label in ["code 1", "page 1"] {
                let found = try await store.openIDCredential(Scenario.hash(label))
                try expect(found.credential == nil, "\(label) is left")
            }
            let after = try await store.subscriberCounts(person.id)
            for part in [SubscriberPart.consents, .traces, .wrongGuesses, .tokenCounts, .faceAccounts] {
                try expect(after[part], is: before[part], "\(part)")
            }
            try expect(try await store.subscription(person.id), is: person, "the person's row")
            try expect(try await store.subscriberCounts(other.id), is: others, "what is kept of somebody else")
            try expect(after[.faceAuthorizations], is: 0, "apps that may know their face")
            let told = try await scenario.events().map(\.event.id)
            try expect(told.contains("withdrawn"), "the app is not told: \(told)")
            let lines = try await store.auditEntries(AuditFilter(), before: nil, limit: 9)
            try expect(lines.map(\.order), is: ["consent.withdraw"], "the order's line")

            try expect(
                try await store.withdrawConsents(scenario.withdrawal(of: person, app: Scenario.appID(9))), is: [:],
                "of an app that they never used")
            try await scenario.change(1) { $0.epoch += 1 }
            try await expectFailure(.outdated, "the order of the holder before") {
                _ = try await store.withdrawConsents(scenario.withdrawal(of: person))
            }
            try expect(
                try await store.auditEntries(AuditFilter(), before: nil, limit: 9).count, is: 1, "lines of the others")
        },
        StorePromise("a number's next holder takes back nothing of the holder before, and no app is told of them") {
            scenario in
            let store = scenario.store
            let former = try await scenario.subscription(1)
            try await scenario.leaveEverything(of: former, 1)
            try await scenario.change(1) { $0.epoch += 1 }
            let present = try await scenario.subscription(1)
            let kept = try await store.subscriberCounts(present.id)
            try expect(try await store.withdrawConsents(scenario.withdrawal(of: present)), is: [:], "what was ended")
            try expect(try await store.subscriberCounts(present.id), is: kept, "what is left of the holder before")
            let told = try await scenario.events().map(\.event.id)
            try expect(!told.contains("withdrawn"), "the app is told of somebody it never knew: \(told)")
            try expect(try await store.auditEntries(AuditFilter(), before: nil, limit: 9), is: [], "lines of it")
        },
        StorePromise("what requests under way wrote of an erased subscriber goes with the next rounds") { scenario in
            let store = scenario.store
            let gone = try await scenario.subscription(1)
            _ = try await store.eraseSubscriber(scenario.erasure(of: gone))
            try await store.insertScrip(scenario.scrip("late", of: gone))
            let late = TraceEvent(
                trace: Scenario.trace(7), at: Scenario.now, party: .gateway, step: "sighting", situation: .success,
                detail: "", login: TraceEvent.Login(app: Scenario.app, subscription: gone.id, epoch: 1))
            try await store.appendTraceEvents([late])
            try expect(try await store.traceEvents(Scenario.trace(7)), is: [late], "what was written late")
            try expect(
                try await store.finishErasures(at: Scenario.now + .seconds(600), patience: .zero), is: 0, "left over")
            try expect(
                try await store.finishErasures(at: Scenario.now + .seconds(7200), patience: .zero), is: 0, "left over")
            try expect(try await store.scrip(Scenario.hash("late")), is: .unknown, "the late scrip")
            try expect(try await store.traceEvents(Scenario.trace(7)), is: [], "the late step")
            try expect(
                try await store.erasedSubscriptions(since: Scenario.now), is: [gone.id], "rows that were erased")
            try expect(
                try await store.erasedSubscriptions(since: Scenario.now + .seconds(1)), is: [], "rows erased later")
            _ = try await store.finishErasures(at: Scenario.now + .seconds(31 * 86400), patience: .zero)
            try expect(
                try await store.erasedSubscriptions(since: Scenario.now), is: [], "rows that were erased long ago")
        },
        StorePromise("what is told of a subscriber is theirs, and not an earlier holder's or another's") { scenario in
            let store = scenario.store
            let former = try await scenario.subscription(1)
            try await scenario.leaveEverything(of: former, 1)
            try await scenario.leaveEverything(of: try await scenario.subscription(2), 2)
            let told = try await store.subscriberRecords(former.id, epoch: former.epoch)
            try expect(told.consents.map(\.trace), is: [Scenario.trace(1)], "their consents")
            try expect(told.traces.map(\.trace), is: [Scenario.trace(1)], "their logins")
            try expect(told.ledger.map(\.trace), is: [Scenario.trace(1)], "their lines of the ledger")
            try expect(told.familiarKeys.map(\.deviceKey), is: ["thumbprint"], "their keys")
            try expect(told.faceAccount?.subscription, is: former.id, "their face account")
            try expect(told.faceBindings.map(\.uid), is: ["uid 1"], "the apps of their face")
            let kinds = [
                "face access", "face refresh", "face remembered", "openid code", "scrip", "scrip", "sms code login",
                "sms upstream", "token login",
            ]
            try expect(told.credentials.map(\.kind).sorted(), is: kinds, "what was given out")
            try await scenario.change(1) {
                $0.epoch += 1
                $0.simGeneration = 1
            }
            let next = try await store.subscriberRecords(former.id, epoch: 2)
            try expect(next, is: SubscriberRecords(), "what is told of the next holder")
        },
    ]
}

extension Scenario {
    /// No part of it is in another's.
    static func erasureMark(_ subscription: Int64) -> [UInt8] {
        var state = UInt64(bitPattern: subscription)
        return (0..<32).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }

    func erasure(of subscription: SubscriptionRecord, openIDs: [String] = []) -> SubscriberErasure {
        SubscriberErasure(
            of: subscription, openIDs: openIDs, mark: Self.erasureMark(subscription.id), at: Self.now
        ) { _ in
            AuditEntry(
                at: Self.now, actor: "ops", role: "operator", origin: "command line", order: "subscriber.erase",
                subject: "subscription \(subscription.id)")
        }
    }

    func withdrawal(of subscription: SubscriptionRecord, app: AppID = app) -> ConsentWithdrawal {
        ConsentWithdrawal(of: subscription, to: app, at: Self.now, event: event("withdrawn", app: app)) { _ in
            AuditEntry(
                at: Self.now, actor: "ops", role: "operator", origin: "command line", order: "consent.withdraw",
                app: app, subject: "subscription \(subscription.id)")
        }
    }

    /// One of each kind that is kept about a subscriber, in one login whose trace is `number`.
    func leaveEverything(of subscription: SubscriptionRecord, _ number: Int) async throws {
        let trace = Self.trace(number)
        let token = try await issue(
            token("token \(number)", of: subscription, trace: trace), limit: NumberLimit(day: Self.day, tokens: 9))
        _ = try await redeemTelling(token)
        try await store.insertScrip(scrip("scrip \(number)", of: subscription, family: Int64(number)))
        var code = credential("code \(number)", of: subscription, family: Int64(number))
        code.trace = trace
        try await store.insertOpenIDCredential(code)
        // The page of the same login, which had no subscriber yet, and another request that asks for this person.
        try await store.insertOpenIDCredential(
            credential("page \(number)", kind: .page, of: nil, family: Int64(number)))
        var asked = credential("asked \(number)", kind: .pushed, of: nil, family: Int64(number + 100))
        asked.details = #"{"claims":"open-id-\#(number)"}"#
        try await store.insertOpenIDCredential(asked)
        _ = try await store.settle(
            Guess(
                .digits(Self.app), of: subscription.reference, isRight: false, now: Self.now, limit: 3,
                window: .seconds(86400)))
        // A code that the number was sent before the register knew whose it is, and one of its holder.
        _ = try await send(Self.smsCode(number + 100, purpose: .login, number: number, trace: trace))
        _ = try await send(
            Self.smsCode(number, purpose: .login, number: number, of: subscription, trace: trace))
        // The same of texts that came from it.
        for (id, reference) in [(number + 100, nil), (number, subscription.reference)] {
            let text = Self.smsUpstream(id)
            _ = try await give(text)
            _ = try await arrive(text, from: number, of: reference)
        }
        try await store.appendTraceEvents([
            TraceEvent(
                trace: trace, at: Self.now, party: .gateway, step: "sighting", situation: .success, detail: "",
                login: TraceEvent.Login(app: Self.app, subscription: subscription.id, epoch: subscription.epoch)),
            TraceEvent(
                trace: trace, at: Self.now, party: .authority, step: "prefetch", situation: .success, detail: ""),
        ])
        _ = try await enrol(subscription, uid: "uid \(number)", label: " \(number)")
    }
}
