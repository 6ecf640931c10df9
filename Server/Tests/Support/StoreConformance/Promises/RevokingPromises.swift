import BenjiProtocol
import Sightings
import Store

extension StoreConformance {
    /// A revocation must also stop requests that are under way. Such a request saw the binding before the gateway
    /// revoked it, and its credential reaches the store afterwards.
    static let revoking: [StorePromise] = [
        StorePromise("a scrip inserted after its binding was revoked is dead, and so is one on another connection") {
            scenario in
            let subscription = try await scenario.subscription()
            try await scenario.revoke(4)
            let late = scenario.scrip("late", of: subscription, binding: 4)
            try await scenario.store.insertScrip(late)
            try await scenario.expectDead(late, "a scrip of a revoked binding")
            let other = scenario.scrip("other", of: subscription, binding: 5)
            try await scenario.store.insertScrip(other)
            try expect(try await scenario.store.scrip(other.hash), is: .current(other), "a scrip of another binding")
            try await scenario.withAnother { another in
                let there = scenario.scrip("there", of: subscription, binding: 4)
                try await another.insertScrip(there)
                try expect(
                    try await another.scrip(there.hash), is: .revoked(there), "a scrip stored by another process")
            }
        },
        StorePromise("a token cannot be issued under a binding that was revoked meanwhile, and nothing is changed") {
            scenario in
            let subscription = try await scenario.subscription()
            // The scrip was earned through binding 1, the token would be through 4: the device changed its address.
            let scrip = scenario.scrip("s", of: subscription, binding: 1)
            let next = scenario.scrip("next", of: subscription, generation: 2, binding: 1)
            try await scenario.store.insertScrip(scrip)
            try await scenario.revoke(4)
            let late = scenario.token("late", of: subscription, binding: 4)
            let refused = try await scenario.store.issueToken(scenario.request(late, scrip: scrip.hash, next: next))
            try expect(refused, is: .scripGone, "issuing under a revoked binding")
            try expect(try await scenario.store.token(late.hash) == nil, "a refused issue left a token behind")
            try expect(try await scenario.store.scrip(scrip.hash), is: .current(scrip), "the scrip after the refusal")
            try expect(try await scenario.store.scrip(next.hash), is: .unknown, "the generation that never came")
            let good = scenario.token("good", of: subscription, binding: 1)
            let outcome = try await scenario.store.issueToken(scenario.request(good, scrip: scrip.hash, next: next))
            try expect(outcome, is: .issued, "with the same scrip under a binding that holds")
            // The other way round: the scrip's binding is revoked, the token's is not.
            try await scenario.revoke(1)
            let third = scenario.token("third", of: subscription, binding: 5)
            let gone = try await scenario.store.issueToken(scenario.request(third, scrip: next.hash))
            try expect(gone, is: .scripGone, "issuing with a scrip of a revoked binding")
            try expect(try await scenario.store.token(third.hash) == nil, "a refused issue left a token behind")
        },
        StorePromise("whatever is stored while its binding is revoked, nothing of it is alive afterwards") { scenario in
            let subscription = try await scenario.subscription()
            let held = (0..<16).map { scenario.scrip("held\($0)", of: subscription, family: Int64($0), binding: 1) }
            for scrip in held { try await scenario.store.insertScrip(scrip) }
            let fresh = (0..<16).map { scenario.scrip("new\($0)", of: subscription, family: Int64($0), binding: 4) }
            let tokens = (0..<16).map { scenario.token("t\($0)", of: subscription, binding: 4) }
            _ = try await race(33) { position in
                switch position {
                case 16: try await scenario.revoke(4)
                case ..<16: try await scenario.store.insertScrip(fresh[position])
                default:
                    let index = position - 17
                    _ = try await scenario.store.issueToken(
                        scenario.request(tokens[index], scrip: held[index].hash))
                }
            }
            for scrip in fresh { try await scenario.expectDead(scrip, "a scrip stored around the revocation") }
            for (index, token) in tokens.enumerated() {
                let outcome = try await scenario.redeem(token, message: "m\(index)")
                try expect(!outcome.isSpent, "a token issued around the revocation of its binding was spent")
            }
        },
        StorePromise(name: "a revoked binding is remembered after closing and opening again") { factory in
            let first = try await factory()
            try await Scenario(store: first, factory: factory).revoke(4)
            await first.close()
            let second = try await factory()
            let scenario = Scenario(store: second, factory: factory)
            let late = scenario.scrip("late", of: try await scenario.subscription(), binding: 4)
            try await second.insertScrip(late)
            try await scenario.expectDead(late, "a scrip stored after a restart")
            await second.close()
        },
        StorePromise("a revoked binding is forgotten with what expired before, counted from the latest time given") {
            scenario in
            let subscription = try await scenario.subscription()
            let moment = Scenario.now
            try await scenario.revoke(3, 4, 5, at: moment - .milliseconds(1))
            try await scenario.revoke(6, at: moment)
            try await scenario.revoke(7, at: moment)
            try await scenario.revoke(7, at: moment - .seconds(60))
            try expect(
                try await scenario.store.deleteExpiredCredentials(before: moment, limit: 2), is: 2, "the limit")
            try expect(
                try await scenario.store.deleteExpiredCredentials(before: moment, limit: 100), is: 1, "the rest")
            for binding in Int64(3)...5 {
                let scrip = scenario.scrip("s\(binding)", of: subscription, binding: binding)
                try await scenario.store.insertScrip(scrip)
                try expect(try await scenario.store.scrip(scrip.hash), is: .current(scrip), "a forgotten binding")
            }
            for binding in Int64(6)...7 {
                let scrip = scenario.scrip("s\(binding)", of: subscription, binding: binding)
                try await scenario.store.insertScrip(scrip)
                try await scenario.expectDead(scrip, "a scrip of a binding that is still remembered")
            }
        },
    ]
}

extension Scenario {
    /// Fails unless the scrip is found revoked and buys nothing.
    func expectDead(_ scrip: ScripRecord, _ what: String) async throws {
        try expect(try await store.scrip(scrip.hash), is: .revoked(scrip), what)
        // Under a binding that holds, so that only the scrip can be the reason.
        let token = TokenRecord(
            hash: Self.hash("bought"), appID: scrip.appID, purpose: .login, subscription: scrip.subscription,
            carrier: scrip.carrier, binding: BindingID(rawValue: .max), deviceKey: scrip.deviceKey, assurance: .net,
            trace: scrip.trace, dialect: .device, issuedAt: Self.now, expiresAt: Self.now + .seconds(120))
        try expect(try await store.issueToken(request(token, scrip: scrip.hash)), is: .scripGone, what)
    }
}
