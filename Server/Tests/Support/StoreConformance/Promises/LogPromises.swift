import BenjiProtocol
import Store

extension StoreConformance {
    static let log: [StorePromise] = [
        StorePromise("released numbers and consents come into the log once, each kind in its order, with a head") {
            scenario in
            let store = scenario.store
            try expect(try await store.logState(), is: LogState(head: nil, marks: [:], hasMore: false), "at first")
            let person = try await scenario.subscription(1)
            for (position, answer) in ["released", "matched", "released", "differs"].enumerated() {
                let token = scenario.token("token \(position)", of: person, trace: Scenario.trace(position + 1))
                try await scenario.issue(token)
                _ = try await scenario.redeem(token, message: "m\(position)") { answer }
            }
            try expect(try await store.logState().hasMore, is: true, "whether there is more")
            let head = try await store.appendLog(limit: 100) { batch throws(StoreError) in
                try Scenario.addition(to: batch)
            }
            try expect(head?.size, is: 6, "leaves of four consents and two numbers")
            let leaves = try await store.logLeaves(from: 0, limit: 100)
            try expect(leaves.map(\.index), is: Array(0..<6), "places")
            try expect(
                leaves.map(\.kind.rawValue), is: ["consent", "consent", "consent", "consent", "release", "release"],
                "kinds")
            let holder = LogLeaf.Holder(subscription: person.id, epoch: 1)
            try expect(leaves.allSatisfy { $0.holder == holder }, "leaves whose holder is another than the login's")
            let releases = try await store.logSources(.release, after: 0, through: .max)
            try expect(releases.map(\.row), is: leaves.filter { $0.kind == .release }.map(\.row), "rows of releases")
            try expect(releases.map(\.contentDigest), is: ["digest", "digest"], "pages of releases")
            try expect(releases.map(\.detail), is: ["loginTokenValidate", "loginTokenValidate"], "interfaces")
            let consents = try await store.logSources(.consent, after: 0, through: .max)
            try expect(consents[1].detail, is: Scenario.record(of: Scenario.trace(2)), "the record of a consent")
            let state = try await store.logState()
            try expect(state.head, is: head, "the newest head")
            try expect(state.hasMore, is: false, "whether there is more")
            let next = try await store.appendLog(limit: 100) { batch throws(StoreError) in
                batch.sources.isEmpty ? nil : try Scenario.addition(to: batch)
            }
            try expect(next, is: head, "the head when nothing is new")
            try expect(try await store.logLeaves(from: 4, limit: 1), is: [leaves[4]], "one leaf")
            try expect(try await store.logLeaf(hash: leaves[3].hash), is: leaves[3], "a leaf by its hash")
            try expect(try await store.logLeaf(hash: Scenario.hash("another").bytes), is: nil, "an unknown leaf")
            let places = [LogNode.Place(level: 0, index: 5), .init(level: 2, index: 0), .init(level: 3, index: 0)]
            let nodes = try await store.logNodes(places)
            try expect(Set(nodes.map(\.place)), is: Set(places.prefix(2)), "nodes that there are")

            try await scenario.withAnother { another in
                let later = scenario.token("later", of: person, trace: Scenario.trace(9))
                try await scenario.issue(later)
                let more = try await another.appendLog(limit: 100) { batch throws(StoreError) in
                    try Scenario.addition(to: batch, at: Scenario.now + .seconds(3600))
                }
                try expect(more?.size, is: 7, "leaves through another store")
                try expect(try await store.logHeads(), is: [head, more].compactMap(\.self), "a head of each hour")
            }
        },
        StorePromise("a number that was released without a page comes into the log, as its holder's and with no page") {
            scenario in
            let store = scenario.store
            let person = try await scenario.subscription(1)
            try await store.appendTraceEvents([
                TraceEvent(
                    trace: Scenario.trace(1), at: Scenario.now, party: .gateway, step: "sighting", situation: .success,
                    detail: "",
                    login: TraceEvent.Login(app: Scenario.app, subscription: person.id, epoch: person.epoch))
            ])
            try await scenario.issue(scenario.token("token", of: person, purpose: .verification), hasPage: false)
            _ = try await scenario.redeem(
                scenario.token("token", of: person, purpose: .verification), purposes: [.login, .verification],
                message: "m1"
            ) { "released-without-page" }
            // Reading steps waits for those that are not written yet.
            _ = try await store.traceEvents(Scenario.trace(1))
            let sources = try await store.logSources(.release, after: 0, through: .max)
            try expect(sources.map(\.contentDigest), is: [nil], "pages of releases")
            try expect(sources.map { $0.holder?.id }, is: [person.id], "whose they are")
            let head = try await store.appendLog(limit: 100) { batch throws(StoreError) in
                try Scenario.addition(to: batch)
            }
            try expect(head?.size, is: 1, "leaves of one number and no consent")
            let holder = LogLeaf.Holder(subscription: person.id, epoch: person.epoch)
            try expect(
                try await store.logLeaves(of: holder, before: nil, limit: 9).map(\.kind), is: [.release],
                "what its holder sees")
        },
        StorePromise("rows that were left for later come next, and nothing passes them") { scenario in
            let store = scenario.store
            let person = try await scenario.subscription(1)
            for position in 1...3 {
                let token = scenario.token("token \(position)", of: person, trace: Scenario.trace(position))
                try await scenario.issue(token)
                _ = try await scenario.redeem(token, message: "m\(position)")
            }
            for (taken, size) in [(0, 0), (4, 4), (1, 5), (9, 6)] {
                _ = try await store.appendLog(limit: 100) { batch throws(StoreError) in
                    try Scenario.addition(to: batch, taking: taken)
                }
                try expect(
                    try await store.logState().head?.size ?? 0, is: Int64(size), "leaves after \(taken) were taken")
            }
            let rows = try await store.logLeaves(from: 0, limit: 100).filter { $0.kind == .release }.map(\.row)
            try expect(rows, is: try await store.logSources(.release, after: 0, through: .max).map(\.row), "releases")
        },
        StorePromise("of 8 that bring the same rows into the log at once, none brings one a second time") { scenario in
            let store = scenario.store
            let person = try await scenario.subscription(1)
            for position in 1...20 {
                let token = scenario.token("token \(position)", of: person, trace: Scenario.trace(position))
                try await scenario.issue(token)
                _ = try await scenario.redeem(token, message: "m\(position)")
            }
            try await scenario.withAnother { another in
                _ = try await race(8) { position in
                    for _ in 0..<8 {
                        _ = try await (position % 2 == 0 ? store : another).appendLog(limit: 3) {
                            batch throws(StoreError) in
                            batch.sources.isEmpty ? nil : try Scenario.addition(to: batch)
                        }
                    }
                }
            }
            let leaves = try await store.logLeaves(from: 0, limit: 100)
            try expect(leaves.map(\.index), is: Array(0..<40), "places")
            try expect(Set(leaves.map { "\($0.kind) \($0.row)" }).count, is: 40, "different rows")
        },
        StorePromise(
            "a leaf is shown to its holder alone, not to the number's next one, and after an erasure to nobody"
        ) {
            scenario in
            let store = scenario.store
            let person = try await scenario.subscription(1)
            let other = try await scenario.subscription(2)
            for (position, holder) in [person, other, person].enumerated() {
                try await scenario.issue(
                    scenario.token("token \(position)", of: holder, trace: Scenario.trace(position + 1)))
            }
            _ = try await store.appendLog(limit: 100) { batch throws(StoreError) in try Scenario.addition(to: batch) }
            func leaves(_ subscription: Int64, _ epoch: Int32, before: Int64? = nil) async throws -> [Int64] {
                try await store.logLeaves(
                    of: .init(subscription: subscription, epoch: epoch), before: before, limit: 9
                ).map(\.index)
            }
            try expect(try await leaves(person.id, 1), is: [2, 0], "a holder's leaves, newest first")
            try expect(try await leaves(person.id, 1, before: 2), is: [0], "those before one")
            try await scenario.change(1) { $0.epoch += 1 }
            try expect(try await leaves(person.id, 2), is: [], "the next holder's leaves")
            let sources = try await store.logSources(.consent, after: 0, through: .max)
            try expect(sources.map { $0.holder?.id }, is: [nil, other.id, nil], "whom the register still has")
            _ = try await store.eraseSubscriber(scenario.erasure(of: other))
            try expect(try await leaves(other.id, 1), is: [], "leaves of who was erased")
            let kept = try await store.logLeaves(from: 0, limit: 9)
            try expect(kept[1].holder, is: nil, "whose a leaf is after the erasure")
            try expect(kept.map(\.input), is: ["input 0", "input 1", "input 2"], "what was hashed")
            try expect(kept[1].hash, is: Scenario.hash("leaf 1").bytes, "its hash")
        },
        StorePromise("a leaf stays when its row goes, and loses what was hashed") { scenario in
            let store = scenario.store
            let person = try await scenario.subscription(1)
            for position in 1...2 {
                let token = scenario.token("token \(position)", of: person, trace: Scenario.trace(position))
                try await scenario.issue(token)
                _ = try await scenario.redeem(token, message: "m\(position)", day: Scenario.day + Int32(position))
            }
            _ = try await store.appendLog(limit: 100) { batch throws(StoreError) in try Scenario.addition(to: batch) }
            let before = try await store.logLeaves(from: 0, limit: 9)
            _ = try await store.deleteConsents(before: Scenario.now + .seconds(1), limit: 1)
            _ = try await store.shortenLedger(to: Scenario.day + 2, limit: 9)
            let after = try await store.logLeaves(from: 0, limit: 9)
            try expect(after.map(\.hash), is: before.map(\.hash), "hashes")
            try expect(after.map { $0.input == nil }, is: [true, false, true, false], "what was hashed is gone")
            try expect(after.map { $0.holder == nil }, is: [true, false, true, false], "whose they are is gone")
        },
        StorePromise("a leaf whose consent is put out with its token loses what was hashed") { scenario in
            let store = scenario.store
            let person = try await scenario.subscription(1)
            for position in 1...3 {
                if position == 3 {
                    _ = try await store.appendLog(limit: 100) { batch throws(StoreError) in
                        try Scenario.addition(to: batch)
                    }
                }
                let token = scenario.token(
                    "token \(position)", of: person, issuedAt: Scenario.now + .seconds(Int64(position)),
                    trace: Scenario.trace(position))
                try await scenario.issue(token, perNumber: 2)
            }
            try expect(try await store.consents(of: Scenario.trace(1)), is: [], "the consent of the token put out")
            let leaves = try await store.logLeaves(from: 0, limit: 9)
            try expect(leaves.map { $0.input == nil }, is: [true, false], "what was hashed is gone")
            try expect(leaves.map { $0.holder == nil }, is: [true, false], "whose it is is gone")
        },
        StorePromise("of each page that a holder agreed on, the outer consents are found, and no former holder's") {
            scenario in
            let store = scenario.store
            let person = try await scenario.subscription(1)
            for position in 1...3 {
                try await scenario.issue(
                    scenario.token("token \(position)", of: person, trace: Scenario.trace(position)))
            }
            let holder = LogLeaf.Holder(subscription: person.id, epoch: person.epoch)
            try expect(
                try await store.outerConsents(of: holder).map(\.trace), is: [Scenario.trace(1), Scenario.trace(3)],
                "the oldest and the newest of three to one page")
            try await scenario.change(1) { $0.epoch += 1 }
            let next = LogLeaf.Holder(subscription: person.id, epoch: person.epoch + 1)
            try expect(try await store.outerConsents(of: next), is: [], "what the number's next holder sees")
        },
    ]
}

extension Scenario {
    /// The next leaves, with hashes that are none.
    static func addition(
        to batch: LogBatch, taking count: Int = .max, at moment: Timestamp = now
    ) throws(StoreError) -> LogAddition? {
        let size = batch.head?.size ?? 0
        var frontier = batch.frontier.map(\.place)
        guard frontier == places(of: size) else { throw StoreError(.corrupt, "the frontier is another") }
        let sources = batch.sources.prefix(count)
        if count == 0 { return nil }
        var nodes: [LogNode] = []
        var leaves: [LogLeaf] = []
        for (offset, source) in sources.enumerated() {
            let index = size + Int64(offset)
            leaves.append(
                LogLeaf(
                    index: index, hash: hash("leaf \(index)").bytes, kind: source.kind, row: source.row,
                    holder: source.holder.map { .init(subscription: $0.id, epoch: $0.epoch) }, input: "input \(index)"))
            var place = LogNode.Place(level: 0, index: index)
            while let last = frontier.last, last.level == place.level {
                frontier.removeLast()
                place = LogNode.Place(level: place.level + 1, index: place.index / 2)
                nodes.append(LogNode(place: place, hash: hash("\(place.level) \(place.index)").bytes))
            }
            frontier.append(place)
        }
        let end = size + Int64(leaves.count)
        return LogAddition(
            leaves: leaves, nodes: nodes,
            head: LogHead(size: end, root: hash("root \(end)").bytes, at: moment, text: "head \(end)"))
    }

    private static func places(of size: Int64) -> [LogNode.Place] {
        (0..<32).reversed().filter { size >> $0 & 1 == 1 }.map { LogNode.Place(level: $0, index: size >> $0 - 1) }
    }
}
