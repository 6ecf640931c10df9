import BenjiProtocol
import Sightings
import Store

struct MemoryLog {
    var leaves: [LogLeaf] = []
    var nodes: [LogNode.Place: LogNode] = [:]
    var heads: [LogHead] = []
    var marks: [LogKind: Int64] = [:]

    func node(_ place: LogNode.Place) -> LogNode? {
        guard place.level == 0 else { return nodes[place] }
        return leaves.indices.contains(Int(place.index))
            ? LogNode(place: place, hash: leaves[Int(place.index)].hash) : nil
    }
}

extension MemoryPlace {
    func logSources(_ kind: LogKind, after row: Int64, through last: Int64, limit: Int = .max) -> (
        sources: [LogSource], last: Int64
    ) {
        func holder(_ reference: SubscriptionReference?) -> SubscriptionRecord? {
            subscriptions.first { $0.id == reference?.subscription && $0.epoch == reference?.epoch }
        }
        switch kind {
        case .consent:
            let found = consents.filter { $0.row > row && $0.row <= last }.prefix(limit)
            let sources = found.map { consent in
                let evidence = consent.evidence
                return LogSource(
                    kind: .consent, row: consent.row, appID: evidence.appID, at: evidence.receivedAt,
                    contentDigest: evidence.contentDigest, detail: evidence.record,
                    holder: holder(evidence.subscription))
            }
            return (sources, found.last?.row ?? row)
        case .release:
            let found = entries.filter { $0.id > row && $0.id <= last }.prefix(limit)
            var results: Set = ["released", "released-without-page"]
            if flaw == .logsReleasesWithPagesAlone { results = ["released"] }
            let released = found.filter { flaw == .logsAnswersAsReleases || results.contains($0.result) }
            let sources = released.map { entry in
                let consent = consents.last {
                    $0.evidence.trace == entry.trace && $0.evidence.receivedAt <= entry.at + .seconds(2)
                }?.evidence
                let step = events.last { $0.trace == entry.trace && $0.login != nil }?.login
                let named =
                    consent.map { ($0.subscription.subscription, $0.subscription.epoch) }
                    ?? step.map { ($0.subscription, $0.epoch) }
                return LogSource(
                    kind: .release, row: entry.id, appID: entry.appID, at: entry.at,
                    contentDigest: consent?.contentDigest, detail: entry.interface,
                    holder: subscriptions.first { $0.id == named?.0 && $0.epoch == named?.1 })
            }
            return (sources, found.last?.id ?? row)
        }
    }

    var logState: LogState {
        let newest = [LogKind.consent: consents.last?.row ?? 0, .release: entries.last?.id ?? 0]
        return LogState(
            head: log.heads.last, marks: log.marks, hasMore: newest.contains { $0.value > log.marks[$0.key] ?? 0 })
    }

    func append(
        limit: Int, _ make: @Sendable (LogBatch) throws(StoreError) -> LogAddition?
    ) async throws(StoreError) -> LogHead? {
        let marks = flaw == .logsTwice ? [:] : log.marks
        let reach = LogKind.allCases.map { kind in
            (kind, logSources(kind, after: marks[kind] ?? 0, through: .max, limit: limit))
        }
        let sources = reach.flatMap(\.1.sources)
        let size = log.heads.last?.size ?? 0
        let frontier = (0..<56).reversed().filter { size >> $0 & 1 == 1 }.compactMap { level in
            log.node(.init(level: level, index: size >> level - 1))
        }
        await gap(.logsInTwoSteps)
        let addition = try make(LogBatch(sources: sources, head: log.heads.last, frontier: frontier))
        let left = flaw == .logsPastWhatWasLeft ? [] : sources.dropFirst(addition?.leaves.count ?? 0)
        for (kind, each) in reach {
            log.marks[kind] = left.first { $0.kind == kind }.map { $0.row - 1 } ?? each.last
        }
        guard let addition else { return log.heads.last }
        log.leaves += addition.leaves
        for node in addition.nodes { log.nodes[node.place] = node }
        let hour = addition.head.at.milliseconds / 3_600_000
        log.heads.removeAll { $0.at.milliseconds / 3_600_000 == hour }
        log.heads.append(addition.head)
        return addition.head
    }

    func logLeaves(of holder: LogLeaf.Holder, before: Int64?, limit: Int) -> [LogLeaf] {
        Array(
            log.leaves.reversed().filter { leaf in
                let isTheirs =
                    flaw == .showsReleasesOfFormerHolders
                    ? leaf.holder?.subscription == holder.subscription : leaf.holder == holder
                return isTheirs && leaf.index < before ?? .max
            }.prefix(limit))
    }

    func outerConsents(of holder: LogLeaf.Holder) -> [ConsentEvidence] {
        let theirs = consents.map(\.evidence).filter {
            $0.subscription.subscription == holder.subscription
                && ($0.subscription.epoch == holder.epoch || flaw == .showsConsentsOfFormerHolders)
        }
        return theirs.enumerated().filter { place, one in
            !theirs.dropFirst(place + 1).contains { $0.contentDigest == one.contentDigest }
                || !theirs.prefix(place).contains { $0.contentDigest == one.contentDigest }
        }.map(\.element)
    }

    func forgetLog(of subscription: Int64) {
        guard flaw != .keepsLeavesOfTheErased else { return }
        for place in log.leaves.indices where log.leaves[place].holder?.subscription == subscription {
            log.leaves[place].holder = nil
        }
    }

    func forgetLog(_ kind: LogKind, _ rows: [Int64]) {
        if flaw == .removesLeavesOfOldRows { log.leaves.removeAll { $0.kind == kind && rows.contains($0.row) } }
        for place in log.leaves.indices where log.leaves[place].kind == kind && rows.contains(log.leaves[place].row) {
            log.leaves[place].holder = nil
            log.leaves[place].input = nil
        }
    }
}

extension MemoryStore {
    func appendLog(
        limit: Int, _ make: @escaping @Sendable (LogBatch) throws(StoreError) -> LogAddition?
    ) async throws(StoreError) -> LogHead? {
        try await opened().append(limit: limit, make)
    }
    func logState() async throws(StoreError) -> LogState { try await opened().logState }
    func logHeads() async throws(StoreError) -> [LogHead] { try await opened().log.heads }
    func logLeaves(from index: Int64, limit: Int) async throws(StoreError) -> [LogLeaf] {
        try await Array(opened().log.leaves.dropFirst(Int(index)).prefix(limit))
    }
    func logLeaf(hash: [UInt8]) async throws(StoreError) -> LogLeaf? {
        try await opened().log.leaves.first { $0.hash == hash }
    }
    func logLeaves(
        of holder: LogLeaf.Holder, before: Int64?, limit: Int
    ) async throws(StoreError) -> [LogLeaf] {
        try await opened().logLeaves(of: holder, before: before, limit: limit)
    }
    func logNodes(_ places: [LogNode.Place]) async throws(StoreError) -> [LogNode] {
        let log = try await opened().log
        return places.compactMap(log.node)
    }
    func logSources(
        _ kind: LogKind, after row: Int64, through last: Int64
    ) async throws(StoreError) -> [LogSource] {
        try await opened().logSources(kind, after: row, through: last).sources
    }
}
