import BenjiProtocol
import Store

extension StoreConformance {
    static let redeeming: [StorePromise] = [
        StorePromise("of 64 that redeem one token at once, one wins and 63 find it spent") { scenario in
            for round in 0..<8 {
                let token = try await scenario.issue(scenario.token("t\(round)", of: try await scenario.subscription()))
                let words = try await race(64) { position in
                    try await scenario.redeem(token, message: "m\(round)-\(position)").word
                }
                try expect(words.count { $0 == "spent" }, is: 1, "winners")
                try expect(words.count { $0 == "alreadySpent" }, is: 63, "losers")
            }
        },
        StorePromise("of two stores on one place that redeem one token at once, one wins") { scenario in
            let subscription = try await scenario.subscription()
            try await scenario.withAnother { another in
                for round in 0..<16 {
                    let token = try await scenario.issue(scenario.token("t\(round)", of: subscription))
                    let words = try await race(16) { position in
                        let store = position.isMultiple(of: 2) ? scenario.store : another
                        return try await scenario.redeem(token, on: store, message: "m\(round)-\(position)").word
                    }
                    try expect(words.count { $0 == "spent" }, is: 1, "winners in two stores")
                    try expect(words.count { $0 == "alreadySpent" }, is: 15, "losers in two stores")
                }
            }
        },
        StorePromise("a spent token comes with its own records and the ledger's row") { scenario in
            let subscription = try await scenario.subscription()
            let token = try await scenario.issue(scenario.token("t", of: subscription, assurance: .netApp))
            let outcome = try await scenario.redeem(token, message: "m")
            guard case .spent(let spent, let found, let entry) = outcome else {
                throw PromiseBroken("a good token is refused: \(outcome.word)", #fileID)
            }
            try expect(spent, is: token, "the token in the outcome")
            try expect(found, is: subscription, "the subscription in the outcome")
            let entries = try await scenario.store.ledgerEntries(app: Scenario.app, limit: 10)
            try expect(entries.map(\.id), is: [entry], "the ledger's rows")
        },
        StorePromise("a token is valid one millisecond before its expiry and not at it") { scenario in
            let subscription = try await scenario.subscription()
            let end = Scenario.now + .seconds(120)
            let first = try await scenario.issue(scenario.token("first", of: subscription, expiresAt: end))
            let second = try await scenario.issue(scenario.token("second", of: subscription, expiresAt: end))
            let late = try await scenario.redeem(first, message: "a", now: end)
            try expect(late.word, is: "expired", "redeeming at the moment of expiry")
            let last = try await scenario.redeem(second, message: "b", now: end - .milliseconds(1))
            try expect(last.word, is: "spent", "redeeming a millisecond before expiry")
        },
        StorePromise("an unknown token is unknown") { scenario in
            let token = scenario.token("nobody", of: try await scenario.subscription())
            try expect(try await scenario.redeem(token, message: "m").word, is: "unknown", "redeeming nothing")
            try expect(try await scenario.store.token(token.hash) == nil, "a token that was never issued is found")
        },
        StorePromise("another app is refused and does not spend the token") { scenario in
            let token = try await scenario.issue(scenario.token("t", of: try await scenario.subscription()))
            let outcome = try await scenario.redeem(token, app: Scenario.otherApp, message: "m1")
            try expect(outcome, is: .wrongApp(token), "another app's request")
            try await scenario.expectUnspent(token, message: "m2", after: "another app's request")
        },
        StorePromise("another purpose is refused and does not spend the token") { scenario in
            let subscription = try await scenario.subscription()
            for (index, purpose) in TokenPurpose.allCases.enumerated() {
                let token = try await scenario.issue(scenario.token("t\(index)", of: subscription, purpose: purpose))
                let others = Set(TokenPurpose.allCases).subtracting([purpose])
                let outcome = try await scenario.redeem(token, purposes: others, message: "a\(index)")
                try expect(outcome, is: .wrongPurpose(token), "a \(purpose) token used otherwise")
                let nothing = try await scenario.redeem(token, purposes: [], message: "b\(index)")
                try expect(nothing, is: .wrongPurpose(token), "a \(purpose) token used for nothing")
                try await scenario.expectUnspent(
                    token, purposes: Set(TokenPurpose.allCases), message: "c\(index)", after: "another purpose")
            }
        },
        StorePromise("a request that names another login is refused and does not spend the token") { scenario in
            let subscription = try await scenario.subscription()
            let token = try await scenario.issue(scenario.token("t", of: subscription, trace: Scenario.trace(7)))
            let outcome = try await scenario.redeem(token, trace: Scenario.trace(8), message: "a")
            try expect(outcome, is: .wrongLogin(token), "a token beside another login's name")
            let right = try await scenario.redeem(token, trace: Scenario.trace(7), message: "b")
            try expect(right.word, is: "spent", "the same token beside its own login's name")
        },
        StorePromise("a token weaker than asked is refused and stays; one as strong as asked is spent") { scenario in
            let subscription = try await scenario.subscription()
            for (index, strength) in Assurance.allCases.enumerated() {
                for (wanted, least) in Assurance.allCases.enumerated() {
                    let token = try await scenario.issue(
                        scenario.token("t\(index)-\(wanted)", of: subscription, assurance: strength))
                    let outcome = try await scenario.redeem(token, message: "a\(index)-\(wanted)", least: least)
                    try expect(outcome.word, is: strength < least ? "tooWeak" : "spent", "\(strength) where \(least)")
                    if strength < least {
                        try await scenario.expectUnspent(token, message: "b\(index)-\(wanted)", after: "weakness")
                    }
                }
            }
        },
        StorePromise("a token whose answer cannot be given stays, and its error is the caller's own") { scenario in
            let token = try await scenario.issue(scenario.token("t", of: try await scenario.subscription()))
            var thrown: StoreError.Code?
            do {
                _ = try await scenario.redeem(token, message: "a") { () throws(StoreError) in
                    throw StoreError(.keyNotAtHand, "a test")
                }
            } catch let error as StoreError { thrown = error.code }
            try expect(thrown, is: .keyNotAtHand, "what is thrown")
            try await scenario.expectNothingBilled()
            try await scenario.expectUnspent(token, message: "a", after: "an answer that could not be given")
        },
        StorePromise("a new SIM between issue and redeem ends the token") { scenario in
            let token = try await scenario.issue(scenario.token("t", of: try await scenario.subscription()))
            try await scenario.change { $0.simGeneration += 1 }
            let outcome = try await scenario.redeem(token, message: "m")
            try expect(outcome, is: .subscriptionChanged(token), "a token from before a new SIM")
            try await scenario.expectNothingBilled()
        },
        StorePromise("a new owner between issue and redeem ends the token, even with the same SIM count") { scenario in
            let token = try await scenario.issue(scenario.token("t", of: try await scenario.subscription()))
            try await scenario.change {
                $0.epoch += 1
                $0.epochKey = Array(repeating: 9, count: 16)
            }
            let outcome = try await scenario.redeem(token, message: "m")
            try expect(outcome, is: .subscriptionChanged(token), "a token from before a new owner")
            try await scenario.expectNothingBilled()
        },
        StorePromise("a change of SIM that races redemptions leaves no token that was spent under the old SIM after it")
        { scenario in
            for round in 0..<8 {
                let subscription = try await scenario.subscription()
                let token = try await scenario.issue(scenario.token("t\(round)", of: subscription))
                let words = try await race(17) { position -> String in
                    if position == 8 {
                        try await scenario.change { $0.simGeneration += 1 }
                        // A request after the answer to the change must see the change.
                        let late = try await scenario.redeem(token, message: "late\(round)")
                        return late.isSpent ? "spent late" : "changed"
                    }
                    return try await scenario.redeem(token, message: "m\(round)-\(position)").word
                }
                try expect(!words.contains("spent late"), "a token was spent after its SIM had been replaced")
                try expect(words.count { $0 == "spent" } <= 1, "a token was spent twice around a change of SIM")
            }
        },
        StorePromise(
            "tokens of a revoked binding cannot be spent; those of others and those already spent stay as they are"
        ) { scenario in
            let subscription = try await scenario.subscription()
            let revoked = try await scenario.issue(scenario.token("revoked", of: subscription, binding: 7))
            let spent = try await scenario.issue(scenario.token("spent", of: subscription, binding: 7))
            let other = try await scenario.issue(scenario.token("other", of: subscription, binding: 8))
            try expect(try await scenario.redeem(spent, message: "a").word, is: "spent", "before the revocation")
            try await scenario.revoke(7, 9)
            let outcome = try await scenario.redeem(revoked, message: "b")
            try expect(outcome, is: .subscriptionChanged(revoked), "a token of a revoked binding")
            try expect(try await scenario.redeem(spent, message: "c"), is: .alreadySpent(spent), "a spent token")
            try await scenario.expectUnspent(other, message: "d", after: "revoking another binding")
        },
        StorePromise("refusals are found in the documented order") { scenario in
            let subscription = try await scenario.subscription()
            let end = Scenario.now + .seconds(120)
            let token = try await scenario.issue(scenario.token("t", of: subscription, expiresAt: end))
            try await scenario.change { $0.simGeneration += 1 }
            func ask(
                _ message: String, app: AppID = Scenario.app, purposes: Set<TokenPurpose> = [.login],
                now: Timestamp = Scenario.now, least: Assurance = .net
            ) async throws -> String {
                let outcome = try await scenario.redeem(
                    token, app: app, purposes: purposes, message: message, now: now, quota: 0, least: least)
                return outcome.word
            }
            // Every later reason holds as well, each time.
            try expect(
                try await ask("a", app: Scenario.otherApp, purposes: [.verification], now: end, least: .sim),
                is: "wrongApp", "before all else")
            try expect(
                try await ask("b", purposes: [.verification], now: end, least: .sim), is: "wrongPurpose",
                "before the expiry")
            try expect(try await ask("c", now: end, least: .sim), is: "expired", "before the strength")
            try expect(try await ask("d", least: .sim), is: "tooWeak", "before the subscription")
            try expect(try await ask("e"), is: "subscriptionChanged", "before the quota")
            try await scenario.change { $0.simGeneration -= 1 }
            try expect(try await ask("f"), is: "quotaExceeded", "last")
            try await scenario.expectUnspent(token, message: "g", after: "all refusals together")
            try expect(try await ask("g", purposes: [.verification]), is: "wrongPurpose", "before the name")
            try expect(try await ask("g", now: end, least: .sim), is: "messageReplayed", "before spent")
            try expect(try await ask("i", now: end, least: .sim), is: "alreadySpent", "before the expiry")
        },
        StorePromise("who judged by an older record of the app spends nothing, not even the message's name") {
            scenario in
            let token = try await scenario.issue(scenario.token("t", of: try await scenario.subscription()))
            var app = AppRecord(
                id: Scenario.app, name: "app", keys: [], capabilities: [.login], bundleIDs: [],
                serverAddresses: [], createdAt: Scenario.now)
            func ask(revision: Int64) async throws -> String {
                try await scenario.redeem(token, revision: revision, message: "m").word
            }
            try expect(try await ask(revision: 1), is: "appChanged", "an app that is not registered")
            try await scenario.store.createApp(app)
            app.suspended = true
            try await scenario.withAnother { another in try await another.updateApp(app) }
            try expect(try await ask(revision: 1), is: "appChanged", "the record before another process changed it")
            try expect(try await ask(revision: 3), is: "appChanged", "a record that is not there yet")
            try await scenario.expectNothingBilled()
            try expect(try await ask(revision: 2), is: "spent", "the present record")
        },
        StorePromise(
            "a token of another app is spent for whoever names that app, billed to who asks, and judged by both records"
        ) {
            scenario in
            let subscription = try await scenario.subscription()
            var issuer = AppRecord(
                id: Scenario.app, name: "issuer", keys: [], capabilities: [.login], bundleIDs: [],
                serverAddresses: [], owner: "Group", createdAt: Scenario.now)
            try await scenario.store.createApp(issuer)
            let token = try await scenario.issue(scenario.token("t", of: subscription))
            func ask(_ app: AppID, of named: AppID, revision: Int64) async throws -> String {
                try await scenario.redeem(
                    token, app: app, issuer: .init(appID: named, revision: revision), message: "m", quota: 1
                ).word
            }
            let other = Scenario.otherApp
            try expect(
                try await ask(Scenario.app, of: other, revision: 1), is: "appChanged", "an app that is not there")
            var third = issuer
            third.id = Scenario.appID(7)
            try await scenario.store.createApp(third)
            try expect(try await ask(other, of: third.id, revision: 1), is: "wrongApp", "of a third app")
            issuer.name = "changed"
            try await scenario.withAnother { another in try await another.updateApp(issuer) }
            try expect(try await ask(other, of: Scenario.app, revision: 1), is: "appChanged", "the issuer as it was")
            try await scenario.expectNothingBilled()
            try expect(try await ask(other, of: Scenario.app, revision: 2), is: "spent", "the issuer as it is")
            try expect(
                try await scenario.store.ledgerEntries(app: other, limit: 9).map(\.result), is: ["released"],
                "the line of who asked")
            try await scenario.expectNothingBilled()
            try expect(try await scenario.redeem(token, message: "n").word, is: "alreadySpent", "by its own app then")
            try expect(try await scenario.store.billed(app: other, day: Scenario.day), is: 1, "who is billed")
        },
    ]
}

extension Scenario {
    func expectNothingBilled() async throws {
        try expect(try await store.ledgerEntries(app: Self.app, limit: 10), is: [], "the ledger after a refusal")
        try expect(try await store.billed(app: Self.app, day: Self.day), is: 0, "answers billed after a refusal")
    }
}
