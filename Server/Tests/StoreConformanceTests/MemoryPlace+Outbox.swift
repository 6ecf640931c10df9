import BenjiProtocol
import Store

/// A row of the outbox, and who has claimed it.
struct MemoryEvent {
    var entry: OutboxEntry
    var lease: String?
}

extension MemoryPlace {
    func queue(_ event: OutboxEvent) throws(StoreError) {
        guard !outbox.contains(where: { $0.entry.event.id == event.id }) else {
            throw StoreError(.alreadyExists, "event")
        }
        outboxCount += 1
        let entry = OutboxEntry(
            row: outboxCount, event: event, state: .waiting, dueAt: event.at, queuedAt: event.at, attempts: 0,
            outcome: nil, triedAt: nil)
        outbox.append(MemoryEvent(entry: entry))
    }

    func removeEvents(of app: AppID) { outbox.removeAll { $0.entry.event.appID == app } }

    func addEvent(_ event: OutboxEvent, _ audit: AuditEntry?) throws(StoreError) {
        try beside(audit) { () throws(StoreError) in try queue(event) }
    }

    private func isDue(_ event: MemoryEvent, _ moment: Timestamp) -> Bool {
        event.entry.state == .waiting
            && (event.entry.dueAt <= moment || (flaw == .ignoresLeases && event.lease != nil))
            && (flaw != .keepsDeadLeases || event.lease == nil)
    }

    func appsWithDueEvents(_ moment: Timestamp) -> [AppID] {
        apps.values.filter { app in
            isTold(app) && outbox.contains { $0.entry.event.appID == app.id && isDue($0, moment) }
        }.map(\.id).sorted { $0.rawValue < $1.rawValue }
    }

    private func isTold(_ app: AppRecord) -> Bool {
        guard let callback = app.callback else { return false }
        return callback.stoppedAt == nil || flaw == .sendsWhatIsStopped
    }

    func claim(
        _ app: AppID, _ moment: Timestamp, _ end: Timestamp, _ lease: String
    ) async -> OutboxEntry? {
        let due = outbox.filter { $0.entry.event.appID == app && isDue($0, moment) }
        guard let first = due.min(by: { ($0.entry.dueAt, $0.entry.row) < ($1.entry.dueAt, $1.entry.row) }) else {
            return nil
        }
        await gap(.claimsEventsInTwoSteps)
        guard let place = outbox.firstIndex(where: { $0.entry.row == first.entry.row }) else { return nil }
        outbox[place].entry.attempts += 1
        outbox[place].entry.dueAt = end
        outbox[place].lease = lease
        return outbox[place].entry
    }

    func settle(_ row: Int64, _ lease: String, _ settlement: OutboxSettlement) -> Bool {
        guard
            let place = outbox.firstIndex(where: {
                $0.entry.row == row && ($0.lease == lease || flaw == .settlesForOthers)
            })
        else { return false }
        outbox[place].lease = nil
        outbox[place].entry.state = settlement.state
        outbox[place].entry.dueAt = settlement.dueAt
        outbox[place].entry.triedAt = settlement.at
        if let outcome = settlement.outcome {
            outbox[place].entry.outcome = outcome
        } else if flaw != .countsBrokenAttempts {
            outbox[place].entry.attempts -= 1
        }
        return true
    }

    func entries(_ app: AppID, _ state: OutboxState?, _ before: Int64?, _ limit: Int) -> [OutboxEntry] {
        let found = outbox.map(\.entry).reversed().filter { entry in
            entry.event.appID == app && (state == nil || entry.state == state)
                && (before.map { entry.row < $0 } ?? true)
        }
        return Array(found.prefix(max(limit, 0)))
    }

    func replay(
        _ app: AppID, _ selection: OutboxSelection, _ moment: Timestamp, _ audit: AuditEntry?
    ) throws(StoreError) -> Int {
        try note(audit)
        var count = 0
        for place in outbox.indices where outbox[place].entry.event.appID == app || flaw == .replaysForAll {
            let entry = outbox[place].entry
            let isMeant =
                switch selection {
                case .event(let id): entry.event.id == id && entry.state != .waiting
                case .dead(let range):
                    entry.state == .dead && (range.since.map { entry.event.at >= $0 } ?? true)
                        && (range.until.map { entry.event.at < $0 } ?? true)
                }
            guard isMeant else { continue }
            outbox[place].lease = nil
            outbox[place].entry.state = .waiting
            outbox[place].entry.dueAt = moment
            outbox[place].entry.queuedAt = moment
            outbox[place].entry.attempts = 0
            count += 1
        }
        return count
    }

    var outboxCounts: OutboxCounts {
        let told = Set(apps.values.filter(isTold).map(\.id))
        let waiting = outbox.map(\.entry).filter { $0.state == .waiting && told.contains($0.event.appID) }
        return OutboxCounts(
            waiting: waiting.count, dead: outbox.count { $0.entry.state == .dead },
            oldest: waiting.map(\.queuedAt).min())
    }

    func giveUp(_ moment: Timestamp, _ limit: Int) -> Int {
        let old = outbox.indices.filter {
            outbox[$0].entry.state == .waiting && outbox[$0].entry.queuedAt < moment
        }.prefix(limit)
        for place in old {
            outbox[place].entry.state = .dead
            outbox[place].lease = nil
        }
        return old.count
    }

    func deleteEvents(_ delivered: Timestamp, _ dead: Timestamp, _ limit: Int) -> Int {
        let old = outbox.indices.filter {
            let entry = outbox[$0].entry
            return switch entry.state {
            case .waiting: false
            case .delivered: entry.queuedAt < delivered && (entry.triedAt.map { $0 < delivered } ?? false)
            case .dead: flaw != .keepsDeadLetters && entry.queuedAt < dead
            }
        }.prefix(limit)
        for place in old.reversed() { outbox.remove(at: place) }
        return old.count
    }
}

extension MemoryStore {
    func addEvent(_ event: OutboxEvent, audit: AuditEntry?) async throws(StoreError) {
        try await opened().addEvent(event, audit)
    }
    func appsWithDueEvents(at moment: Timestamp) async throws(StoreError) -> [AppID] {
        try await opened().appsWithDueEvents(moment)
    }
    func claimEvent(
        of app: AppID, at moment: Timestamp, until end: Timestamp, lease: String
    ) async throws(StoreError) -> OutboxEntry? { try await opened().claim(app, moment, end, lease) }
    func settleEvent(
        _ row: Int64, lease: String, _ settlement: OutboxSettlement
    ) async throws(StoreError) -> Bool { try await opened().settle(row, lease, settlement) }
    func outboxEntries(
        app: AppID, state: OutboxState?, before: Int64?, limit: Int
    ) async throws(StoreError) -> [OutboxEntry] { try await opened().entries(app, state, before, limit) }
    func replayEvents(
        of app: AppID, _ selection: OutboxSelection, at moment: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) -> Int { try await opened().replay(app, selection, moment, audit) }
    func outboxCounts() async throws(StoreError) -> OutboxCounts { try await opened().outboxCounts }
    func giveUpEvents(queuedBefore moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await opened().giveUp(moment, limit)
    }
    func deleteEvents(
        deliveredBefore delivered: Timestamp, deadBefore dead: Timestamp, limit: Int
    ) async throws(StoreError) -> Int { try await opened().deleteEvents(delivered, dead, limit) }
}
