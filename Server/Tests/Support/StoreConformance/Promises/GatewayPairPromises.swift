import BenjiProtocol
import Sightings
import Store

extension StoreConformance {
    static let gatewayPairs: [StorePromise] = [
        StorePromise("of 16 that take a pair over as they saw it, one does") { scenario in
            let seen = try await scenario.store.standing(ofPair: pair)
            try expect(seen, is: PairStanding(), "a pair that nobody has claimed")
            let standings = try await race(16) { number in
                try await scenario.store.claimPair(pair, by: "gateway-\(number)", seen: seen)
            }
            try expect(Set(standings.map(\.owner)).count, is: 1, "owners that were named")
            let standing = try await scenario.store.standing(ofPair: pair)
            try expect(Set(standings), is: [standing], "what all were told")
            try expect(standing.fence, is: 1, "the fence")
            try expect(try await scenario.store.pairStandings(), is: [pair: standing], "all pairs")
        },
        StorePromise("a pair whose owner has recorded something since it was seen is not taken over") { scenario in
            let first = try await scenario.claim(by: "gateway-1")
            for entries in [[entry("a")], []] {
                let what = entries.isEmpty ? "nothing but that it is alive" : "an entry"
                let seen = try await scenario.store.standing(ofPair: pair)
                guard case .recorded = try await scenario.record(entries, first, after: seen.sequence) else {
                    throw PromiseBroken("the owner cannot record \(what)", #fileID)
                }
                let standing = try await scenario.store.claimPair(pair, by: "gateway-2", seen: seen)
                try expect(standing.owner, is: "gateway-1", "the owner after \(what)")
                try expect(standing.fence, is: 1, "its fence after \(what)")
            }
        },
        StorePromise("a gateway that was replaced records nothing") { scenario in
            let first = try await scenario.claim(by: "gateway-1")
            let before = try await scenario.store.standing(ofPair: pair)
            let second = try await scenario.claim(by: "gateway-2")
            try expect(second.fence, is: first.fence + 1, "the fence")
            let standing = try await scenario.store.standing(ofPair: pair)
            for sequence in [before.sequence, standing.sequence] {
                try expect(
                    try await scenario.record([entry("a")], first, after: sequence), is: .replaced, "the first gateway")
            }
            // As itself, under the fence of the other.
            let mixed = PairFence(pair: pair, owner: "gateway-1", fence: second.fence)
            try expect(
                try await scenario.record([entry("a")], mixed, after: standing.sequence), is: .replaced,
                "with its fence")
            try await scenario.store.releasePair(first)
            try expect(try await scenario.store.standing(ofPair: pair), is: standing, "the pair")
            try expect(
                try await scenario.store.pairNews(pair, after: 0, limit: 10).entries, is: [], "what was recorded")
            guard case .recorded = try await scenario.record([entry("b")], second, after: standing.sequence) else {
                throw PromiseBroken("the owner cannot record", #fileID)
            }
        },
        StorePromise("a pair that was given back has no owner, and its former owner records nothing") { scenario in
            let first = try await scenario.claim(by: "gateway-1")
            try await scenario.store.releasePair(first)
            let standing = try await scenario.store.standing(ofPair: pair)
            try expect(standing.owner, is: nil, "the owner")
            try expect(standing.fence, is: 1, "the fence")
            try expect(
                try await scenario.record([entry("a")], first, after: standing.sequence), is: .replaced, "afterwards")
            try expect(try await scenario.claim(by: "gateway-2").fence, is: 2, "the next fence")
        },
        StorePromise("entries that are sent a second time do not undo newer ones") { scenario in
            let fence = try await scenario.claim(by: "gateway-1")
            let begin = try await scenario.store.standing(ofPair: pair).sequence
            let old = [entry("a", "old")]
            guard case .recorded(let middle) = try await scenario.record(old, fence, after: begin),
                case .recorded(let end) = try await scenario.record([entry("a", "new")], fence, after: middle)
            else { throw PromiseBroken("the owner cannot record", #fileID) }
            try expect(
                try await scenario.record(old, fence, after: begin), is: .overtaken(sequence: end),
                "the late repetition")
            let news = try await scenario.store.pairNews(pair, after: 0, limit: 10)
            try expect(news.entries, is: [entry("a", "new")], "the record")
        },
        StorePromise("a pair's record is read in parts, in the order of writing, of each key the newest entry") {
            scenario in
            let fence = try await scenario.claim(by: "gateway-1")
            var sequence = try await scenario.store.standing(ofPair: pair).sequence
            let batches = [
                [entry("a", "1"), entry("b", "1"), entry("c", "1")],
                [entry("b", "2"), entry("d", "1"), entry("b", "3")], [],
                [entry("a", "2", isEnd: true)],
            ]
            for batch in batches {
                guard case .recorded(let next) = try await scenario.record(batch, fence, after: sequence) else {
                    throw PromiseBroken("the owner cannot record", #fileID)
                }
                try expect(next > sequence, "the sequence does not grow")
                sequence = next
            }
            let expected = [entry("c", "1"), entry("d", "1"), entry("b", "3"), entry("a", "2", isEnd: true)]
            try await scenario.withAnother { store in
                for limit in [1, 2, 3, 4, 5] {
                    var read: [PairEntry] = []
                    var position: Int64 = 0
                    for _ in 0..<6 {
                        let news = try await store.pairNews(pair, after: position, limit: limit)
                        try expect(news.entries.count <= limit, "more than \(limit) entries")
                        read += news.entries
                        position = news.readUntil
                        if news.isComplete { break }
                    }
                    try expect(read, is: expected, "read \(limit) at a time")
                    try expect(position, is: sequence, "how far it was read")
                }
                try expect(
                    try await store.pairNews("another", after: 0, limit: 10),
                    is: PairUpdates(standing: PairStanding(), entries: [], readUntil: 0), "another pair")
            }
        },
        StorePromise("deleting ends of a pair's record takes only those from before, and says up to where") {
            scenario in
            let fence = try await scenario.claim(by: "gateway-1")
            var sequence = try await scenario.store.standing(ofPair: pair).sequence
            let writes = [
                (entry("a"), Int64(0)), (entry("b", isEnd: true), 0), (entry("c", isEnd: true), 1),
                (entry("d", isEnd: true), 2), (entry("e", isEnd: true), 0), (entry("e"), 0),
            ]
            var sequences: [Int64] = []
            for (entry, seconds) in writes {
                let outcome = try await scenario.store.recordForPair(
                    [entry], under: fence, after: sequence, at: Scenario.now + .seconds(seconds))
                guard case .recorded(let next) = outcome else { throw PromiseBroken("cannot record", #fileID) }
                sequence = next
                sequences.append(next)
            }
            let moment = Scenario.now + .seconds(2)
            try expect(try await scenario.store.deletePairEnds(before: moment, limit: 1), is: 1, "of one at most")
            try expect(try await scenario.store.deletePairEnds(before: moment, limit: 10), is: 1, "of the rest")
            try expect(try await scenario.store.deletePairEnds(before: moment, limit: 10), is: 0, "once more")
            let news = try await scenario.store.pairNews(pair, after: 0, limit: 10)
            try expect(news.entries, is: [entry("a"), entry("d", isEnd: true), entry("e")], "what is left")
            try expect(news.standing.forgottenUntil, is: sequences[2], "up to where")
        },
        StorePromise("who was seen by a gateway that was replaced is given no scrip and no token") { scenario in
            let first = try await scenario.claim(by: "gateway-1")
            let subscription = try await scenario.subscription()
            try await scenario.store.insertScrip(
                scenario.scrip("own", of: subscription), appRevision: nil, fence: first)
            func issue(_ label: String, _ fence: PairFence) async throws -> TokenIssueOutcome {
                var issue = scenario.request(scenario.token(label, of: subscription), scrip: Scenario.hash("own"))
                issue.fence = fence
                return try await scenario.store.issueToken(issue)
            }
            let second = try await scenario.claim(by: "gateway-2")
            let mixed = PairFence(pair: pair, owner: "gateway-1", fence: second.fence)
            let unclaimed = PairFence(pair: "another", owner: "gateway-1", fence: 1)
            for fence in [first, mixed, unclaimed] {
                try await expectFailure(.gatewayReplaced, "a scrip") {
                    try await scenario.store.insertScrip(
                        scenario.scrip("late", of: subscription), appRevision: nil, fence: fence)
                }
                try expect(try await scenario.store.scrip(Scenario.hash("late")).word, is: "unknown", "the scrip")
                try expect(try await issue("late token", fence), is: .gatewayReplaced, "a token")
                try expect(try await scenario.store.token(Scenario.hash("late token")), is: nil, "the token")
            }
            try expect(try await scenario.store.scrip(Scenario.hash("own")).word, is: "current", "the scrip of before")
            try expect(try await issue("token", second), is: .issued, "by the owner")
        },
    ]

    fileprivate static let pair = "east"

    private static func entry(_ key: String, _ content: String = "", isEnd: Bool = false) -> PairEntry {
        PairEntry(key: Array(key.utf8), content: Array(content.utf8), isEnd: isEnd)
    }
}

extension Scenario {
    /// Makes a gateway the pair's owner.
    fileprivate func claim(by owner: String) async throws -> PairFence {
        let pair = StoreConformance.pair
        let standing = try await store.claimPair(pair, by: owner, seen: try await store.standing(ofPair: pair))
        try expect(standing.owner, is: owner, "the owner")
        return PairFence(pair: pair, owner: owner, fence: standing.fence)
    }

    fileprivate func record(
        _ entries: [PairEntry], _ fence: PairFence, after sequence: Int64
    ) async throws -> PairRecording {
        try await store.recordForPair(entries, under: fence, after: sequence, at: Scenario.now)
    }
}
