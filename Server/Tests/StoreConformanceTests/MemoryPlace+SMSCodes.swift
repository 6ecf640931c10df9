import BenjiProtocol
import Store

/// An SMS code of a ``MemoryPlace``.
struct MemorySMSCode {
    var record: SMSCodeRecord
    var isSpent = false
    var hasEnded = false
    var isTaken = true
    var message: (sender: String, reference: String)?
    var delivery: String?
}

extension MemoryPlace {
    func issue(_ issue: SMSCodeIssue) async -> SMSCodeIssueOutcome {
        let code = issue.code
        for limit in issue.numberLimits {
            let sent = smsCodes.count { sent in
                sent.record.number == code.number && (sent.isTaken || flaw == .countsMessagesThatNobodyTook)
                    && sent.record.issuedAt > code.issuedAt - limit.window
            }
            guard sent < limit.count else { return .tooManyForNumber }
        }
        await gap(.countsSMSCodesInTwoSteps)
        var counted = smsBudgets
        for budget in issue.budgets.sorted(by: { $0.kind.rawValue < $1.kind.rawValue }) {
            var key = budget
            key.limit = 0
            guard counted[key, default: 0] < budget.limit else {
                if flaw == .countsRefusedSMSCodes { smsBudgets = counted }
                return .budgetUsedUp(budget.kind)
            }
            counted[key, default: 0] += 1
        }
        smsBudgets = counted
        for place in smsCodes.indices where smsCodes[place].record.number == code.number {
            let known = smsCodes[place].record
            guard flaw != .keepsReplacedSMSCodes, known.appID == code.appID || flaw == .replacesSMSCodesOfOtherApps,
                known.purpose == code.purpose
            else { continue }
            smsCodes[place].hasEnded = true
        }
        smsCodes.append(MemorySMSCode(record: code))
        return .issued
    }

    func note(_ submission: SMSCodeSubmission, _ id: SMSTransactionID) {
        guard let place = smsCodes.firstIndex(where: { $0.record.id == id }) else { return }
        switch submission {
        case .accepted(let sender, let reference): smsCodes[place].message = (sender, reference)
        case .notTaken:
            smsCodes[place].isTaken = false
            if flaw != .takesCodesThatNobodySent { smsCodes[place].hasEnded = true }
        }
    }

    func attempt(_ attempt: SMSCodeAttempt) async -> SMSCodeAttemptOutcome {
        guard
            let place = smsCodes.firstIndex(where: {
                $0.record.id == attempt.id && ($0.record.appID == attempt.appID || flaw == .takesSMSCodesOfOtherApps)
                    && $0.record.purpose == attempt.purpose
            })
        else { return .unknown }
        let found = smsCodes[place]
        if found.isSpent, flaw != .spendsSMSCodesTwice { return .alreadySpent(found.record) }
        if found.hasEnded { return .ended(found.record) }
        let isLate =
            flaw == .takesSMSCodesAtTheirEnd
            ? attempt.now > found.record.expiresAt : attempt.now >= found.record.expiresAt
        if isLate { return .expired(found.record) }
        let isRight = found.record.code == attempt.code
        guard found.record.triesLeft > 0 || flaw == .tellsTheRightSMSCode && isRight else {
            return .triesUsedUp(found.record)
        }
        await gap(.triesSMSCodesInTwoSteps)
        if isRight {
            smsCodes[place].isSpent = true
            return .spent(found.record)
        }
        smsCodes[place].record.triesLeft = found.record.triesLeft - 1
        return .wrong(smsCodes[place].record)
    }

    func note(_ delivery: SMSCodeDelivery) -> SMSCodeRecord? {
        let places = smsCodes.indices.filter { place in
            guard let message = smsCodes[place].message,
                (delivery.references + delivery.otherBases).contains(message.reference)
            else { return false }
            let isOfNumber = smsCodes[place].record.number == delivery.number
            let isSameBase = delivery.references.contains(message.reference)
            return (message.sender == delivery.sender || flaw == .mixesSendersUp)
                && (isOfNumber || !delivery.isOfNumber || flaw == .believesPhonesAboutOtherNumbers)
                && (isOfNumber || isSameBase || delivery.number == nil || flaw == .takesOtherBasesOfOtherNumbers)
        }
        func rank(_ place: Int) -> Int {
            let isSameBase = smsCodes[place].message.map { delivery.references.contains($0.reference) } ?? false
            let isOfNumber = smsCodes[place].record.number == delivery.number && flaw != .takesTheFirstReference
            return (isOfNumber ? 2 : 0) + (isSameBase ? 1 : 0)
        }
        // Of equal ones the newest.
        guard let place = places.max(by: { (rank($0), $0) < (rank($1), $1) }) else { return nil }
        smsCodes[place].delivery = delivery.state
        return smsCodes[place].record
    }

    func deleteSMSCodes(_ moment: Timestamp, _ limit: Int) -> Int {
        let old = smsCodes.filter { flaw == .deletesSMSCodesAtTheMoment || $0.record.issuedAt < moment }
            .prefix(max(limit, 0)).map(\.record.id)
        smsCodes.removeAll { old.contains($0.record.id) }
        let ended = smsBudgets.keys.filter { $0.end < moment }.prefix(max(limit, 0))
        for budget in ended { smsBudgets[budget] = nil }
        return old.count + ended.count
    }
}

extension MemoryStore {
    func issueSMSCode(_ issue: SMSCodeIssue) async throws(StoreError) -> SMSCodeIssueOutcome {
        try await opened().issue(issue)
    }
    func noteSubmission(_ submission: SMSCodeSubmission, of id: SMSTransactionID) async throws(StoreError) {
        try await opened().note(submission, id)
    }
    func trySMSCode(_ attempt: SMSCodeAttempt) async throws(StoreError) -> SMSCodeAttemptOutcome {
        try await opened().attempt(attempt)
    }
    func noteDelivery(_ delivery: SMSCodeDelivery) async throws(StoreError) -> SMSCodeRecord? {
        try await opened().note(delivery)
    }
    func delivery(of id: SMSTransactionID) async throws(StoreError) -> String? {
        try await opened().smsCodes.first { $0.record.id == id }?.delivery
    }
    func deleteSMSCodes(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await opened().deleteSMSCodes(moment, limit)
    }
}
