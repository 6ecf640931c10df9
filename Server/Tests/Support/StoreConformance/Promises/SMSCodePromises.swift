import BenjiProtocol
import Sightings
import Store

extension StoreConformance {
    static let smsCodes: [StorePromise] = [
        StorePromise("an SMS code is spent once, by its app and for its purpose, until the moment of its expiry") {
            scenario in
            let code = Scenario.smsCode(1)
            try expect(try await scenario.send(code), is: .issued, "issuing")
            try expect(
                try await scenario.show(code, app: Scenario.otherApp), is: "unknown", "to another app")
            try expect(try await scenario.show(code, purpose: .login), is: "unknown", "for another purpose")
            try expect(try await scenario.show(code, id: Scenario.smsCode(2).id), is: "unknown", "of another id")
            try expect(try await scenario.show(code, at: code.expiresAt), is: "expired", "at the moment")
            let last = code.expiresAt - .milliseconds(1)
            try await scenario.withAnother { another in
                try expect(try await scenario.show(code, at: last, on: another), is: "spent", "a millisecond before")
            }
            try expect(try await scenario.show(code), is: "alreadySpent", "a second time")
            try expect(try await scenario.show(code, digits: "0"), is: "alreadySpent", "wrong digits then")
        },
        StorePromise("a newer SMS code ends the one before of the same app, purpose and number, and no other") {
            scenario in
            let old = Scenario.smsCode(1)
            let others = [
                Scenario.smsCode(2, app: Scenario.otherApp), Scenario.smsCode(3, purpose: .login),
                Scenario.smsCode(4, number: 2),
            ]
            for code in [old] + others { try expect(try await scenario.send(code), is: .issued, "issuing") }
            let new = Scenario.smsCode(5)
            try expect(try await scenario.send(new), is: .issued, "issuing the newer one")
            try expect(try await scenario.show(old), is: "ended", "the one before")
            for code in others + [new] { try expect(try await scenario.show(code), is: "spent", "the others") }
        },
        StorePromise("an SMS code whose message nobody took ends, and does not count against its number") { scenario in
            for number in 1...3 {
                let code = Scenario.smsCode(number)
                try expect(try await scenario.send(code, perMinute: 1), is: .issued, "issuing \(number)")
                try await scenario.store.noteSubmission(.notTaken, of: code.id)
                try expect(try await scenario.show(code), is: "ended", "one that nobody sent")
            }
            let code = Scenario.smsCode(4)
            try expect(try await scenario.send(code, perMinute: 1), is: .issued, "issuing the fourth")
            try await scenario.store.noteSubmission(.accepted(by: "one", reference: "r"), of: code.id)
            try expect(try await scenario.send(Scenario.smsCode(5), perMinute: 1), is: .tooManyForNumber, "the fifth")
            try expect(try await scenario.show(code), is: "spent", "the one that was sent, after a refusal")
        },
        StorePromise("after as many wrong tries as an SMS code has, nothing is told of it, not even the right digits") {
            scenario in
            let code = Scenario.smsCode(1, tries: 3)
            _ = try await scenario.send(code)
            for left in [2, 1, 0] {
                try expect(try await scenario.show(code, digits: "0"), is: "wrong \(left)", "a wrong try")
            }
            try expect(try await scenario.show(code, digits: "0"), is: "triesUsedUp", "one more")
            try expect(try await scenario.show(code), is: "triesUsedUp", "the right digits then")
        },
        StorePromise("of 64 tries of one SMS code at two processes at once, no more are told wrong than it has") {
            scenario in
            let code = Scenario.smsCode(1, tries: 5)
            _ = try await scenario.send(code)
            try await scenario.withAnother { another in
                let stores = [scenario.store, another]
                let words = try await race(64) { place in
                    try await scenario.show(code, digits: "wrong", on: stores[place % 2])
                }
                try expect(words.count { $0.hasPrefix("wrong") }, is: 5, "tries told to be wrong")
                try expect(words.count { $0 == "triesUsedUp" }, is: 59, "tries that nothing is told of")
            }
        },
        StorePromise("of 64 that show the right SMS code at two processes at once, one spends it") { scenario in
            let code = Scenario.smsCode(1)
            _ = try await scenario.send(code)
            try await scenario.withAnother { another in
                let stores = [scenario.store, another]
                let words = try await race(64) { place in try await scenario.show(code, on: stores[place % 2]) }
                try expect(words.count { $0 == "spent" }, is: 1, "who spent it")
                try expect(words.count { $0 == "alreadySpent" }, is: 63, "who came late")
            }
        },
        StorePromise("a number is sent no more SMS codes than its limit in any stretch of time, whatever the app") {
            scenario in
            for second in [0, 50, 59] {
                let app = second == 50 ? Scenario.otherApp : Scenario.app
                let code = Scenario.smsCode(
                    second + 1, app: app, issuedAt: Scenario.now + .seconds(Int64(second)))
                try expect(try await scenario.send(code, perMinute: 3), is: .issued, "issuing at \(second)")
            }
            func send(_ number: Int, at duration: Duration, of phone: Int = 1) async throws -> SMSCodeIssueOutcome {
                try await scenario.send(
                    Scenario.smsCode(100 + number, number: phone, issuedAt: Scenario.now + duration), perMinute: 3)
            }
            try expect(try await send(1, at: .milliseconds(59_999)), is: .tooManyForNumber, "within the minute")
            try expect(try await send(2, at: .milliseconds(59_999), of: 2), is: .issued, "another number")
            try expect(try await send(3, at: .seconds(60)), is: .issued, "when the first is a minute old")
            try expect(try await send(4, at: .seconds(61)), is: .tooManyForNumber, "before the second is")
        },
        StorePromise("of 64 SMS codes for one number at two processes at once, as many are issued as its limit allows")
        {
            scenario in
            try await scenario.withAnother { another in
                let stores = [scenario.store, another]
                let outcomes = try await race(64) { place in
                    try await scenario.send(Scenario.smsCode(place + 1), perMinute: 5, on: stores[place % 2])
                }
                try expect(outcomes.count { $0 == .issued }, is: 5, "issued")
                try expect(outcomes.count { $0 == .tooManyForNumber }, is: 59, "refused")
            }
        },
        StorePromise("no budget of SMS codes is passed, not even by 64 at once, and a refused one is counted nowhere") {
            scenario in
            try await scenario.withAnother { another in
                let stores = [scenario.store, another]
                let outcomes = try await race(64) { place in
                    try await scenario.send(
                        Scenario.smsCode(place + 1, number: place + 1), budgets: [.app: 100, .prefix: 20],
                        on: stores[place % 2])
                }
                try expect(outcomes.count { $0 == .issued }, is: 20, "issued")
                try expect(outcomes.count { $0 == .budgetUsedUp(.prefix) }, is: 44, "refused")
            }
            // The refused ones took nothing of the other budget.
            for place in 0..<80 {
                let outcome = try await scenario.send(
                    Scenario.smsCode(100 + place, number: 100 + place), budgets: [.app: 100])
                try expect(outcome, is: .issued, "what is left of the app's budget, \(place)")
            }
            let over = try await scenario.send(Scenario.smsCode(200, number: 200), budgets: [.app: 100])
            try expect(over, is: .budgetUsedUp(.app), "one over the app's budget")
            let none = try await scenario.send(Scenario.smsCode(201, number: 201), budgets: [.source: 0])
            try expect(none, is: .budgetUsedUp(.source), "of a budget of nothing")
        },
        StorePromise("a delivery finds the SMS code by sender and reference, from another process too") { scenario in
            let codes = [Scenario.smsCode(1), Scenario.smsCode(2, number: 2)]
            for (code, sender) in zip(codes, ["one", "two"]) {
                _ = try await scenario.send(code)
                try await scenario.store.noteSubmission(.accepted(by: sender, reference: "r-1"), of: code.id)
            }
            func note(_ sender: String, _ reference: String, on store: any Store) async throws -> SMSTransactionID? {
                try await store.noteDelivery(
                    SMSCodeDelivery(sender: sender, references: [reference], state: "delivered", at: Scenario.now))?.id
            }
            try await scenario.withAnother { another in
                try expect(try await note("one", "r-1", on: another), is: codes[0].id, "the first sender's")
                try expect(try await note("one", "r-2", on: another), is: nil, "an unknown reference")
                try expect(try await note("three", "r-1", on: another), is: nil, "an unknown sender")
            }
            try expect(try await scenario.store.delivery(of: codes[0].id), is: "delivered", "what was said of it")
            try expect(try await scenario.store.delivery(of: codes[1].id), is: nil, "what was said of the other")
            try expect(try await scenario.show(codes[0]), is: "spent", "a delivered code")
        },
        StorePromise(
            "a delivery that may have several references finds its number's SMS code first, and no other where it must"
        ) { scenario in
            let codes = [Scenario.smsCode(1), Scenario.smsCode(2, number: 2), Scenario.smsCode(3, number: 3)]
            for (code, reference) in zip(codes, ["100", "64", "0000029095"]) {
                _ = try await scenario.send(code)
                try await scenario.store.noteSubmission(.accepted(by: "one", reference: reference), of: code.id)
            }
            func note(
                _ references: [String], otherBases: [String] = [], of number: Int?, only: Bool = false
            ) async throws -> SMSTransactionID? {
                try await scenario.store.noteDelivery(
                    SMSCodeDelivery(
                        sender: "one", references: references, otherBases: otherBases,
                        number: number.map { Scenario.numberIndex($0) }, isOfNumber: only, state: "delivered",
                        at: Scenario.now))?.id
            }
            let others = ["64", "256"]
            try expect(try await note(["100"], otherBases: others, of: nil), is: codes[0].id, "the likeliest")
            try expect(
                try await note(["100"], otherBases: others, of: 9), is: codes[0].id,
                "the likeliest, under another number")
            try expect(try await note(["100"], otherBases: others, of: 2), is: codes[1].id, "the number's")
            try expect(try await note(["29095", "0000029095"], of: 9), is: codes[2].id, "the second reference")
            try expect(try await note(["40"], otherBases: others, of: nil), is: codes[1].id, "the other base")
            try expect(
                try await note(["40"], otherBases: ["256", "64"], of: 2), is: codes[1].id,
                "the other base, of the number")
            try expect(try await note(["40"], otherBases: others, of: 1), is: nil, "the other base, of another number")
            try expect(
                try await note(["100"], otherBases: others, of: 2, only: true), is: codes[1].id, "the number's alone")
            try expect(try await note(["100"], of: 2, only: true), is: nil, "another number's reference")
            try expect(try await note(["100"], otherBases: others, of: nil, only: true), is: nil, "no number")
            try expect(try await note([], of: 2), is: nil, "no reference")
        },
        StorePromise("deleting SMS codes takes those that were issued before the moment, and budgets that ended") {
            scenario in
            for number in 0..<4 {
                let code = Scenario.smsCode(
                    number + 1, number: number, issuedAt: Scenario.now + .seconds(Int64(number) * 10))
                _ = try await scenario.send(code, budgets: number == 0 ? [.app: 1] : [:])
            }
            let moment = Scenario.now + .seconds(20)
            try expect(try await scenario.store.deleteSMSCodes(before: moment, limit: 1), is: 1, "the limit")
            try expect(try await scenario.store.deleteSMSCodes(before: moment, limit: 9), is: 1, "the rest")
            let words = [
                try await scenario.show(Scenario.smsCode(1)), try await scenario.show(Scenario.smsCode(2)),
                try await scenario.show(Scenario.smsCode(3)), try await scenario.show(Scenario.smsCode(4)),
            ]
            try expect(words, is: ["unknown", "unknown", "spent", "spent"], "what is left")
            let over = try await scenario.send(Scenario.smsCode(5, number: 5), budgets: [.app: 1])
            try expect(over, is: .budgetUsedUp(.app), "the budget before it has ended")
            let end = Scenario.smsBudgetEnd + .milliseconds(1)
            try expect(try await scenario.store.deleteSMSCodes(before: end, limit: 9), is: 3, "all of it later")
            try expect(
                try await scenario.send(Scenario.smsCode(6, number: 6), budgets: [.app: 1]), is: .issued,
                "with a forgotten budget")
        },
    ]
}

extension Scenario {
    static let smsBudgetEnd = now + .seconds(3600)

    /// A code whose digits are "right".
    static func smsCode(
        _ id: Int, app: AppID = app, purpose: TokenPurpose = .verification, number: Int = 1,
        of subscription: SubscriptionRecord? = nil, tries: Int = 5, issuedAt: Timestamp = now, trace: TraceID = trace(1)
    ) -> SMSCodeRecord {
        SMSCodeRecord(
            id: SMSTransactionID(rawValue: Self.trace(id).rawValue)!, appID: app, purpose: purpose,
            number: numberIndex(number), code: BlindIndex(bytes: hash("right").bytes),
            subscription: subscription?.reference, trace: trace, triesLeft: tries, issuedAt: issuedAt,
            expiresAt: issuedAt + .seconds(300))
    }

    func send(
        _ code: SMSCodeRecord, perMinute: Int = .max, budgets: [SMSBudget.Kind: Int] = [:], on other: (any Store)? = nil
    ) async throws -> SMSCodeIssueOutcome {
        try await (other ?? store).issueSMSCode(
            SMSCodeIssue(
                code, numberLimits: [SMSNumberLimit(count: perMinute, window: .seconds(60))],
                budgets: budgets.map { kind, limit in
                    SMSBudget(
                        kind, name: BlindIndex(bytes: Self.hash("budget").bytes), begin: Self.now,
                        end: Self.smsBudgetEnd, limit: limit)
                }))
    }

    /// Returns the word for the outcome of showing digits, with the remaining tries of a wrong one.
    func show(
        _ code: SMSCodeRecord, id: SMSTransactionID? = nil, app: AppID? = nil, purpose: TokenPurpose? = nil,
        digits: String = "right", at moment: Timestamp? = nil, on other: (any Store)? = nil
    ) async throws -> String {
        let outcome = try await (other ?? store).trySMSCode(
            SMSCodeAttempt(
                id: id ?? code.id, appID: app ?? code.appID, purpose: purpose ?? code.purpose,
                code: BlindIndex(bytes: Self.hash(digits).bytes), now: moment ?? code.issuedAt))
        return switch outcome {
        case .spent: "spent"
        case .wrong(let record): "wrong \(record.triesLeft)"
        case .unknown: "unknown"
        case .alreadySpent: "alreadySpent"
        case .ended: "ended"
        case .expired: "expired"
        case .triesUsedUp: "triesUsedUp"
        }
    }
}
