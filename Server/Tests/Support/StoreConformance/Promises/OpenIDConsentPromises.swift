import BenjiProtocol
import Sightings
import Store

extension StoreConformance {
    static let openIDConsents: [StorePromise] = [
        StorePromise("the consent to a token or code that expired unredeemed goes with it, and every other one stays") {
            scenario in
            let store = scenario.store
            let person = try await scenario.subscription()
            // A page that buys a code, and a consent that is remembered with it or not.
            func buy(_ number: Int, remembers: Bool = false) async throws -> OpenIDCredential {
                let page = scenario.credential("page \(number)", kind: .page, of: person, family: Int64(number))
                try await store.insertOpenIDCredential(page)
                var code = scenario.credential("code \(number)", of: person, family: Int64(number))
                code.trace = Scenario.trace(number)
                var answer = scenario.exchange(page, next: code)
                answer.consent = ConsentEvidence(
                    appID: Scenario.app, trace: code.trace, subscription: person.reference, contentDigest: "digest",
                    record: Scenario.record(of: code.trace), receivedAt: Scenario.now)
                if remembers {
                    answer.remembered = scenario.credential(
                        "cookie \(number)", kind: .remembered, of: person, family: 99)
                    answer.remembered?.expiresAt = Scenario.now + .seconds(86400)
                }
                try expect(try await store.exchange(answer), is: .spent(page), "page \(number)")
                return code
            }
            let token = try await scenario.issue(scenario.token("token", of: person, trace: Scenario.trace(1)))
            try await scenario.issue(scenario.token("unredeemed", of: person, trace: Scenario.trace(2)))
            let code = try await buy(3)
            _ = try await buy(4)
            _ = try await buy(5, remembers: true)
            _ = try await store.appendLog(limit: 100) { batch throws(StoreError) in try Scenario.addition(to: batch) }
            try expect(try await scenario.redeem(token, message: "m").isSpent, "the token is redeemed")
            try expect(try await store.exchange(scenario.exchange(code)), is: .spent(code), "the code is redeemed")
            func kept() async throws -> [Bool] {
                try await (1...5).map(Scenario.trace).asyncMap { try await !store.consents(of: $0).isEmpty }
            }
            _ = try await store.deleteExpiredCredentials(before: Scenario.now, limit: 99)
            try expect(try await kept(), is: [true, true, true, true, true], "while the credentials are kept")
            _ = try await store.deleteExpiredCredentials(before: token.expiresAt + .seconds(1), limit: 99)
            try expect(try await kept(), is: [true, false, true, false, true], "afterwards")
            let leaves = try await store.logLeaves(from: 0, limit: 9)
            try expect(
                leaves.map { $0.input == nil }, is: [false, true, false, true, false], "what was hashed of them is gone"
            )
        },
        StorePromise("a consent of more than 31 days stays when the token goes that nobody redeemed") { scenario in
            let store = scenario.store
            let person = try await scenario.subscription()
            try await scenario.issue(scenario.token("unredeemed", of: person, trace: Scenario.trace(1)))
            let kept = try await store.consents(of: Scenario.trace(1))
            try expect(kept.count, is: 1, "the consent")
            _ = try await store.deleteExpiredCredentials(before: Scenario.now + .seconds(32 * 86400), limit: 99)
            try expect(try await store.consents(of: Scenario.trace(1)), is: kept, "afterwards")
        },
        StorePromise("pages and codes that nobody redeemed go early with their consents, and no other credential") {
            scenario in
            let store = scenario.store
            let person = try await scenario.subscription()
            var page = scenario.credential("page", kind: .page, of: person, family: 1)
            page.trace = Scenario.trace(1)
            try await store.insertOpenIDCredential(page)
            var unredeemed = scenario.credential("unredeemed", of: person, family: 1)
            unredeemed.trace = Scenario.trace(1)
            var answer = scenario.exchange(page, next: unredeemed)
            answer.consent = ConsentEvidence(
                appID: Scenario.app, trace: page.trace, subscription: person.reference, contentDigest: "digest",
                record: Scenario.record(of: page.trace), receivedAt: Scenario.now)
            try expect(try await store.exchange(answer), is: .spent(page), "the page")
            let redeemed = scenario.credential("redeemed", of: person, family: 2)
            let access = scenario.credential("access", kind: .access, of: person, family: 2)
            try await store.insertOpenIDCredential(redeemed)
            // The consent that the redemption itself writes is never deleted.
            var redemption = scenario.exchange(redeemed, next: access)
            redemption.consent = ConsentEvidence(
                appID: Scenario.app, trace: Scenario.trace(2), subscription: person.reference, contentDigest: "digest",
                record: Scenario.record(of: Scenario.trace(2)), receivedAt: Scenario.now)
            try expect(try await store.exchange(redemption), is: .spent(redeemed), "the code")
            var young = scenario.credential("young", of: person, family: 3)
            young.expiresAt = redeemed.expiresAt + .milliseconds(1)
            try await store.insertOpenIDCredential(young)
            func delete(_ from: Timestamp, _ limit: Int) async throws -> Int {
                try await store.deleteExpiredPages(from..<young.expiresAt, limit: limit)
            }
            try expect(try await delete(redeemed.expiresAt + .milliseconds(1), 9), is: 0, "an empty range")
            try expect(try await delete(Scenario.now, 1), is: 1, "the limit")
            try expect(try await delete(Scenario.now, 9), is: 1, "the rest")
            for gone in [page, unredeemed] {
                try expect(try await store.openIDCredential(gone.hash), is: .unknown, "\(gone.kind)")
            }
            try expect(try await store.openIDCredential(redeemed.hash), is: .spent(redeemed), "the redeemed code")
            try expect(try await store.openIDCredential(access.hash), is: .live(access), "what it bought")
            try expect(try await store.openIDCredential(young.hash), is: .live(young), "one that ended later")
            try expect(try await store.consents(of: Scenario.trace(1)), is: [], "the consent that bought nothing")
            _ = try await store.deleteExpiredCredentials(before: access.expiresAt + .seconds(1), limit: 9)
            try expect(try await store.consents(of: Scenario.trace(2)).count, is: 1, "the consent of the redemption")
        },
        StorePromise("a page's code and the consent that is remembered with it are there together, or neither is") {
            scenario in
            let person = try await scenario.subscription()
            let page = scenario.credential("page", kind: .page, of: person)
            try await scenario.store.insertOpenIDCredential(page)
            let code = scenario.credential("code", of: person)
            var remembered = scenario.credential("cookie", kind: .remembered, of: person, family: 2)
            remembered.expiresAt = Scenario.now + .seconds(86400)
            var answer = scenario.exchange(page, next: code)
            answer.remembered = remembered
            try expect(try await scenario.store.exchange(answer), is: .spent(page), "the page")
            try expect(try await scenario.store.openIDCredential(code.hash), is: .live(code), "the code")
            try expect(try await scenario.store.openIDCredential(remembered.hash), is: .live(remembered), "the consent")
            answer.next?.hash = Scenario.hash("second code")
            answer.remembered?.hash = Scenario.hash("second cookie")
            try expect(try await scenario.store.exchange(answer), is: .alreadySpent(page), "the page shown again")
            try expect(
                try await scenario.store.openIDCredential(Scenario.hash("second cookie")), is: .unknown,
                "a consent of a page that was over")
        },
        StorePromise("remembered consents are listed and ended for their holder alone, and what ended buys nothing") {
            scenario in
            let person = try await scenario.subscription()
            let other = try await scenario.subscription(2)
            func remembered(_ label: String, _ person: SubscriptionRecord, _ family: Int64, ago: Int64)
                -> OpenIDCredential
            {
                var credential = scenario.credential(label, kind: .remembered, of: person, family: family)
                credential.issuedAt = Scenario.now - .seconds(ago)
                return credential
            }
            let old = remembered("old", person, 1, ago: 2)
            let new = remembered("new", person, 2, ago: 1)
            let others = remembered("others", other, 3, ago: 0)
            for credential in [old, new, others] { try await scenario.store.insertOpenIDCredential(credential) }
            let code = scenario.credential("code", of: person, family: 4)
            let later = Scenario.now + .seconds(1)
            func use(_ code: OpenIDCredential?) async throws -> OpenIDExchangeOutcome {
                try await scenario.store.exchange(scenario.exchange(old, next: code, now: later, end: .noted))
            }
            try expect(try await use(code), is: .spent(old), "one that holds")
            func list(_ person: SubscriptionRecord, at moment: Timestamp = later) async throws -> [RememberedConsent] {
                try await scenario.store.rememberedConsents(of: person.reference, at: moment)
            }
            try expect(
                try await list(person),
                is: [.init(credential: new, usedAt: nil), .init(credential: old, usedAt: later)], "the list")
            try expect(try await list(person, at: old.expiresAt), is: [], "what has expired")
            func end(_ person: SubscriptionRecord, _ family: Int64?) async throws -> Int {
                try await scenario.store.endRememberedConsents(of: person.reference, family: family)
            }
            try expect(try await end(other, old.family), is: 0, "another holder's, by its family")
            try expect(try await list(person).count, is: 2, "consents that another holder asked to end")
            try expect(try await end(person, old.family), is: 1, "one's own")
            try expect(try await end(person, old.family), is: 0, "one's own again")
            try expect(try await use(nil), is: .revoked(old), "a use after its end")
            try expect(try await list(person).map(\.credential), is: [new], "what is left")
            try expect(try await end(person, nil), is: 1, "all of them")
            try expect(try await list(other).map(\.credential), is: [others], "the other holder's")
        },
        StorePromise("a remembered consent dies with the SIM, and with a client that may remember nothing any more") {
            scenario in
            try await scenario.store.createApp(sampleApp(1))
            var client = try await scenario.store.putOpenIDClient(scenario.client())
            let person = try await scenario.subscription()
            let credentials = [1, 2].map { scenario.credential("cookie\($0)", kind: .remembered, of: person) }
            for credential in credentials { try await scenario.store.insertOpenIDCredential(credential) }
            client.redirectURIs.append("https://shop.example/second")
            client = try await scenario.store.putOpenIDClient(client)
            let first = scenario.exchange(credentials[0], end: .noted)
            try expect(try await scenario.store.exchange(first), is: .spent(credentials[0]), "after another change")
            try await scenario.change(1) { $0.simGeneration += 1 }
            try expect(
                try await scenario.store.exchange(scenario.exchange(credentials[1], end: .noted)),
                is: .revoked(credentials[1]), "after the SIM was replaced")
            try await scenario.change(1) { $0.simGeneration -= 1 }
            client.remembersConsent = false
            try await scenario.store.putOpenIDClient(client)
            try expect(try await scenario.store.exchange(first), is: .revoked(credentials[0]), "after the last change")
            try expect(
                try await scenario.store.rememberedConsents(of: person.reference, at: Scenario.now), is: [], "the list")
        },
        StorePromise(
            "what is remembered beside the end of that option does not count again once the client may remember again"
        ) { scenario in
            try await scenario.store.createApp(sampleApp(1))
            var client = try await scenario.store.putOpenIDClient(scenario.client())
            client.remembersConsent = false
            client = try await scenario.store.putOpenIDClient(client)
            let person = try await scenario.subscription()
            // A tap on a page of before.
            let page = scenario.credential("page", kind: .page, of: person)
            try await scenario.store.insertOpenIDCredential(page)
            let late = scenario.credential("late", kind: .remembered, of: person, family: 2)
            var answer = scenario.exchange(page, next: scenario.credential("code", of: person))
            answer.remembered = late
            try expect(try await scenario.store.exchange(answer), is: .spent(page), "the tap")
            client.remembersConsent = true
            client = try await scenario.store.putOpenIDClient(client)
            let use = scenario.exchange(late, end: .noted)
            try expect(try await scenario.store.exchange(use), is: .revoked(late), "the option is back")
            let next = scenario.credential("next", kind: .remembered, of: person, family: 3)
            try await scenario.store.insertOpenIDCredential(next)
            client.redirectURIs.append("https://shop.example/second")
            try await scenario.store.putOpenIDClient(client)
            let used = try await scenario.store.exchange(scenario.exchange(next, end: .noted))
            try expect(used, is: .spent(next), "one of afterwards")
        },
        StorePromise("a remembered consent ends beside a page's answer, if it is of the same app and holder") {
            scenario in
            let person = try await scenario.subscription()
            let other = try await scenario.subscription(2)
            let old = scenario.credential("old", kind: .remembered, of: person, family: 1)
            let others = scenario.credential("others", kind: .remembered, of: other, family: 2)
            let access = scenario.credential("access", kind: .access, of: person, family: 3)
            for credential in [old, others, access] { try await scenario.store.insertOpenIDCredential(credential) }
            func answer(_ label: String, ending: OpenIDCredential, at moment: Timestamp = Scenario.now) async throws
                -> OpenIDExchangeOutcome
            {
                let page = scenario.credential("page \(label)", kind: .page, of: person, family: 4)
                try await scenario.store.insertOpenIDCredential(page)
                var exchange = scenario.exchange(
                    page, next: scenario.credential("code \(label)", of: person), now: moment)
                exchange.forgotten = ending.hash
                return try await scenario.store.exchange(exchange)
            }
            _ = try await answer("late", ending: old, at: old.expiresAt)
            try expect(try await scenario.store.openIDCredential(old.hash), is: .live(old), "by a page that was over")
            _ = try await answer("other", ending: others)
            try expect(try await scenario.store.openIDCredential(others.hash), is: .live(others), "another holder's")
            _ = try await answer("kind", ending: access)
            try expect(try await scenario.store.openIDCredential(access.hash), is: .live(access), "what is no consent")
            _ = try await answer("own", ending: old)
            let use = try await scenario.store.exchange(scenario.exchange(old, end: .noted))
            try expect(use, is: .revoked(old), "the holder's own")
        },
        StorePromise("of 16 uses of a remembered consent and its end at once, none begins after the end") { scenario in
            let person = try await scenario.subscription()
            let consent = scenario.credential("cookie", kind: .remembered, of: person)
            try await scenario.store.insertOpenIDCredential(consent)
            let outcomes = try await race(16) { place in
                if place == 7 { try await scenario.store.endRememberedConsents(of: person.reference, family: nil) }
                let before = try await scenario.store.openIDCredential(consent.hash)
                let code = scenario.credential("code\(place)", of: person, family: Int64(place + 10))
                let outcome = try await scenario.store.exchange(
                    scenario.exchange(consent, next: code, end: .noted))
                return (before: before, outcome: outcome)
            }
            for one in outcomes where one.before == .revoked(consent) {
                try expect(one.outcome, is: .revoked(consent), "a use that began after the end")
            }
            let last = try await scenario.store.exchange(scenario.exchange(consent, end: .noted))
            try expect(last, is: .revoked(consent), "the last")
        },
        StorePromise("a backchannel request waits for its holder alone, until it is decided, ended or too old") {
            scenario in
            let person = try await scenario.subscription()
            let other = try await scenario.subscription(2)
            func request(_ label: String, _ person: SubscriptionRecord?, _ family: Int64, ago: Int64)
                -> OpenIDCredential
            {
                var credential = scenario.credential(label, kind: .backchannel, of: person, family: family)
                credential.issuedAt = Scenario.now - .seconds(ago)
                return credential
            }
            let (agreed, refused, ended) = (
                request("agreed", person, 1, ago: 3), request("refused", person, 2, ago: 2),
                request("ended", person, 3, ago: 1)
            )
            let waits = request("waits", person, 4, ago: 4)
            let others = request("others", other, 5, ago: 0)
            let nobodys = request("nobody's", nil, 6, ago: 0)
            let code = scenario.credential("code", of: person, family: 7)
            for credential in [agreed, refused, ended, waits, others, nobodys, code] {
                try await scenario.store.insertOpenIDCredential(credential)
            }
            func list(
                _ person: SubscriptionRecord, at moment: Timestamp = Scenario.now, limit: Int = 9
            ) async throws -> [OpenIDCredential] {
                try await scenario.store.backchannelRequests(of: person.reference, at: moment, limit: limit)
            }
            try expect(try await list(person), is: [ended, refused, agreed, waits], "all that wait")
            try expect(try await list(person, limit: 2), is: [ended, refused], "no more than are asked for")
            try expect(try await list(person, at: waits.expiresAt), is: [], "what has expired")
            try expect(try await list(other), is: [others], "another holder's")
            let yes = scenario.credential("yes", kind: .agreed, of: person, family: agreed.family, binding: 2)
            try expect(
                try await scenario.store.exchange(scenario.exchange(agreed, next: yes)), is: .spent(agreed), "a yes")
            try expect(try await scenario.store.openIDCredential(yes.hash), is: .live(yes), "what the yes is")
            try expect(try await scenario.store.exchange(scenario.exchange(refused)), is: .spent(refused), "a no")
            try await scenario.store.revokeOpenIDCredentials(family: ended.family)
            try expect(try await list(person), is: [waits], "what still waits")
            try await scenario.change(1) { $0.simGeneration += 1 }
            var replaced = person.reference
            replaced.simGeneration += 1
            try expect(
                try await scenario.store.backchannelRequests(of: replaced, at: Scenario.now, limit: 9), is: [],
                "what was asked of the SIM before")
            try expect(
                try await scenario.store.exchange(scenario.exchange(waits)), is: .revoked(waits),
                "a decision after the SIM was replaced")
            try expect(
                try await scenario.store.exchange(scenario.exchange(yes)), is: .revoked(yes),
                "a yes after the SIM was replaced")
        },
    ]
}
