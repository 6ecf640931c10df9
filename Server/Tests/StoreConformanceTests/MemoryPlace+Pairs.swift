import BenjiProtocol
import Sightings
import Store

/// A pair of gateways and its record.
struct MemoryPair: Sendable {
    var standing = PairStanding()
    var entries: [[UInt8]: (entry: PairEntry, sequence: Int64, endedAt: Timestamp?)] = [:]
}

extension MemoryPlace {
    func standing(_ pair: String) -> PairStanding { pairs[pair]?.standing ?? PairStanding() }

    func isOwner(_ fence: PairFence?) -> Bool {
        guard let fence else { return true }
        let standing = standing(fence.pair)
        if flaw == .takesFencesOfOthers { return standing.fence == fence.fence }
        return standing.owner == fence.owner && standing.fence == fence.fence
    }

    func news(_ pair: String, _ after: Int64, _ limit: Int) -> PairNews {
        let standing = standing(pair)
        let found = (pairs[pair]?.entries ?? [:]).values.filter { $0.sequence > after }
            .sorted { $0.sequence < $1.sequence }.prefix(limit)
        let until = found.count < limit ? max(standing.sequence, after) : found.last?.sequence ?? after
        return PairNews(
            standing: standing, entries: found.map(\.entry),
            readUntil: flaw == .readsToTheEndAtOnce ? standing.sequence : until)
    }

    func claim(_ pair: String, _ owner: String, _ seen: PairStanding) async -> PairStanding {
        var standing = standing(pair)
        let isAsSeen =
            standing.fence == seen.fence && (standing.sequence == seen.sequence || flaw == .claimsFromTheLiving)
        await gap(.claimsInTwoSteps)
        if isAsSeen {
            standing.owner = owner
            if flaw != .keepsTheFence { standing.fence += 1 }
            standing.sequence += 1
            pairs[pair, default: MemoryPair()].standing = standing
        }
        return standing
    }

    func record(_ new: [PairEntry], _ fence: PairFence, _ after: Int64, _ moment: Timestamp) -> PairRecording {
        guard isOwner(fence) || flaw == .recordsForReplacedGateways, var pair = pairs[fence.pair] else {
            return .replaced
        }
        guard pair.standing.sequence == after || flaw == .recordsTwice else {
            return .overtaken(sequence: pair.standing.sequence)
        }
        if new.isEmpty, flaw != .hidesTheLiving { pair.standing.sequence += 1 }
        for entry in new {
            pair.standing.sequence += 1
            pair.entries[entry.key] = (entry, pair.standing.sequence, entry.isEnd ? moment : nil)
        }
        pairs[fence.pair] = pair
        return .recorded(sequence: pair.standing.sequence)
    }

    func release(_ fence: PairFence) {
        guard isOwner(fence), var pair = pairs[fence.pair] else { return }
        pair.standing.owner = nil
        pair.standing.sequence += 1
        pairs[fence.pair] = pair
    }

    func deleteEnds(_ moment: Timestamp, _ limit: Int) -> Int {
        var count = 0
        for (name, pair) in pairs {
            let gone = pair.entries.filter { entry in
                entry.value.endedAt.map { $0 < moment || flaw == .forgetsEndsAtTheMoment && $0 == moment } ?? false
            }.prefix(limit - count)
            for (key, entry) in gone {
                pairs[name]?.entries[key] = nil
                guard flaw != .hidesWhatIsForgotten else { continue }
                let until = max(standing(name).forgottenUntil, entry.sequence)
                pairs[name]?.standing.forgottenUntil = until
            }
            count += gone.count
        }
        return count
    }
}
