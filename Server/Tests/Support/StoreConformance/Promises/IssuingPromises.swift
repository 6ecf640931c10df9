import BenjiProtocol
import Store

extension StoreConformance {
    static let issuing: [StorePromise] = [
        StorePromise("an issued token is found as it was issued, and looking does not spend it") { scenario in
            let token = try await scenario.issue(scenario.token("t", of: try await scenario.subscription()))
            for _ in 0..<2 { try expect(try await scenario.store.token(token.hash), is: token, "an issued token") }
            try await scenario.expectUnspent(token, message: "m", after: "looking")
            try expect(try await scenario.store.token(token.hash), is: token, "a spent token")
        },
        StorePromise("the consent that bought a token is found by its login") { scenario in
            let subscription = try await scenario.subscription()
            let token = try await scenario.issue(
                scenario.token("t", of: subscription, trace: Scenario.trace(1)))
            try await scenario.issue(scenario.token("other", of: subscription, trace: Scenario.trace(2)))
            let kept = scenario.request(token, scrip: Scenario.hash("s"), now: token.issuedAt).consent
            try expect(
                try await scenario.store.consents(of: Scenario.trace(1)), is: [kept].compactMap { $0 }, "consents")
            try expect(try await scenario.store.consents(of: Scenario.trace(3)), is: [], "those of no login")
        },
        StorePromise("a scrip buys a token one millisecond before its expiry and not at it") { scenario in
            let subscription = try await scenario.subscription()
            let end = Scenario.now + .seconds(60)
            let scrip = scenario.scrip("s", of: subscription, expiresAt: end)
            try await scenario.store.insertScrip(scrip)
            let late = scenario.token("late", of: subscription, issuedAt: end)
            let lateOutcome = try await scenario.store.issueToken(scenario.request(late, scrip: scrip.hash, now: end))
            try expect(lateOutcome, is: .scripGone, "at the moment of expiry")
            let early = scenario.token("early", of: subscription)
            let outcome = try await scenario.store.issueToken(
                scenario.request(early, scrip: scrip.hash, now: end - .milliseconds(1)))
            try expect(outcome, is: .issued, "a millisecond before")
        },
        StorePromise("who judged by an older record of the app is given no scrip and no token") { scenario in
            let subscription = try await scenario.subscription()
            var app = AppRecord(
                id: Scenario.app, name: "app", keys: [], capabilities: [.login], bundleIDs: [],
                serverAddresses: [], createdAt: Scenario.now)
            let scrip = scenario.scrip("s", of: subscription)
            let token = scenario.token("t", of: subscription)
            func insert(revision: Int64) async throws -> StoreError.Code? {
                do { try await scenario.store.insertScrip(scrip, appRevision: revision, fence: nil) } catch {
                    return error.code
                }
                return nil
            }
            func issue(revision: Int64) async throws -> TokenIssueOutcome {
                var request = scenario.request(token, scrip: scrip.hash)
                request.appRevision = revision
                return try await scenario.store.issueToken(request)
            }
            try expect(try await insert(revision: 1), is: .outdated, "a scrip of an app that is not registered")
            try await scenario.store.createApp(app)
            app.suspended = true
            try await scenario.withAnother { another in try await another.updateApp(app) }
            try expect(try await insert(revision: 1), is: .outdated, "by the record before another process changed it")
            try expect(try await scenario.store.scrip(scrip.hash), is: .unknown, "a scrip that was refused")
            try expect(try await insert(revision: 2), is: nil, "by the present record")
            try expect(try await issue(revision: 1), is: .appChanged, "a token by the record before the change")
            try expect(try await issue(revision: 3), is: .appChanged, "a token by a record that is not there yet")
            try expect(try await scenario.store.scrip(scrip.hash), is: .current(scrip), "the scrip after the refusals")
            try expect(try await scenario.store.token(token.hash) == nil, "a refused issue left a token behind")
            try expect(try await issue(revision: 2), is: .issued, "a token by the present record")
        },
        StorePromise("an unknown scrip buys nothing") { scenario in
            let token = scenario.token("t", of: try await scenario.subscription())
            let outcome = try await scenario.store.issueToken(scenario.request(token, scrip: Scenario.hash("nobody")))
            try expect(outcome, is: .scripGone, "an unknown scrip")
            try expect(try await scenario.store.token(token.hash) == nil, "a refused issue left a token behind")
        },
        StorePromise("the 30th unused token of a device key is issued, the 31st is not, and the scrip stays") {
            scenario in
            let subscription = try await scenario.subscription()
            for index in 0..<29 { try await scenario.issue(scenario.token("t\(index)", of: subscription)) }
            let scrip = scenario.scrip("s", of: subscription)
            let next = scenario.scrip("next", of: subscription, generation: 2)
            try await scenario.store.insertScrip(scrip)
            let thirtieth = scenario.request(scenario.token("t29", of: subscription), scrip: scrip.hash, next: next)
            try expect(try await scenario.store.issueToken(thirtieth), is: .issued, "token 30")
            let unborn = scenario.scrip("unborn", of: subscription, generation: 3)
            let last = scenario.token("t30", of: subscription)
            let request = scenario.request(last, scrip: next.hash, next: unborn)
            try expect(try await scenario.store.issueToken(request), is: .tooManyForKey, "token 31")
            try expect(try await scenario.store.scrip(next.hash), is: .current(next), "the scrip after the refusal")
            try expect(try await scenario.store.scrip(unborn.hash), is: .unknown, "the generation that never came")
            try expect(try await scenario.store.token(last.hash) == nil, "a refused issue left a token behind")
            let neighbour = try await scenario.subscription(2)
            try await scenario.expectIssued("another", of: neighbour, "another number under the same app")
            try await scenario.expectIssued("elsewhere", of: subscription, app: Scenario.otherApp, "another app")
            var other = scenario.token("other", of: subscription)
            other.deviceKey = "another thumbprint"
            let otherOutcome = try await scenario.store.issueToken(scenario.request(other, scrip: next.hash))
            try expect(otherOutcome, is: .issued, "another device key of the app and number")
        },
        StorePromise(
            "unused tokens of one number put out those of keys that have several, then the oldest; no app's others"
        ) {
            scenario in
            let subscription = try await scenario.subscription()
            let elsewhere = try await scenario.issue(scenario.token("a", of: subscription, app: Scenario.otherApp))
            func next(_ label: String, key: String, after seconds: Int64) async throws -> TokenRecord {
                let moment = Scenario.now + .seconds(seconds)
                var token = scenario.token(
                    label, of: subscription, issuedAt: moment, expiresAt: moment + .seconds(120))
                token.deviceKey = key
                let scrip = scenario.scrip("scrip of \(label)", of: subscription)
                try await scenario.store.insertScrip(scrip)
                let outcome = try await scenario.store.issueToken(
                    scenario.request(token, scrip: scrip.hash, now: moment, perNumber: 3))
                try expect(outcome, is: .issued, label)
                return token
            }
            func left(_ tokens: [TokenRecord]) async throws -> [Bool] {
                var left: [Bool] = []
                for token in tokens { left.append(try await scenario.store.token(token.hash) != nil) }
                return left
            }
            // The person's is the oldest; the hoarder has two.
            var tokens = [try await next("person", key: "person", after: 1)]
            tokens.append(try await next("hoard 1", key: "hoarder", after: 2))
            tokens.append(try await next("hoard 2", key: "hoarder", after: 3))
            tokens.append(try await next("third", key: "third", after: 4))
            try expect(try await left(tokens), is: [true, false, true, true], "the hoarder's older one goes")
            tokens.append(try await next("fourth", key: "fourth", after: 5))
            try expect(try await left(tokens), is: [false, false, true, true, true], "then the oldest of all goes")
            let put = try await scenario.redeem(tokens[0], message: "m")
            try expect(put.word, is: "unknown", "a token that was put out")
            try expect(try await scenario.store.token(elsewhere.hash), is: elsewhere, "another app's token")
        },
        StorePromise("an unused token never puts out one of another assurance") { scenario in
            let subscription = try await scenario.subscription()
            let attested = try await scenario.issue(
                scenario.token("attested", of: subscription, assurance: .netApp, issuedAt: Scenario.now - .seconds(60)))
            for index in 0..<3 {
                let outcome = try await scenario.tryIssue("n\(index)", of: subscription, perApp: 9, perNumber: 1)
                try expect(outcome, is: .issued, "token \(index)")
            }
            try expect(try await scenario.store.token(attested.hash), is: attested, "the attested token")
        },
        StorePromise("spent and revoked tokens do not count against the limits") { scenario in
            let subscription = try await scenario.subscription()
            for index in 0..<2 {
                let token = try await scenario.issue(scenario.token("spent\(index)", of: subscription))
                try expect(try await scenario.redeem(token, message: "m\(index)").word, is: "spent", "spending")
            }
            try await scenario.issue(scenario.token("revoked", of: subscription, binding: 5))
            try await scenario.revoke(5)
            let outcome = try await scenario.tryIssue("first", of: subscription, perApp: 1, perNumber: 1)
            try expect(outcome, is: .issued, "the first token that counts")
            let second = try await scenario.tryIssue("second", of: subscription, perApp: 1, perNumber: 9)
            try expect(second, is: .tooManyForKey, "the second")
        },
        StorePromise("an unspent token counts against its key after it has expired") {
            scenario in
            let subscription = try await scenario.subscription()
            try await scenario.issue(
                scenario.token(
                    "expired", of: subscription, issuedAt: Scenario.now - .seconds(60),
                    expiresAt: Scenario.now - .seconds(30)))
            let app = try await scenario.tryIssue("app", of: subscription, perApp: 1, perNumber: 9)
            try expect(app, is: .tooManyForKey, "a second token for one app")
            let room = try await scenario.tryIssue("room", of: subscription, perApp: 2, perNumber: 2)
            try expect(room, is: .issued, "a second token of two")
        },
        StorePromise("a token issued at the window's first moment no longer counts, one a millisecond later does") {
            scenario in
            let subscription = try await scenario.subscription()
            let start = Scenario.now - .seconds(600)
            let long = Scenario.now + .seconds(3600)
            try await scenario.issue(scenario.token("at", of: subscription, issuedAt: start, expiresAt: long))
            let free = try await scenario.tryIssue("free", of: subscription, since: start, perApp: 1, perNumber: 9)
            try expect(free, is: .issued, "after a token at the window's first moment")
            let neighbour = try await scenario.subscription(2)
            let inside = start + .milliseconds(1)
            try await scenario.issue(scenario.token("in", of: neighbour, issuedAt: inside, expiresAt: long))
            let full = try await scenario.tryIssue("full", of: neighbour, since: start, perApp: 1, perNumber: 9)
            try expect(full, is: .tooManyForKey, "after a token inside the window")
        },
        StorePromise("of 100 issues at once under a limit of 30, exactly 30 succeed") { scenario in
            let subscription = try await scenario.subscription()
            for index in 0..<100 {
                try await scenario.store.insertScrip(
                    scenario.scrip("s\(index)", of: subscription, family: Int64(index)))
            }
            let outcomes = try await race(100) { position in
                try await scenario.store.issueToken(
                    scenario.request(
                        scenario.token("t\(position)", of: subscription), scrip: Scenario.hash("s\(position)")))
            }
            try expect(outcomes.count { $0 == .issued }, is: 30, "tokens issued")
            try expect(outcomes.count { $0 == .tooManyForKey }, is: 70, "refusals")
        },
        StorePromise("a scrip of an earlier SIM or owner buys nothing and is left as it was") { scenario in
            let subscription = try await scenario.subscription()
            let scrip = scenario.scrip("s", of: subscription)
            try await scenario.store.insertScrip(scrip)
            let request = scenario.request(scenario.token("t", of: subscription), scrip: scrip.hash)
            try await scenario.change { $0.simGeneration += 1 }
            try expect(try await scenario.store.issueToken(request), is: .subscriptionChanged, "an earlier SIM's scrip")
            try await scenario.change {
                $0.epoch += 1
                $0.simGeneration -= 1
            }
            try expect(
                try await scenario.store.issueToken(request), is: .subscriptionChanged, "an earlier owner's scrip")
            try expect(try await scenario.store.scrip(scrip.hash), is: .current(scrip), "the scrip")
            try expect(try await scenario.store.token(request.token.hash) == nil, "a refused issue left a token behind")
        },
        StorePromise("an issue that fails leaves nothing: neither the next scrip nor a used one") { scenario in
            let subscription = try await scenario.subscription()
            let token = try await scenario.issue(scenario.token("t", of: subscription))
            let scrip = scenario.scrip("s", of: subscription)
            let next = scenario.scrip("next", of: subscription, generation: 2)
            try await scenario.store.insertScrip(scrip)
            try await expectFailure(.alreadyExists, "issuing a token twice") {
                _ = try await scenario.store.issueToken(scenario.request(token, scrip: scrip.hash, next: next))
            }
            try expect(try await scenario.store.scrip(scrip.hash), is: .current(scrip), "the scrip that was presented")
            try expect(try await scenario.store.scrip(next.hash), is: .unknown, "the generation that never came")
        },
        StorePromise("tokens of a number are counted by app and day, and a refusal counts nothing and uses no scrip up")
        {
            scenario in
            let subscription = try await scenario.subscription()
            func issue(
                _ label: String, app: AppID = Scenario.app, day: Int32 = Scenario.day, tokens: Int? = 2
            ) async throws -> TokenIssueOutcome {
                try await scenario.tryToIssue(
                    scenario.token(label, of: subscription, app: app),
                    limit: tokens.map { NumberLimit(day: day, tokens: $0) })
            }
            try expect(try await issue("a"), is: .issued, "the first of two")
            let token = scenario.token("b", of: subscription)
            let limit = NumberLimit(day: Scenario.day, tokens: 2)
            try expect(try await scenario.tryToIssue(token, limit: limit), is: .issued, "the second of two")
            _ = try await scenario.redeem(token, message: "m")
            try expect(try await issue("c"), is: .tooManyForNumber, "the third of two, whatever became of the others")
            try expect(try await scenario.store.token(Scenario.hash("c")) == nil, "a refused issue left a token behind")
            try expect(try await issue("d", app: Scenario.otherApp, tokens: 1), is: .issued, "another app's")
            try expect(try await issue("e", day: Scenario.day + 1, tokens: 1), is: .issued, "the next day's")
            try expect(try await issue("f", tokens: nil), is: .issued, "without a limit")
            try expect(try await issue("g", tokens: 3), is: .issued, "under a higher one")
            let other = try await scenario.subscription(2)
            let another = scenario.token("h", of: other)
            try expect(
                try await scenario.tryToIssue(another, limit: NumberLimit(day: Scenario.day, tokens: 1)), is: .issued,
                "another number's")
            let scrip = scenario.scrip("s", of: subscription)
            try await scenario.store.insertScrip(scrip)
            var request = scenario.request(scenario.token("i", of: subscription), scrip: scrip.hash)
            request.numberLimit = NumberLimit(day: Scenario.day, tokens: 3)
            try expect(try await scenario.store.issueToken(request), is: .tooManyForNumber, "with a scrip of its own")
            try expect(try await scenario.store.scrip(scrip.hash), is: .current(scrip), "the scrip after the refusal")
        },
        StorePromise("of 40 issues at once for one number under a day's limit of 10, exactly 10 are issued") {
            scenario in
            let subscription = try await scenario.subscription()
            try await scenario.withAnother { another in
                let outcomes = try await race(40) { position in
                    try await scenario.tryToIssue(
                        scenario.token("t\(position)", of: subscription),
                        on: position.isMultiple(of: 2) ? scenario.store : another,
                        limit: NumberLimit(day: Scenario.day, tokens: 10))
                }
                try expect(outcomes.count { $0 == .issued }, is: 10, "issued")
                try expect(outcomes.count { $0 == .tooManyForNumber }, is: 30, "refused")
            }
        },
        StorePromise("deleting counts of numbers takes those of days before, and no other") { scenario in
            let subscription = try await scenario.subscription()
            for day in 0..<3 {
                try await scenario.issue(
                    scenario.token("t\(day)", of: subscription),
                    limit: NumberLimit(day: Scenario.day + Int32(day), tokens: 1))
            }
            let today = Scenario.day + 2
            try expect(try await scenario.store.deleteNumberCounts(before: today, limit: 1), is: 1, "the limit")
            try expect(try await scenario.store.deleteNumberCounts(before: today, limit: 9), is: 1, "the rest")
            try expect(try await scenario.store.deleteNumberCounts(before: today, limit: 9), is: 0, "nothing more")
            try expect(
                try await scenario.tryToIssue(
                    scenario.token("again", of: subscription), limit: NumberLimit(day: today, tokens: 1)),
                is: .tooManyForNumber, "today's count")
        },
    ]
}

extension Scenario {
    /// Issues with a fresh scrip under the given limits.
    func tryIssue(
        _ label: String, of subscription: SubscriptionRecord, app: AppID = app, since: Timestamp? = nil, perApp: Int,
        perNumber: Int
    ) async throws -> TokenIssueOutcome {
        let scrip = scrip("scrip of \(label)", of: subscription, app: app, family: 99)
        try await store.insertScrip(scrip)
        return try await store.issueToken(
            request(
                token(label, of: subscription, app: app), scrip: scrip.hash, unusedSince: since, perApp: perApp,
                perNumber: perNumber))
    }

    func expectIssued(
        _ label: String, of subscription: SubscriptionRecord, app: AppID = app, _ what: String
    ) async throws {
        let outcome = try await tryIssue(label, of: subscription, app: app, perApp: 30, perNumber: 60)
        try expect(outcome, is: .issued, what)
    }
}
