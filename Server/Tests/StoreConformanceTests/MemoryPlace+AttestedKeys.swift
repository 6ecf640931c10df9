import BenjiProtocol
import Store

extension MemoryPlace {
    private func place(_ id: String, _ app: AppID) -> Int? {
        attestedKeys.firstIndex { $0.id == id && $0.appID == app }
    }

    func insert(_ record: AttestedKeyRecord) -> Bool {
        if let known = place(record.id, record.appID) {
            guard flaw == .revivesAttestedKeys, attestedKeys[known].revokedAt != nil else { return false }
            attestedKeys[known] = record
            return true
        }
        if flaw != .keepsFormerAttestedKeys {
            for place in attestedKeys.indices
            where attestedKeys[place].appID == record.appID && attestedKeys[place].deviceKey == record.deviceKey {
                attestedKeys[place].revokedAt = attestedKeys[place].revokedAt ?? record.createdAt
            }
        }
        attestedKeys.append(record)
        return true
    }

    func attestedKey(_ id: String, _ app: AppID) -> AttestedKeyRecord? { place(id, app).map { attestedKeys[$0] } }

    func advance(_ id: String, _ app: AppID, _ counter: Int64, _ now: Timestamp) async -> Bool {
        guard let place = place(id, app), attestedKeys[place].revokedAt == nil else { return false }
        let isAbove =
            flaw == .takesEqualCounters
            ? attestedKeys[place].counter <= counter : attestedKeys[place].counter < counter
        guard isAbove else { return false }
        await gap(.advancesAttestedKeysInTwoSteps)
        attestedKeys[place].counter = counter
        attestedKeys[place].usedAt = now
        return true
    }

    func attestedKeys(_ app: AppID, _ deviceKey: String?, _ limit: Int) -> [AttestedKeyRecord] {
        Array(
            attestedKeys.filter { $0.appID == app && deviceKey ?? $0.deviceKey == $0.deviceKey }
                .sorted { ($1.createdAt, $0.id) < ($0.createdAt, $1.id) }.prefix(limit))
    }

    func removeAttestedKeys(of app: AppID) {
        if flaw != .keepsAttestedKeysOfErasedApps { attestedKeys.removeAll { $0.appID == app } }
    }

    func revoke(_ id: String, _ app: AppID, _ moment: Timestamp, _ audit: AuditEntry?) throws(StoreError) -> Bool {
        guard let place = place(id, app), attestedKeys[place].revokedAt == nil else { return false }
        try beside(audit) { attestedKeys[place].revokedAt = moment }
        return true
    }
}

extension MemoryStore {
    func insertAttestedKey(_ record: AttestedKeyRecord) async throws(StoreError) -> Bool {
        try await opened().insert(record)
    }
    func attestedKey(_ id: String, of app: AppID) async throws(StoreError) -> AttestedKeyRecord? {
        try await opened().attestedKey(id, app)
    }
    func advanceAttestedKey(
        _ id: String, of app: AppID, to counter: Int64, now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await opened().advance(id, app, counter, now)
    }
    func attestedKeys(of app: AppID, deviceKey: String?, limit: Int) async throws(StoreError) -> [AttestedKeyRecord] {
        try await opened().attestedKeys(app, deviceKey, limit)
    }
    func revokeAttestedKey(
        _ id: String, of app: AppID, at moment: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) -> Bool {
        try await opened().revoke(id, app, moment, audit)
    }
}
