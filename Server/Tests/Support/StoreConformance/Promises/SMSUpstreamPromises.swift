import BenjiProtocol
import Sightings
import Store

extension StoreConformance {
    static let smsUpstream: [StorePromise] = [
        StorePromise(
            "a text is spent once, by its app and device, after it has come and until the moment of its expiry"
        ) {
            scenario in
            let text = Scenario.smsUpstream(1)
            try expect(try await scenario.give(text), is: nil, "issuing")
            try expect(try await scenario.spend(text), is: "awaited", "before it has come")
            try expect(try await scenario.arrive(text, from: 1), is: "arrived", "its message")
            try expect(try await scenario.spend(text, app: Scenario.otherApp), is: "unknown", "to another app")
            try expect(try await scenario.spend(text, device: "other"), is: "unknown", "to another device")
            try expect(
                try await scenario.spend(text, id: Scenario.smsUpstream(2).id), is: "unknown", "of another id")
            try expect(try await scenario.ask(text), is: "arrived", "asking")
            try expect(try await scenario.ask(text), is: "arrived", "asking again, which spends nothing")
            try expect(try await scenario.spend(text, at: text.expiresAt), is: "expired", "at the moment")
            let last = text.expiresAt - .milliseconds(1)
            try await scenario.withAnother { another in
                try expect(try await scenario.spend(text, at: last, on: another), is: "arrived", "a millisecond before")
            }
            try expect(try await scenario.spend(text), is: "alreadySpent", "a second time")
            try expect(try await scenario.ask(text), is: "alreadySpent", "asking then")
            try expect(try await scenario.arrive(text, from: 1), is: "late", "its message again")
            try expect(try await scenario.arrive(text, from: 2), is: "late", "and from another number")
            try expect(try await scenario.spend(text), is: "alreadySpent", "which changes nothing")
        },
        StorePromise(
            "a text counts until the moment of its expiry, from whoever sent it first, as the register knew them"
        ) {
            scenario in
            let subscription = try await scenario.subscription()
            let text = Scenario.smsUpstream(1)
            _ = try await scenario.give(text)
            try expect(try await scenario.arrive(text, from: 1, at: text.expiresAt), is: "late", "at the moment")
            try expect(try await scenario.ask(text), is: "awaited", "which is as if it had not come")
            let last = text.expiresAt - .milliseconds(1)
            try await scenario.withAnother { another in
                try expect(
                    try await scenario.arrive(text, from: 1, of: subscription.reference, at: last, on: another),
                    is: "arrived", "a millisecond before")
            }
            try expect(try await scenario.arrive(text, from: 1, at: last), is: "repeated", "a second time")
            let standing = try await scenario.store.spendSMSUpstream(scenario.question(text, at: last))
            var known = text
            known.number = Scenario.numberIndex(1)
            known.subscription = subscription.reference
            try expect(standing, is: .arrived(known), "who had the number when it came")
            let other = Scenario.smsUpstream(3)
            try expect(try await scenario.arrive(other, from: 1), is: "unknown", "a text that nobody was given")
        },
        StorePromise("a text that a second number sends logs in nobody") { scenario in
            let text = Scenario.smsUpstream(1)
            _ = try await scenario.give(text)
            try expect(try await scenario.arrive(text, from: 1), is: "arrived", "the first number")
            try expect(try await scenario.arrive(text, from: 2), is: "contested", "the second number")
            try expect(try await scenario.spend(text), is: "ended", "spending")
            try expect(try await scenario.arrive(text, from: 1), is: "late", "the first again")
            try expect(try await scenario.ask(text), is: "ended", "asking")
        },
        StorePromise("of 64 numbers that send one text at two processes at once, one is first, and then it ends") {
            scenario in
            let text = Scenario.smsUpstream(1)
            _ = try await scenario.give(text)
            try await scenario.withAnother { another in
                let stores = [scenario.store, another]
                let words = try await race(64) { place in
                    try await scenario.arrive(text, from: place + 1, on: stores[place % 2])
                }
                try expect(words.count { $0 == "arrived" }, is: 1, "who was first")
                try expect(words.count { $0 == "contested" }, is: 1, "who ended it")
                try expect(words.count { $0 == "late" }, is: 62, "who came after")
            }
            try expect(try await scenario.spend(text), is: "ended", "spending")
        },
        StorePromise("of 64 that log in by one text at two processes at once, one does") { scenario in
            let text = Scenario.smsUpstream(1)
            _ = try await scenario.give(text)
            _ = try await scenario.arrive(text, from: 1)
            try await scenario.withAnother { another in
                let stores = [scenario.store, another]
                let words = try await race(64) { place in try await scenario.spend(text, on: stores[place % 2]) }
                try expect(words.count { $0 == "arrived" }, is: 1, "who spent it")
                try expect(words.count { $0 == "alreadySpent" }, is: 63, "who came late")
            }
        },
        StorePromise("texts are counted with their budgets, and a refused one is neither kept nor counted") {
            scenario in
            try expect(
                try await scenario.give(Scenario.smsUpstream(1), budgets: [.app: 2, .source: 1]), is: nil, "the first")
            let refused = Scenario.smsUpstream(2)
            try expect(
                try await scenario.give(refused, budgets: [.app: 2, .source: 1]), is: .source, "one over the source's")
            try expect(try await scenario.arrive(refused, from: 1), is: "unknown", "it was not kept")
            try expect(try await scenario.give(Scenario.smsUpstream(3), budgets: [.app: 2]), is: nil, "the second")
            try expect(try await scenario.give(Scenario.smsUpstream(4), budgets: [.app: 2]), is: .app, "the third")
        },
        StorePromise("deleting texts takes those that were issued before the moment") { scenario in
            for number in 0..<3 {
                _ = try await scenario.give(
                    Scenario.smsUpstream(number + 1, issuedAt: Scenario.now + .seconds(Int64(number) * 10)))
            }
            let moment = Scenario.now + .seconds(20)
            try expect(try await scenario.store.deleteSMSUpstream(before: moment, limit: 1), is: 1, "the limit")
            try expect(try await scenario.store.deleteSMSUpstream(before: moment, limit: 9), is: 1, "the rest")
            try expect(try await scenario.store.deleteSMSUpstream(before: moment, limit: 9), is: 0, "and no more")
            try expect(try await scenario.ask(Scenario.smsUpstream(1)), is: "unknown", "the first")
            try expect(
                try await scenario.ask(Scenario.smsUpstream(3, issuedAt: moment)), is: "awaited", "one of the moment")
        },
    ]
}

extension Scenario {
    /// A text that the device "device" was given.
    static func smsUpstream(_ id: Int, app: AppID = app, issuedAt: Timestamp = now) -> SMSUpstreamRecord {
        SMSUpstreamRecord(
            id: SMSTransactionID(rawValue: Self.trace(id).rawValue)!, appID: app,
            text: BlindIndex(bytes: hash("text \(id)").bytes), device: BlindIndex(bytes: hash("device").bytes),
            trace: trace(id), issuedAt: issuedAt, expiresAt: issuedAt + .seconds(300))
    }

    func give(
        _ text: SMSUpstreamRecord, budgets: [SMSBudget.Kind: Int] = [:]
    ) async throws -> SMSBudget.Kind? {
        try await store.issueSMSUpstream(
            text,
            budgets: budgets.map { kind, limit in
                SMSBudget(
                    kind, name: BlindIndex(bytes: Self.hash("budget").bytes), begin: Self.now,
                    end: Self.smsBudgetEnd, limit: limit)
            })
    }

    /// Returns the word for the outcome of a message.
    func arrive(
        _ text: SMSUpstreamRecord, from number: Int, of subscription: SubscriptionReference? = nil,
        at moment: Timestamp? = nil, on other: (any Store)? = nil
    ) async throws -> String {
        let outcome = try await (other ?? store).noteSMSUpstream(
            SMSUpstreamArrival(
                text: text.text, number: Self.numberIndex(number), subscription: subscription,
                now: moment ?? text.issuedAt))
        return switch outcome {
        case .arrived: "arrived"
        case .contested: "contested"
        case .repeated: "repeated"
        case .late: "late"
        case .unknown: "unknown"
        }
    }

    func question(
        _ text: SMSUpstreamRecord, id: SMSTransactionID? = nil, app: AppID? = nil, device: String = "device",
        at moment: Timestamp? = nil
    ) -> SMSUpstreamQuestion {
        SMSUpstreamQuestion(
            id: id ?? text.id, appID: app ?? text.appID, device: BlindIndex(bytes: Self.hash(device).bytes),
            now: moment ?? text.issuedAt)
    }

    /// Returns the word for the state of a text.
    func ask(_ text: SMSUpstreamRecord) async throws -> String {
        Self.word(try await store.standing(of: question(text)))
    }

    /// Returns the word for the outcome of spending a text.
    func spend(
        _ text: SMSUpstreamRecord, id: SMSTransactionID? = nil, app: AppID? = nil, device: String = "device",
        at moment: Timestamp? = nil, on other: (any Store)? = nil
    ) async throws -> String {
        Self.word(
            try await (other ?? store).spendSMSUpstream(question(text, id: id, app: app, device: device, at: moment)))
    }

    private static func word(_ standing: SMSUpstreamStanding) -> String {
        switch standing {
        case .unknown: "unknown"
        case .alreadySpent: "alreadySpent"
        case .ended: "ended"
        case .expired: "expired"
        case .awaited: "awaited"
        case .arrived: "arrived"
        }
    }
}
