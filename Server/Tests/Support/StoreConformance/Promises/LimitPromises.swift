import BenjiProtocol
import Sightings
import Store

extension StoreConformance {
    static let limits: [StorePromise] = [
        StorePromise("a device key is familiar after its login token was redeemed, to this app and with this owner") {
            scenario in
            let subscription = try await scenario.subscription()
            func isFamiliar(
                _ reference: SubscriptionReference, key: String = "thumbprint", to app: AppID = Scenario.app
            ) async throws -> Bool {
                try await scenario.store.isFamiliar(deviceKey: key, app: app, subscription: reference)
            }
            let unspent = try await scenario.issue(scenario.token("t", of: subscription))
            let yesOrNo = try await scenario.issue(scenario.token("v", of: subscription, purpose: .verification))
            _ = try await scenario.redeem(yesOrNo, purposes: [.verification], message: "v")
            try expect(try await isFamiliar(subscription.reference), is: false, "before a login token was redeemed")
            try expect(try await scenario.redeem(unspent, message: "m").word, is: "spent", "redeeming")
            try expect(try await isFamiliar(subscription.reference), is: true, "afterwards")
            try expect(try await isFamiliar(subscription.reference, key: "another"), is: false, "another key")
            try expect(
                try await isFamiliar(subscription.reference, to: Scenario.otherApp), is: false, "to another app")
            let neighbour = try await scenario.subscription(2)
            try expect(try await isFamiliar(neighbour.reference), is: false, "of another number")
            var changed = subscription.reference
            changed.simGeneration += 1
            try expect(try await isFamiliar(changed), is: true, "with a new SIM")
            changed.epoch += 1
            try expect(try await isFamiliar(changed), is: false, "with a new owner")
        },
        StorePromise("a familiar key is forgotten when no login token was redeemed for as long as is asked") {
            scenario in
            let subscription = try await scenario.subscription()
            let day: Duration = .seconds(86400)
            for (index, moment) in [Scenario.now, Scenario.now + day + day].enumerated() {
                let token = try await scenario.issue(
                    scenario.token(
                        "t\(index)", of: subscription, issuedAt: moment, expiresAt: moment + .seconds(120)))
                let outcome = try await scenario.redeem(token, message: "m\(index)", now: moment)
                try expect(outcome.word, is: "spent", "redeeming")
            }
            func isFamiliar() async throws -> Bool {
                try await scenario.store.isFamiliar(
                    deviceKey: "thumbprint", app: Scenario.app, subscription: subscription.reference)
            }
            let early = try await scenario.store.forgetFamiliarKeys(since: Scenario.now + day, limit: 9)
            try expect(early, is: 0, "keys forgotten that were seen since")
            try expect(try await isFamiliar(), is: true, "a key that was seen since")
            let late = try await scenario.store.forgetFamiliarKeys(since: Scenario.now + day + day + day, limit: 9)
            try expect(late, is: 1, "keys forgotten")
            try expect(try await isFamiliar(), is: false, "a forgotten key")
        },
        StorePromise("wrong guesses are counted for one app and number, right ones never, up to the limit") {
            scenario in
            let subscription = try await scenario.subscription()
            for index in 0..<9 {
                try expect(try await scenario.guess(subscription, isRight: false), is: .wrong, "wrong guess \(index)")
                try expect(try await scenario.guess(subscription, isRight: true), is: .right, "a right one between")
            }
            try expect(try await scenario.guess(subscription, isRight: false), is: .wrong, "the tenth wrong one")
            try expect(try await scenario.guess(subscription, isRight: false), is: .tooMany, "the eleventh")
            try expect(try await scenario.guess(subscription, isRight: true), is: .tooMany, "a right one after ten")
            let other = try await scenario.guess(subscription, app: Scenario.otherApp, isRight: true)
            try expect(other, is: .right, "another app")
            let neighbour = try await scenario.subscription(2)
            try expect(try await scenario.guess(neighbour, isRight: true), is: .right, "another number")
        },
        StorePromise("wrong guesses count until their window is over, for one owner of the number, and survive") {
            scenario in
            let subscription = try await scenario.subscription()
            for _ in 0..<10 { _ = try await scenario.guess(subscription, isRight: false) }
            let end = Scenario.now + .seconds(86400)
            try await scenario.withAnother { another in
                let early = try await scenario.guess(
                    subscription, isRight: true, at: end - .milliseconds(1), on: another)
                try expect(early, is: .tooMany, "another process, a millisecond before the end")
            }
            try expect(try await scenario.guess(subscription, isRight: true, at: end), is: .right, "at the end")
            try expect(try await scenario.store.deleteGuesses(before: Scenario.now, limit: 9), is: 0, "too early")
            var reference = subscription.reference
            reference.epoch += 1
            let owner = try await scenario.store.settle(
                Guess(
                    .digits(Scenario.app), of: reference, isRight: true, now: Scenario.now, limit: 10,
                    window: .seconds(86400)))
            try expect(owner, is: .right, "a new owner")
            try expect(try await scenario.guess(subscription, isRight: false, at: end), is: .wrong, "the next day")
            for _ in 1..<10 { _ = try await scenario.guess(subscription, isRight: false, at: end) }
            try expect(
                try await scenario.guess(subscription, isRight: true, at: end), is: .tooMany,
                "after ten of the next day")
            try expect(
                try await scenario.store.deleteGuesses(before: end + .milliseconds(1), limit: 9), is: 1, "old counts")
            try expect(try await scenario.guess(subscription, isRight: true, at: end), is: .right, "after forgetting")
        },
        StorePromise("faces are counted apart from digits, for the number and whatever the app") { scenario in
            let subscription = try await scenario.subscription()
            for _ in 0..<10 { _ = try await scenario.guess(subscription, isRight: false) }
            try expect(try await scenario.guess(subscription, isRight: true), is: .tooMany, "digits after ten")
            try expect(
                try await scenario.face(subscription, isRight: true), is: .right, "the face after ten wrong digits")
            for _ in 0..<10 {
                try expect(try await scenario.face(subscription, isRight: false), is: .wrong, "faces up to the limit")
            }
            try expect(try await scenario.face(subscription, isRight: false), is: .tooMany, "one face more")
            try expect(try await scenario.face(subscription, isRight: true), is: .tooMany, "the right face then")
            let number = Guess(
                .number, of: subscription.reference, isRight: true, now: Scenario.now, limit: 5, window: .seconds(86400)
            )
            try expect(try await scenario.store.settle(number), is: .right, "the whole number after all of these")
            let today = Guess(
                .dailyFace, of: subscription.reference, isRight: true, now: Scenario.now, limit: 5,
                window: .seconds(86400))
            try expect(try await scenario.store.settle(today), is: .right, "the face of the day too")
        },
        StorePromise("of 64 guesses at once no more than the limit are told to be wrong, and then none to be right") {
            scenario in
            let subscription = try await scenario.subscription()
            let outcomes = try await race(64) { _ in try await scenario.guess(subscription, isRight: false) }
            try expect(outcomes.count { $0 == .wrong }, is: 10, "guesses told to be wrong")
            try expect(outcomes.count { $0 == .tooMany }, is: 54, "guesses that nothing is told of")
            try expect(try await scenario.guess(subscription, isRight: true), is: .tooMany, "the right one afterwards")
        },
    ]
}

extension Scenario {
    /// One face under a limit of ten a day.
    func face(_ subscription: SubscriptionRecord, isRight: Bool) async throws -> GuessOutcome {
        try await store.settle(
            Guess(
                .face, of: subscription.reference, isRight: isRight, now: Self.now, limit: 10, window: .seconds(86400)))
    }

    /// One guess under a limit of ten a day.
    func guess(
        _ subscription: SubscriptionRecord, app: AppID = app, isRight: Bool, at moment: Timestamp = now,
        on other: (any Store)? = nil
    ) async throws -> GuessOutcome {
        try await (other ?? store).settle(
            Guess(
                .digits(app), of: subscription.reference, isRight: isRight, now: moment, limit: 10,
                window: .seconds(86400)))
    }
}
