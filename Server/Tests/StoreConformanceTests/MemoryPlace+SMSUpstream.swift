import BenjiProtocol
import Store

/// A text from a phone in a ``MemoryPlace``.
struct MemorySMSUpstream {
    var record: SMSUpstreamRecord
    var isSpent = false
    var hasEnded = false

    func isAlive(_ moment: Timestamp) -> Bool { !isSpent && !hasEnded && record.expiresAt > moment }
}

extension MemoryPlace {
    func issue(_ record: SMSUpstreamRecord, _ budgets: [SMSBudget]) -> SMSBudget.Kind? {
        var counted = smsBudgets
        for budget in budgets.sorted(by: { $0.kind.rawValue < $1.kind.rawValue }) {
            var key = budget
            key.limit = 0
            guard counted[key, default: 0] < budget.limit else { return budget.kind }
            counted[key, default: 0] += 1
        }
        smsBudgets = counted
        smsUpstream.append(MemorySMSUpstream(record: record))
        return nil
    }

    func note(_ arrival: SMSUpstreamArrival) async -> SMSUpstreamArrivalOutcome {
        guard let place = smsUpstream.firstIndex(where: { $0.record.text == arrival.text }) else { return .unknown }
        let found = smsUpstream[place]
        let isInTime = flaw == .takesLateSMSUpstream || found.isAlive(arrival.now)
        guard isInTime else { return .late(found.record) }
        let sender = found.record.number
        await gap(.notesSMSUpstreamInTwoSteps)
        if sender == nil || flaw == .believesTheLastSenderOfSMSUpstream {
            smsUpstream[place].record.number = arrival.number
            smsUpstream[place].record.subscription = arrival.subscription
            return .arrived(smsUpstream[place].record)
        }
        if sender == arrival.number { return .repeated(found.record) }
        if flaw != .keepsContestedSMSUpstream { smsUpstream[place].hasEnded = true }
        return .contested(found.record)
    }

    func standing(_ question: SMSUpstreamQuestion, spends: Bool) async -> SMSUpstreamStanding {
        let place = smsUpstream.firstIndex {
            $0.record.id == question.id
                && ($0.record.appID == question.appID || flaw == .takesSMSUpstreamOfOtherApps)
                && ($0.record.device == question.device || flaw == .takesSMSUpstreamOfOtherDevices)
        }
        guard let place else { return .unknown }
        let found = smsUpstream[place]
        if found.isSpent { return .alreadySpent(found.record) }
        if found.hasEnded { return .ended(found.record) }
        if question.now >= found.record.expiresAt { return .expired(found.record) }
        guard found.record.number != nil else { return .awaited(found.record) }
        await gap(.spendsSMSUpstreamInTwoSteps)
        if spends || flaw == .spendsSMSUpstreamWhenAsked { smsUpstream[place].isSpent = true }
        return .arrived(found.record)
    }

    func deleteSMSUpstream(_ moment: Timestamp, _ limit: Int) -> Int {
        let old = smsUpstream.filter { $0.record.issuedAt < moment }.prefix(max(limit, 0)).map(\.record.id)
        smsUpstream.removeAll { old.contains($0.record.id) }
        return old.count
    }
}

extension MemoryStore {
    func issueSMSUpstream(
        _ record: SMSUpstreamRecord, budgets: [SMSBudget]
    ) async throws(StoreError) -> SMSBudget.Kind? {
        try await opened().issue(record, budgets)
    }
    func noteSMSUpstream(_ arrival: SMSUpstreamArrival) async throws(StoreError) -> SMSUpstreamArrivalOutcome {
        try await opened().note(arrival)
    }
    func standing(of question: SMSUpstreamQuestion) async throws(StoreError) -> SMSUpstreamStanding {
        try await opened().standing(question, spends: false)
    }
    func spendSMSUpstream(_ question: SMSUpstreamQuestion) async throws(StoreError) -> SMSUpstreamStanding {
        try await opened().standing(question, spends: true)
    }
    func deleteSMSUpstream(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await opened().deleteSMSUpstream(moment, limit)
    }
}
