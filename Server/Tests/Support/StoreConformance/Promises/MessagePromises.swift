import BenjiProtocol
import Store

extension StoreConformance {
    static let messages: [StorePromise] = [
        StorePromise(
            "a message name is taken once, whatever the second request asks, and the refused one changes nothing"
        ) { scenario in
            let subscription = try await scenario.subscription()
            let first = try await scenario.issue(scenario.token("first", of: subscription))
            let second = try await scenario.issue(scenario.token("second", of: subscription))
            try expect(try await scenario.redeem(first, message: "m").word, is: "spent", "the first request")
            try expect(try await scenario.redeem(second, message: "m").word, is: "messageReplayed", "the second")
            try await scenario.expectUnspent(second, message: "m2", after: "a replayed name")
        },
        StorePromise("a refused request's message name is taken too") { scenario in
            let token = try await scenario.issue(scenario.token("t", of: try await scenario.subscription()))
            let refused = try await scenario.redeem(token, purposes: [.verification], message: "m")
            try expect(refused.word, is: "wrongPurpose", "a request for another purpose")
            try expect(try await scenario.redeem(token, message: "m").word, is: "messageReplayed", "its name again")
        },
        StorePromise("requests without a name are never a replay of each other, and spend a token once all the same") {
            scenario in
            let subscription = try await scenario.subscription()
            for label in ["first", "second"] {
                let token = try await scenario.issue(scenario.token(label, of: subscription))
                try expect(try await scenario.redeem(token, message: nil).word, is: "spent", "the \(label) request")
                let again = try await scenario.redeem(token, message: nil)
                try expect(again.word, is: "alreadySpent", "the \(label) request again")
            }
        },
        StorePromise("two apps may use one message name") { scenario in
            let subscription = try await scenario.subscription()
            let mine = try await scenario.issue(scenario.token("mine", of: subscription))
            let other = try await scenario.issue(scenario.token("other", of: subscription, app: Scenario.otherApp))
            try expect(try await scenario.redeem(mine, message: "m").word, is: "spent", "the first app")
            let outcome = try await scenario.redeem(other, app: Scenario.otherApp, message: "m")
            try expect(outcome.word, is: "spent", "the second app with the same name")
        },
        StorePromise("a message name is remembered until its time is over, and free at that moment") { scenario in
            let subscription = try await scenario.subscription()
            let end = Scenario.now + .seconds(60)
            let first = try await scenario.issue(scenario.token("first", of: subscription))
            let second = try await scenario.issue(scenario.token("second", of: subscription))
            _ = try await scenario.redeem(first, message: "m", messageExpiresAt: end)
            let early = try await scenario.redeem(second, message: "m", now: end - .milliseconds(1))
            try expect(early.word, is: "messageReplayed", "a millisecond before the name is free")
            let onTime = try await scenario.redeem(second, message: "m", now: end)
            try expect(onTime.word, is: "spent", "when the name is free")
        },
        StorePromise("of 32 requests with one message name at once, one is heard") { scenario in
            let subscription = try await scenario.subscription()
            var tokens: [TokenRecord] = []
            for index in 0..<32 {
                tokens.append(try await scenario.issue(scenario.token("t\(index)", of: subscription)))
            }
            let words = try await race(32) { [tokens] position in
                try await scenario.redeem(tokens[position], message: "one name").word
            }
            try expect(words.count { $0 == "spent" }, is: 1, "requests heard")
            try expect(words.count { $0 == "messageReplayed" }, is: 31, "replays")
        },
        StorePromise("forgetting message names takes those whose time is over, and no more than asked") { scenario in
            let subscription = try await scenario.subscription()
            let token = scenario.token("never issued", of: subscription)
            let end = Scenario.now + .seconds(60)
            for index in 0..<3 { _ = try await scenario.redeem(token, message: "old\(index)", messageExpiresAt: end) }
            _ = try await scenario.redeem(token, message: "young", messageExpiresAt: end + .seconds(60))
            let later = end + .seconds(1)
            try expect(try await scenario.store.deleteExpiredMessages(before: later, limit: 2), is: 2, "the limit")
            try expect(try await scenario.store.deleteExpiredMessages(before: later, limit: 9), is: 1, "the rest")
            let young = try await scenario.redeem(token, message: "young", now: later)
            try expect(young.word, is: "messageReplayed", "a name that is still to be remembered")
        },
    ]
}
