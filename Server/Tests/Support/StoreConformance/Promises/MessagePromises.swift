import BenjiProtocol
import Store

extension StoreConformance {
    static let messages: [StorePromise] = [
        StorePromise(
            "the request that spent a token is a replay when it comes again; one of another name finds it spent"
        ) {
            scenario in
            let token = try await scenario.issue(scenario.token("t", of: try await scenario.subscription()))
            try expect(try await scenario.redeem(token, message: "m").word, is: "spent", "the request")
            try expect(try await scenario.redeem(token, message: "m").word, is: "messageReplayed", "the same again")
            try expect(try await scenario.redeem(token, message: "n").word, is: "alreadySpent", "one of another name")
            try expect(try await scenario.redeem(token, message: nil).word, is: "alreadySpent", "one without a name")
            let late = try await scenario.redeem(token, message: "m", now: token.expiresAt + .seconds(1))
            try expect(late.word, is: "messageReplayed", "the same again, after the token's life")
        },
        StorePromise("a request that is refused leaves no name: right, it spends the token") { scenario in
            let token = try await scenario.issue(scenario.token("t", of: try await scenario.subscription()))
            let refused = try await scenario.redeem(token, purposes: [.verification], message: "m")
            try expect(refused.word, is: "wrongPurpose", "a request for another purpose")
            try expect(
                try await scenario.redeem(token, message: "m").word, is: "spent", "its name again, for the token's")
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
        StorePromise("two tokens may be spent by requests of one name") { scenario in
            let subscription = try await scenario.subscription()
            for label in ["first", "second"] {
                let token = try await scenario.issue(scenario.token(label, of: subscription))
                try expect(try await scenario.redeem(token, message: "m").word, is: "spent", "the \(label) token")
            }
        },
        StorePromise("another app's request of that name is refused as another app's") { scenario in
            let token = try await scenario.issue(scenario.token("t", of: try await scenario.subscription()))
            try expect(try await scenario.redeem(token, message: "m").word, is: "spent", "the request")
            let other = try await scenario.redeem(token, app: Scenario.otherApp, message: "m")
            try expect(other.word, is: "wrongApp", "another app's request of the same name")
        },
        StorePromise("of 32 equal requests at once, one is heard and the others are replays of it") { scenario in
            let token = try await scenario.issue(scenario.token("t", of: try await scenario.subscription()))
            let words = try await race(32) { _ in try await scenario.redeem(token, message: "one name").word }
            try expect(words.count { $0 == "spent" }, is: 1, "requests heard")
            try expect(words.count { $0 == "messageReplayed" }, is: 31, "replays")
        },
        StorePromise("of 32 that take one name at once, one gets it") { scenario in
            let words = try await race(32) { _ in
                try await scenario.store.takeName(
                    "one name", app: Scenario.app, until: Scenario.now + .seconds(60), now: Scenario.now)
            }
            try expect(words.count { $0 }, is: 1, "takers")
        },
        StorePromise("forgetting names takes those whose time is over, and no more than asked") { scenario in
            let end = Scenario.now + .seconds(60)
            func take(_ name: String, until end: Timestamp, now: Timestamp = Scenario.now) async throws -> Bool {
                try await scenario.store.takeName(name, app: Scenario.app, until: end, now: now)
            }
            for index in 0..<3 { _ = try await take("old\(index)", until: end) }
            _ = try await take("young", until: end + .seconds(60))
            let later = end + .seconds(1)
            try expect(try await scenario.store.deleteExpiredMessages(before: later, limit: 2), is: 2, "the limit")
            try expect(try await scenario.store.deleteExpiredMessages(before: later, limit: 9), is: 1, "the rest")
            try expect(
                try await !take("young", until: end + .seconds(60), now: later), "a name that is still to be remembered"
            )
        },
    ]
}
