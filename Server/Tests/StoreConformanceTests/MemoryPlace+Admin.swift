import Store

extension MemoryPlace {
    func create(_ record: AdminRecord, audit: AuditEntry?) throws(StoreError) {
        let isTaken = adminRecords.contains { other in
            (other.name == record.name && flaw != .givesAdminNamesTwice) || other.credential == record.credential
        }
        guard !isTaken else { throw StoreError(.alreadyExists, "admin") }
        try beside(audit) { adminRecords.append(record) }
    }

    func update(_ record: AdminRecord, audit: AuditEntry?) throws(StoreError) -> Bool {
        guard let index = adminRecords.firstIndex(where: { $0.name == record.name }) else { return false }
        try beside(audit) {
            var changed = record
            changed.lastUsedDay = adminRecords[index].lastUsedDay
            if flaw == .keepsFormerCredentials { changed.credential = adminRecords[index].credential }
            adminRecords[index] = changed
        }
        return true
    }

    func noteAdminUse(_ name: String, day: Int32) {
        for index in adminRecords.indices where adminRecords[index].name == name {
            adminRecords[index].lastUsedDay = max(adminRecords[index].lastUsedDay ?? 0, day)
        }
    }
}
