import BenjiProtocol
import Store

extension StoreConformance {
    static let scrips: [StorePromise] = [
        StorePromise("a scrip is found as it was stored, expired or not; another is unknown") { scenario in
            let subscription = try await scenario.subscription()
            let scrip = scenario.scrip("s", of: subscription, expiresAt: Scenario.now - .seconds(600))
            try await scenario.store.insertScrip(scrip)
            try expect(try await scenario.store.scrip(scrip.hash), is: .current(scrip), "a stored scrip")
            try expect(try await scenario.store.scrip(Scenario.hash("other")), is: .unknown, "a scrip never stored")
        },
        StorePromise("storing the same scrip twice fails as already existing") { scenario in
            let scrip = scenario.scrip("s", of: try await scenario.subscription())
            try await scenario.store.insertScrip(scrip)
            try await expectFailure(.alreadyExists, "a second scrip with one hash") {
                try await scenario.store.insertScrip(scrip)
            }
        },
        StorePromise("after a rotation the old generation is superseded and the new one current") { scenario in
            let subscription = try await scenario.subscription()
            let old = scenario.scrip("old", of: subscription)
            let next = scenario.scrip("next", of: subscription, generation: 2)
            try await scenario.store.insertScrip(old)
            let token = scenario.token("t", of: subscription)
            let outcome = try await scenario.store.issueToken(scenario.request(token, scrip: old.hash, next: next))
            try expect(outcome, is: .issued, "the first use")
            try expect(try await scenario.store.scrip(old.hash), is: .superseded(old), "the old generation")
            try expect(try await scenario.store.scrip(next.hash), is: .current(next), "the new generation")
            let again = scenario.token("again", of: subscription)
            let second = try await scenario.store.issueToken(scenario.request(again, scrip: old.hash))
            try expect(second, is: .scripGone, "using the old generation again")
            try expect(try await scenario.store.token(again.hash) == nil, "a refused issue left a token behind")
        },
        StorePromise("of 32 that use one scrip generation at once, one gets a token and one next generation exists") {
            scenario in
            let subscription = try await scenario.subscription()
            let scrip = scenario.scrip("s", of: subscription)
            try await scenario.store.insertScrip(scrip)
            let outcomes = try await race(32) { position in
                try await scenario.store.issueToken(
                    scenario.request(
                        scenario.token("t\(position)", of: subscription), scrip: scrip.hash,
                        next: scenario.scrip("next\(position)", of: subscription, generation: 2)))
            }
            try expect(outcomes.count { $0 == .issued }, is: 1, "winners")
            try expect(outcomes.count { $0 == .scripGone }, is: 31, "losers")
            for position in 0..<32 {
                let won = outcomes[position] == .issued
                let token = try await scenario.store.token(Scenario.hash("t\(position)"))
                let next = try await scenario.store.scrip(Scenario.hash("next\(position)"))
                try expect(token != nil, is: won, "a token for runner \(position)")
                try expect(next.word, is: won ? "current" : "unknown", "a next generation for runner \(position)")
            }
        },
        StorePromise("revoking a family ends all its generations and no other family") { scenario in
            let subscription = try await scenario.subscription()
            let old = scenario.scrip("old", of: subscription, family: 5)
            let next = scenario.scrip("next", of: subscription, family: 5, generation: 2)
            let other = scenario.scrip("other", of: subscription, family: 6)
            for scrip in [old, other] { try await scenario.store.insertScrip(scrip) }
            let first = scenario.request(scenario.token("t", of: subscription), scrip: old.hash, next: next)
            try expect(try await scenario.store.issueToken(first), is: .issued, "before the revocation")
            try await scenario.store.revokeScrips(family: 5)
            try expect(try await scenario.store.scrip(old.hash), is: .revoked(old), "the old generation")
            try expect(try await scenario.store.scrip(next.hash), is: .revoked(next), "the current generation")
            try expect(try await scenario.store.scrip(other.hash), is: .current(other), "another family")
            let late = scenario.request(scenario.token("late", of: subscription), scrip: next.hash)
            try expect(try await scenario.store.issueToken(late), is: .scripGone, "issuing with a revoked scrip")
        },
        StorePromise("revoking bindings ends their scrips and no others") { scenario in
            let subscription = try await scenario.subscription()
            let scrips = (1...3).map {
                scenario.scrip("s\($0)", of: subscription, family: Int64($0), binding: Int64($0))
            }
            for scrip in scrips { try await scenario.store.insertScrip(scrip) }
            try await scenario.revoke(1, 3)
            try expect(try await scenario.store.scrip(scrips[0].hash), is: .revoked(scrips[0]), "binding 1")
            try expect(try await scenario.store.scrip(scrips[1].hash), is: .current(scrips[1]), "binding 2")
            try expect(try await scenario.store.scrip(scrips[2].hash), is: .revoked(scrips[2]), "binding 3")
            try await scenario.revoke()
            try expect(try await scenario.store.scrip(scrips[1].hash), is: .current(scrips[1]), "after revoking none")
        },
        StorePromise("deleting expired credentials takes no valid one, and at most as many of each as asked") {
            scenario in
            let subscription = try await scenario.subscription()
            let moment = Scenario.now + .seconds(120)
            for index in 0..<3 {
                let ended = moment - .milliseconds(1)
                try await scenario.store.insertScrip(
                    scenario.scrip("old\(index)", of: subscription, family: 50, expiresAt: ended))
            }
            let young = scenario.scrip("young", of: subscription, expiresAt: moment + .milliseconds(1))
            try await scenario.store.insertScrip(young)
            let token = try await scenario.issue(
                scenario.token("token", of: subscription, expiresAt: moment + .milliseconds(1)))
            // Together with the scrip that the token used up, which expired long ago, four scrips may go.
            try expect(
                try await scenario.store.deleteExpiredCredentials(before: moment, limit: 2), is: 2, "the limit")
            try expect(
                try await scenario.store.deleteExpiredCredentials(before: moment, limit: 100), is: 2, "the rest")
            try expect(try await scenario.store.scrip(young.hash), is: .current(young), "a valid scrip")
            try expect(try await scenario.store.token(token.hash), is: token, "a valid token")
            let gone = try await scenario.store.deleteExpiredCredentials(before: moment + .seconds(1), limit: 100)
            try expect(gone, is: 2, "a scrip and a token, both expired")
            try expect(try await scenario.store.token(token.hash) == nil, "a deleted token is still found")
            try expect(try await scenario.redeem(token, message: "m").word, is: "unknown", "redeeming a deleted token")
        },
        StorePromise("deleting expired scrips alone takes only those, and no more than asked") { scenario in
            let subscription = try await scenario.subscription()
            let moment = Scenario.now + .seconds(120)
            for index in 0..<3 {
                try await scenario.store.insertScrip(
                    scenario.scrip("old\(index)", of: subscription, family: 50, expiresAt: moment - .milliseconds(1)))
            }
            var brief = scenario.scrip("brief", of: subscription, expiresAt: moment)
            brief.isBrief = true
            try await scenario.store.insertScrip(brief)
            let token = scenario.token("expired", of: subscription, expiresAt: Scenario.now + .seconds(1))
            let outcome = try await scenario.store.issueToken(scenario.request(token, scrip: Scenario.hash("old0")))
            try expect(outcome, is: .issued, "the token")
            try expect(try await scenario.store.deleteExpiredScrips(before: moment, limit: 2), is: 2, "the limit")
            try expect(try await scenario.store.deleteExpiredScrips(before: moment, limit: 9), is: 1, "the rest")
            try expect(try await scenario.store.scrip(brief.hash), is: .current(brief), "a scrip that is valid")
            try expect(try await scenario.store.token(token.hash), is: token, "an expired token")
        },
    ]
}

func expectFailure(
    _ code: StoreError.Code, _ what: String, file: StaticString = #fileID, line: UInt = #line,
    _ body: () async throws -> Void
) async throws {
    do {
        try await body()
    } catch let error as StoreError {
        try expect(error.code, is: code, what, file: file, line: line)
        return
    }
    throw PromiseBroken("\(what) succeeds", "\(file):\(line)")
}
