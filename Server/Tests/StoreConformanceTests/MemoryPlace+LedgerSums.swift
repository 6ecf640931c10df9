import BenjiProtocol
import Store

/// Counts of entries up to a mark.
struct MemoryLedgerSums {
    var mark: Int64 = 0
    /// By app, and by counts without their answers.
    var answers: [AppID: [LedgerCount: Int]] = [:]
}

extension MemoryPlace {
    func sumLedger(limit: Int) async -> Int {
        let new = zip(entries, entryDays).filter { $0.0.id > ledgerSums.mark }.prefix(limit)
        await gap(.sumsInTwoSteps)
        guard let last = new.last, last.0.id > ledgerSums.mark || flaw == .sumsInTwoSteps else { return 0 }
        if flaw != .sumsTheSameAgain { ledgerSums.mark = last.0.id }
        for (entry, day) in new where day >= ledgerBegin || flaw == .keepsSumsOfGoneDays {
            ledgerSums.answers[entry.appID, default: [:]][Self.key(of: entry, day), default: 0] += 1
        }
        return new.count
    }

    func counts(_ app: AppID, _ days: ClosedRange<Int32>) -> [LedgerCount] {
        var found = ledgerSums.answers[app] ?? [:]
        for (entry, day) in zip(entries, entryDays)
        where (entry.appID == app || flaw == .countsOtherAppsLines)
            && (day >= ledgerBegin || flaw == .keepsSumsOfGoneDays)
            && (entry.id > ledgerSums.mark && flaw != .statesSumsAlone)
        {
            found[Self.key(of: entry, day), default: 0] += 1
        }
        return found.filter { days.contains($0.key.day) }.map { key, answers in
            var count = key
            count.answers = answers
            return count
        }
        .sorted { ($0.day, $0.interface, $0.result) < ($1.day, $1.interface, $1.result) }
    }

    private static func key(of entry: LedgerEntry, _ day: Int32) -> LedgerCount {
        LedgerCount(day: day, interface: entry.interface, result: entry.result, answers: 0)
    }

    func forgetSums(before day: Int32) {
        guard flaw != .keepsSumsOfGoneDays else { return }
        ledgerSums.answers = ledgerSums.answers.mapValues { $0.filter { $0.key.day >= day } }
    }
}

extension MemoryStore {
    func sumLedger(limit: Int) async throws(StoreError) -> Int { try await opened().sumLedger(limit: limit) }
}
