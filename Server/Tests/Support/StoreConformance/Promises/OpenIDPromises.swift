import BenjiProtocol
import Sightings
import Store

extension StoreConformance {
    static let openID: [StorePromise] = [
        StorePromise("of 32 that exchange one code at once, one gets an access token") { scenario in
            let code = scenario.credential("code", of: try await scenario.subscription())
            try await scenario.store.insertOpenIDCredential(code)
            let outcomes = try await race(32) { position in
                var next = code
                next.hash = Scenario.hash("access\(position)")
                next.kind = .access
                return try await scenario.store.exchange(scenario.exchange(code, next: next))
            }
            try expect(outcomes.count { $0 == .spent(code) }, is: 1, "winners")
            try expect(outcomes.count { $0 == .alreadySpent(code) }, is: 31, "losers")
            for position in 0..<32 {
                let next = try await scenario.store.openIDCredential(Scenario.hash("access\(position)"))
                try expect(next != .unknown, is: outcomes[position] == .spent(code), "a token for runner \(position)")
            }
            try expect(try await scenario.store.openIDCredential(code.hash), is: .spent(code), "the code")
        },
        StorePromise("an OpenID credential of another kind or app is refused and stays unspent") { scenario in
            let code = scenario.credential("code", of: try await scenario.subscription())
            try await scenario.store.insertOpenIDCredential(code)
            var wrong = scenario.exchange(code)
            wrong.kind = .access
            try expect(try await scenario.store.exchange(wrong), is: .unknown, "a code as an access token")
            wrong = scenario.exchange(code)
            wrong.appID = Scenario.otherApp
            try expect(try await scenario.store.exchange(wrong), is: .wrongApp(code), "another app's code")
            wrong.hash = Scenario.hash("never")
            try expect(try await scenario.store.exchange(wrong), is: .unknown, "a code that never was")
            try expect(
                try await scenario.store.exchange(scenario.exchange(code)), is: .spent(code), "the right app's code")
        },
        StorePromise("an OpenID credential is valid one millisecond before it expires and not at that moment") {
            scenario in
            let subscription = try await scenario.subscription()
            for (label, offset) in [("late", 0), ("early", -1)] {
                let code = scenario.credential(label, of: subscription)
                try await scenario.store.insertOpenIDCredential(code)
                let moment = code.expiresAt + .milliseconds(offset)
                try expect(
                    try await scenario.store.exchange(scenario.exchange(code, now: moment)),
                    is: offset < 0 ? .spent(code) : .expired(code), "\(label)")
            }
        },
        StorePromise("a new SIM, a new owner, a revoked family or binding end OpenID credentials") { scenario in
            let codes = try await [1, 2, 3, 4].asyncMap { number in
                scenario.credential(
                    "code\(number)", of: try await scenario.subscription(number), family: Int64(number),
                    binding: Int64(number))
            }
            for code in codes { try await scenario.store.insertOpenIDCredential(code) }
            try await scenario.change(1) { $0.simGeneration += 1 }
            try await scenario.change(2) { $0.epoch += 1 }
            try await scenario.store.revokeOpenIDCredentials(family: 3)
            try await scenario.revoke(4, 5)
            for code in codes {
                try expect(
                    try await scenario.store.exchange(scenario.exchange(code)), is: .revoked(code), "\(code.family)")
            }
            let late = scenario.credential("late", of: try await scenario.subscription(5), binding: 5)
            try await scenario.store.insertOpenIDCredential(late)
            try expect(
                try await scenario.store.exchange(scenario.exchange(late)), is: .revoked(late),
                "one that was stored after its binding was revoked")
        },
        StorePromise("a billed exchange writes one line, and over the quota spends nothing") { scenario in
            let subscription = try await scenario.subscription()
            let tokens = [1, 2].map { scenario.credential("access\($0)", kind: .access, of: subscription) }
            for token in tokens { try await scenario.store.insertOpenIDCredential(token) }
            let billing = OpenIDExchange.Billing(
                interface: "userinfo", result: "released", assurance: .sms, quota: AnswerQuota(daily: 1),
                day: Scenario.day)
            let outcomes = try await tokens.asyncMap { token in
                try await scenario.store.exchange(scenario.exchange(token, billing: billing))
            }
            try expect(outcomes, is: [.spent(tokens[0]), .quotaExceeded(tokens[1])], "two under a quota of one")
            try expect(try await scenario.store.billed(app: Scenario.app, day: Scenario.day), is: 1, "billed")
            let lines = try await scenario.store.ledgerEntries(app: Scenario.app, limit: 9)
            try expect(lines.map(\.interface), is: ["userinfo"], "the ledger")
            try expect(lines.map(\.assurance), is: [.sms], "how strongly it was earned")
            try expect(
                try await scenario.store.openIDCredential(tokens[1].hash), is: .live(tokens[1]), "the second token")
        },
        StorePromise("an exchange that keeps its credential bills each time, up to the quota, and never a dead one") {
            scenario in
            let token = scenario.credential("app's own", kind: .access, of: nil)
            try await scenario.store.insertOpenIDCredential(token)
            let billing = OpenIDExchange.Billing(
                interface: "sim-swap.check", result: "answered", quota: AnswerQuota(daily: 2), day: Scenario.day)
            func show(_ now: Timestamp = Scenario.now) async throws -> OpenIDExchangeOutcome {
                try await scenario.store.exchange(
                    scenario.exchange(token, now: now, billing: billing, end: .kept))
            }
            let outcomes = try await [1, 2, 3].asyncMap { _ in try await show() }
            try expect(
                outcomes, is: [.spent(token), .spent(token), .quotaExceeded(token)], "three under a quota of two")
            try expect(try await scenario.store.billed(app: Scenario.app, day: Scenario.day), is: 2, "billed")
            try expect(try await scenario.store.openIDCredential(token.hash), is: .live(token), "the token")
            try expect(try await show(token.expiresAt), is: .expired(token), "once its time is over")
            try await scenario.store.revokeOpenIDCredentials(family: token.family)
            try expect(try await show(), is: .revoked(token), "once it is revoked")
        },
        StorePromise(
            "an access token that is answered is billed once, by one of many, and may be answered until it is dead"
        ) {
            scenario in
            let subscription = try await scenario.subscription()
            let token = scenario.credential("access", kind: .access, of: subscription)
            try await scenario.store.insertOpenIDCredential(token)
            let billing = OpenIDExchange.Billing(
                interface: "userinfo", result: "released", quota: AnswerQuota(daily: 1), day: Scenario.day)
            let answer = scenario.exchange(token, billing: billing, end: .answered)
            var answered = token
            answered.kind = .answered
            let outcomes = try await race(16) { _ in try await scenario.store.exchange(answer) }
            try expect(outcomes.count { $0 == .spent(answered) }, is: 1, "those that were billed")
            try expect(outcomes.count { $0 == .answered(answered) }, is: 15, "those that were answered again")
            try expect(try await scenario.store.billed(app: Scenario.app, day: Scenario.day), is: 1, "the bill")
            try expect(try await scenario.store.openIDCredential(token.hash), is: .live(answered), "the token")
            try expect(
                try await scenario.store.exchange(scenario.exchange(token)), is: .alreadySpent(answered),
                "a call that would spend it")
            var late = answer
            late.now = token.expiresAt
            try expect(try await scenario.store.exchange(late), is: .expired(answered), "once its time is over")
            try await scenario.store.revokeOpenIDCredentials(family: token.family)
            try expect(try await scenario.store.exchange(answer), is: .revoked(answered), "once it is revoked")
            let other = scenario.credential("other", kind: .access, of: try await scenario.subscription(2), family: 2)
            try await scenario.store.insertOpenIDCredential(other)
            let second = scenario.exchange(other, end: .answered)
            _ = try await scenario.store.exchange(second)
            try await scenario.change(2) { $0.simGeneration += 1 }
            var dead = other
            dead.kind = .answered
            try expect(try await scenario.store.exchange(second), is: .revoked(dead), "once the SIM is another")
        },
        StorePromise("of many pages of one pushed request, one buys a code, also after the request's time") {
            scenario in
            let subscription = try await scenario.subscription()
            var pushed = scenario.credential("pushed", kind: .pushed, of: nil, family: 90)
            pushed.expiresAt = Scenario.now + .seconds(1)
            try await scenario.store.insertOpenIDCredential(pushed)
            let pages = (0..<16).map {
                scenario.credential("page\($0)", kind: .page, of: subscription, family: Int64(100 + $0))
            }
            for page in pages {
                try expect(
                    try await scenario.store.exchange(scenario.exchange(pushed, next: page, end: .kept)),
                    is: .spent(pushed), "a page that is opened")
            }
            let later = pushed.expiresAt + .seconds(1)
            let outcomes = try await race(16) { [pushed] place in
                var code = pages[place]
                code.hash = Scenario.hash("code\(place)")
                code.kind = .code
                return try await scenario.store.exchange(
                    scenario.exchange(pages[place], next: code, now: later, pushed: pushed))
            }
            let won = outcomes.indices.filter { outcomes[$0] == .spent(pages[$0]) }
            try expect(won.count, is: 1, "pages that bought a code")
            try expect(
                outcomes.indices.count { outcomes[$0] == .alreadySpent(pages[$0]) }, is: 15, "pages that bought none")
            try expect(try await scenario.store.openIDCredential(pushed.hash), is: .spent(pushed), "the request")
        },
        StorePromise("a name that an app may use once is taken once, until its time is over, and for it alone") {
            scenario in
            func take(_ app: AppID, at moment: Timestamp) async throws -> Bool {
                try await scenario.store.takeName("jti", app: app, until: moment + .seconds(60), now: moment)
            }
            let end = Scenario.now + .seconds(60)
            func isTaken(_ app: AppID, at moment: Timestamp) async throws -> Bool {
                try await scenario.store.isNameTaken("jti", app: app, now: moment)
            }
            try expect(try await isTaken(Scenario.app, at: Scenario.now), is: false, "whether it is taken at first")
            try expect(try await take(Scenario.app, at: Scenario.now), is: true, "the first")
            try expect(try await isTaken(Scenario.app, at: end - .milliseconds(1)), is: true, "whether it is taken")
            try expect(try await isTaken(Scenario.app, at: end), is: false, "whether it is taken after its time")
            try expect(try await isTaken(Scenario.otherApp, at: Scenario.now), is: false, "whether it is another app's")
            try expect(try await take(Scenario.otherApp, at: Scenario.now), is: true, "another app's")
            try expect(try await take(Scenario.app, at: end - .milliseconds(1)), is: false, "the second")
            try expect(try await take(Scenario.app, at: end), is: true, "one after its time")
        },
        StorePromise("deleting expired credentials takes OpenID's too, and no valid one") { scenario in
            let old = scenario.credential("old", of: nil)
            var young = scenario.credential("young", of: nil)
            young.expiresAt = old.expiresAt + .milliseconds(1)
            for credential in [old, young] { try await scenario.store.insertOpenIDCredential(credential) }
            let gone = try await scenario.store.deleteExpiredCredentials(before: young.expiresAt, limit: 9)
            try expect(gone, is: 1, "deleted")
            try expect(try await scenario.store.openIDCredential(old.hash), is: .unknown, "the expired one")
            try expect(try await scenario.store.openIDCredential(young.hash), is: .live(young), "the valid one")
        },
    ]
}
