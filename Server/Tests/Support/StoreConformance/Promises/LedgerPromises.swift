import BenjiProtocol
import Store

extension StoreConformance {
    static let ledger: [StorePromise] = [
        StorePromise("the ledger has one line for each spent token and none for a refusal, newest first") { scenario in
            let subscription = try await scenario.subscription()
            var expected: [String] = []
            for index in 0..<5 {
                let token = try await scenario.issue(
                    scenario.token("t\(index)", of: subscription, trace: Scenario.trace(100 + index)))
                _ = try await scenario.redeem(token, purposes: [.verification], message: "no\(index)")
                _ = try await scenario.redeem(token, message: "yes\(index)")
                _ = try await scenario.redeem(token, message: "again\(index)")
                expected.insert(Scenario.trace(100 + index).rawValue, at: 0)
            }
            let entries = try await scenario.store.ledgerEntries(app: Scenario.app, limit: 10)
            try expect(entries.map(\.trace.rawValue), is: expected, "the traces of the ledger")
            try expect(entries.map(\.id), is: entries.map(\.id).sorted(by: >), "newest first")
            try expect(Set(entries.map(\.id)).count, is: 5, "different ids")
            try expect(entries.allSatisfy { $0.interface == "loginTokenValidate" && $0.at == Scenario.now }, "fields")
            try expect(try await scenario.store.ledgerEntries(app: Scenario.app, limit: 2).count, is: 2, "the limit")
            try expect(try await scenario.store.ledgerEntries(app: Scenario.otherApp, limit: 9), is: [], "another app")
        },
        StorePromise("lines of the ledger are found by time and page by page, newest first") { scenario in
            let subscription = try await scenario.subscription()
            for index in 0..<4 {
                let token = try await scenario.issue(
                    scenario.token("t\(index)", of: subscription, trace: Scenario.trace(index)))
                _ = try await scenario.redeem(
                    token, message: "m\(index)", now: Scenario.now + .seconds(Int64(index)))
            }
            func lines(_ range: LedgerRange, before: Int64? = nil, limit: Int = 9) async throws -> [TraceID] {
                try await scenario.store.ledgerEntries(app: Scenario.app, range, before: before, limit: limit).map(
                    \.trace)
            }
            func traces(_ numbers: Int...) -> [TraceID] { numbers.map(Scenario.trace) }
            let middle = LedgerRange(since: Scenario.now + .seconds(1), until: Scenario.now + .seconds(3))
            try expect(try await lines(middle), is: traces(2, 1), "from a moment on, and before another")
            let second = try await scenario.store.ledgerEntries(app: Scenario.app, limit: 2).last
            try expect(try await lines(LedgerRange(), before: second?.id, limit: 1), is: traces(1), "the page after")
        },
        StorePromise("lines of the ledger are counted by day, interface and result, as many as the quota counts") {
            scenario in
            let subscription = try await scenario.subscription()
            for index in 0..<5 {
                let app = index == 4 ? Scenario.otherApp : Scenario.app
                let token = try await scenario.issue(scenario.token("t\(index)", of: subscription, app: app))
                _ = try await scenario.redeem(
                    token, app: app, message: "m\(index)", day: Scenario.day + (index == 3 ? 1 : 0))
            }
            let days = Scenario.day...(Scenario.day + 1)
            let entry = try await scenario.store.ledgerEntries(app: Scenario.app, limit: 1).first
            let counts = [(Scenario.day, 3), (Scenario.day + 1, 1)].map { day, answers in
                LedgerCount(
                    day: day, interface: entry?.interface ?? "", result: entry?.result ?? "", answers: answers)
            }
            let all = LedgerCounts(lines: counts, billed: [Scenario.day: 3, Scenario.day + 1: 1])
            try expect(try await scenario.store.ledgerCounts(app: Scenario.app, days: days), is: all, "the counts")
            let first = LedgerCounts(lines: [counts[0]], billed: [Scenario.day: 3])
            try expect(
                try await scenario.store.ledgerCounts(app: Scenario.app, days: Scenario.day...Scenario.day), is: first,
                "those of a day")
            let none = LedgerCounts(lines: [], billed: [:])
            try expect(try await scenario.store.ledgerCounts(app: Scenario.app, days: 1...2), is: none, "no answers")
        },
        StorePromise("however many lines of the ledger are in sums, their counts are the same") { scenario in
            let store = scenario.store
            let subscription = try await scenario.subscription()
            var expected: [LedgerCount: Int] = [:]
            var added = 0
            func check(_ moment: String) async throws {
                let days = Scenario.day...(Scenario.day + 1)
                let counts = try await store.ledgerCounts(app: Scenario.app, days: days)
                let found = counts.lines.map { count in (LedgerCount(count, answers: 0), count.answers) }
                try expect(Dictionary(uniqueKeysWithValues: found), is: expected, "the counts \(moment)")
                let order = counts.lines.map { "\($0.day) \($0.interface) \($0.result)" }
                try expect(order, is: order.sorted(), "their order \(moment)")
                let billed = Dictionary(grouping: counts.lines, by: \.day)
                    .mapValues { $0.reduce(0) { $0 + $1.answers } }
                try expect(counts.billed, is: billed, "what quotas go by \(moment)")
            }
            for index in 0..<12 {
                let app = index % 4 == 3 ? Scenario.otherApp : Scenario.app
                let token = try await scenario.issue(scenario.token("t\(index)", of: subscription, app: app))
                let (day, answer) = (Scenario.day + Int32(index % 2), index % 3 == 0 ? "matched" : "released")
                _ = try await scenario.redeem(token, app: app, message: "m\(index)", day: day) { answer }
                if app == Scenario.app {
                    let key = LedgerCount(day: day, interface: "loginTokenValidate", result: answer, answers: 0)
                    expected[key, default: 0] += 1
                }
                try await check("after line \(index)")
                // Sometimes some wait for the next time.
                if index % 3 == 2 {
                    added += try await store.sumLedger(limit: 2)
                    try await check("with \(added) lines in sums")
                }
            }
            for _ in 0..<9 { added += try await store.sumLedger(limit: 3) }
            try expect(added, is: 12, "lines that came into sums")
            try expect(try await store.sumLedger(limit: 9), is: 0, "lines when all are in sums")
            try await check("with all lines in sums")
            let first = try await store.ledgerCounts(app: Scenario.app, days: Scenario.day...Scenario.day)
            try expect(Set(first.lines.map(\.day)), is: [Scenario.day], "those of a day")
        },
        StorePromise("of 8 that sum the ledger at once, none counts a line that another has counted") { scenario in
            let subscription = try await scenario.subscription()
            for index in 0..<24 {
                let token = try await scenario.issue(scenario.token("t\(index)", of: subscription))
                _ = try await scenario.redeem(token, message: "m\(index)")
            }
            try await scenario.withAnother { another in
                let added = try await race(8) { position in
                    var added = 0
                    for _ in 0..<8 {
                        added += try await (position % 2 == 0 ? scenario.store : another).sumLedger(limit: 3)
                    }
                    return added
                }
                try expect(added.reduce(0, +), is: 24, "lines that came into sums")
                let counts = try await another.ledgerCounts(app: Scenario.app, days: Scenario.day...Scenario.day)
                try expect(counts.lines.map(\.answers), is: [24], "the count")
            }
        },
        StorePromise("the ledger keeps the answer that was made from the token and the subscription found") {
            scenario in
            let subscription = try await scenario.subscription(4)
            let token = try await scenario.issue(scenario.token("t", of: subscription))
            let outcome = try await scenario.store.redeem(
                Redemption(
                    token: token.hash, appID: Scenario.app, purposes: [.login], messageID: "m",
                    now: Scenario.now, quota: AnswerQuota(),
                    day: Scenario.day, leastAssurance: .net, interface: "tokenValidate")
            ) { given, found in given == token && found == subscription ? "matched" : "differs" }
            try expect(outcome.isSpent, "a good token is refused: \(outcome.word)")
            let entries = try await scenario.store.ledgerEntries(app: Scenario.app, limit: 1)
            try expect(entries.map(\.result), is: ["matched"], "the answer in the ledger")
            try expect(entries.map(\.interface), is: ["tokenValidate"], "the interface in the ledger")
        },
        StorePromise("a line of the ledger says of what was redeemed how strongly it was earned") { scenario in
            let subscription = try await scenario.subscription()
            for (index, assurance) in [Assurance.net, .netApp, .netAppAddress].enumerated() {
                let token = try await scenario.issue(
                    scenario.token("t\(index)", of: subscription, assurance: assurance))
                _ = try await scenario.redeem(token, message: "m\(index)")
                let entries = try await scenario.store.ledgerEntries(app: Scenario.app, limit: 1)
                try expect(entries.map(\.assurance), is: [assurance], "the assurance in the ledger")
            }
        },
        StorePromise("a spent quota refuses and does not spend the token; another day and another app have their own") {
            scenario in
            let subscription = try await scenario.subscription()
            for index in 0..<2 {
                let token = try await scenario.issue(scenario.token("t\(index)", of: subscription))
                let outcome = try await scenario.redeem(token, message: "m\(index)", quota: 2)
                try expect(outcome.word, is: "spent", "answer \(index + 1) of 2")
            }
            let third = try await scenario.issue(scenario.token("third", of: subscription))
            let refused = try await scenario.redeem(third, message: "a", quota: 2)
            try expect(refused, is: .quotaExceeded(third), "answer 3 of 2")
            try expect(try await scenario.store.billed(app: Scenario.app, day: Scenario.day), is: 2, "answers billed")
            let other = try await scenario.issue(scenario.token("other", of: subscription, app: Scenario.otherApp))
            let elsewhere = try await scenario.redeem(other, app: Scenario.otherApp, message: "a", quota: 1)
            try expect(elsewhere.word, is: "spent", "another app's first answer")
            let tomorrow = try await scenario.redeem(third, message: "b", quota: 2, day: Scenario.day + 1)
            try expect(tomorrow.word, is: "spent", "the next day")
            try expect(
                try await scenario.store.billed(app: Scenario.app, day: Scenario.day + 1), is: 1, "the next day's bill")
        },
        StorePromise("of 40 redemptions at once under a quota of 10, exactly 10 are answered and billed") { scenario in
            let subscription = try await scenario.subscription()
            var tokens: [TokenRecord] = []
            for index in 0..<40 {
                tokens.append(try await scenario.issue(scenario.token("t\(index)", of: subscription)))
            }
            let words = try await race(40) { [tokens] position in
                try await scenario.redeem(tokens[position], message: "m\(position)", quota: 10).word
            }
            try expect(words.count { $0 == "spent" }, is: 10, "answers")
            try expect(words.count { $0 == "quotaExceeded" }, is: 30, "refusals")
            try expect(try await scenario.store.billed(app: Scenario.app, day: Scenario.day), is: 10, "the bill")
            let entries = try await scenario.store.ledgerEntries(app: Scenario.app, limit: 100)
            try expect(entries.count, is: 10, "lines in the ledger")
        },
        StorePromise("of two stores on one place that redeem under one quota of 10, exactly 10 are answered and billed")
        {
            scenario in
            let subscription = try await scenario.subscription()
            var tokens: [TokenRecord] = []
            for index in 0..<40 {
                tokens.append(try await scenario.issue(scenario.token("t\(index)", of: subscription)))
            }
            let known = tokens
            // One before the app has a quota: it counts.
            try expect(try await scenario.redeem(known[0], message: "m0").isSpent, "without a quota")
            try await scenario.withAnother { another in
                let words = try await race(39) { position in
                    try await scenario.redeem(
                        known[position + 1], on: position.isMultiple(of: 2) ? scenario.store : another,
                        message: "m\(position + 1)", quota: 10
                    ).word
                }
                try expect(words.count { $0 == "spent" }, is: 9, "answers of two stores")
                try expect(words.count { $0 == "quotaExceeded" }, is: 30, "refusals of two stores")
                let billed = try await another.billed(app: Scenario.app, day: Scenario.day)
                try expect(billed, is: 10, "billed by two stores")
            }
        },
        StorePromise("answers are counted without a quota too, and a quota set later counts them") { scenario in
            let subscription = try await scenario.subscription()
            let first = try await scenario.issue(scenario.token("first", of: subscription))
            let second = try await scenario.issue(scenario.token("second", of: subscription))
            try expect(try await scenario.redeem(first, message: "a").word, is: "spent", "without a quota")
            let outcome = try await scenario.redeem(second, message: "b", quota: 1)
            try expect(outcome.word, is: "quotaExceeded", "the second answer under a quota of 1")
        },
        StorePromise("a month's quota counts all of its days, those before it was agreed too, and no other month's") {
            scenario in
            let subscription = try await scenario.subscription()
            func redeem(_ label: String, day: Int32, monthly: Int? = 3, quota: Int? = nil) async throws -> String {
                let token = try await scenario.issue(scenario.token(label, of: subscription))
                return try await scenario.redeem(token, message: label, quota: quota, monthly: monthly, day: day).word
            }
            try expect(try await redeem("a", day: 20_261_101, monthly: nil), is: "spent", "without a quota")
            try expect(try await redeem("b", day: 20_261_130), is: "spent", "on the month's last day")
            try expect(try await redeem("c", day: 20_261_115), is: "spent", "in its middle")
            try expect(try await redeem("d", day: 20_261_116), is: "quotaExceeded", "the fourth of three")
            try expect(try await redeem("e", day: 20_261_031), is: "spent", "of the month before")
            try expect(try await redeem("f", day: 20_261_201), is: "spent", "of the month after")
            let november = try await scenario.store.billed(app: Scenario.app, inMonthOf: 20_261_118)
            try expect(november, is: 3, "the month's bill")
            // Without its month's quota for a while.
            try expect(try await redeem("g", day: 20_261_202, monthly: nil, quota: 9), is: "spent", "by the day alone")
            try expect(try await redeem("h", day: 20_261_203), is: "spent", "the third")
            try expect(try await redeem("i", day: 20_261_203), is: "quotaExceeded", "what was meanwhile counts")
            try expect(
                try await redeem("j", day: 20_261_101, monthly: 9, quota: 1), is: "quotaExceeded", "the day's quota too"
            )
        },
        StorePromise("of two stores on one place that redeem under one month's quota of 10, exactly 10 are answered") {
            scenario in
            let subscription = try await scenario.subscription()
            var tokens: [TokenRecord] = []
            for index in 0..<40 {
                tokens.append(try await scenario.issue(scenario.token("t\(index)", of: subscription)))
            }
            let known = tokens
            try await scenario.withAnother { another in
                // As around midnight: the two may disagree which day it is.
                let words = try await race(40) { position in
                    try await scenario.redeem(
                        known[position], on: position.isMultiple(of: 2) ? scenario.store : another,
                        message: "m\(position)", monthly: 10, day: 20_261_117 + Int32(position / 2 % 2)
                    ).word
                }
                try expect(words.count { $0 == "spent" }, is: 10, "answers of two stores")
                try expect(words.count { $0 == "quotaExceeded" }, is: 30, "refusals of two stores")
            }
        },
    ]
}

extension LedgerCount {
    fileprivate init(_ count: LedgerCount, answers: Int) {
        self.init(day: count.day, interface: count.interface, result: count.result, answers: answers)
    }
}
