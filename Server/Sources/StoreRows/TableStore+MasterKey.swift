package import BenjiProtocol
package import Store

extension TableStore {
    package func masterKeyRing() async throws(StoreError) -> MasterKeyRing {
        try await read("read master keys") { db in try MasterKeyRows.ring(db) }
    }

    package func receiptKeys() async throws(StoreError) -> [ReceiptKeyRecord] {
        try await readOne("read receipt keys") { db in try MasterKeyRows.receiptKeys(db) }
    }

    package func tie(
        to key: MasterKeyRecord, dataSecrets: Sealed, receiptKey: ReceiptKeyRecord
    ) async throws(StoreError) -> MasterKeyRing {
        try await write("tie to a master key", locks: [.masterKeys]) { db in
            if try !db.hasRow("SELECT 1 FROM master_key") {
                try MasterKeyRows.insert(key, db)
                try db.run("INSERT INTO data_secrets (id, sealed) VALUES (1, $1)", dataSecrets.bytes)
                try MasterKeyRows.insert(receiptKey, db)
            }
            return try MasterKeyRows.ring(db)
        }
    }

    package func beginRotation(
        from current: MasterKeyCheck, to check: MasterKeyCheck, at moment: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) {
        try await write("begin key rotation", locks: [.masterKeys]) { db in
            guard try !db.hasRow("SELECT 1 FROM master_key WHERE state = 'outgoing'"),
                try db.run(
                    "UPDATE master_key SET state = 'outgoing' WHERE check_value = $1 AND state = 'current'",
                    current.bytes) == 1
            else { throw StoreError(.outdated, "begin key rotation: one is under way, or the key is another one") }
            try MasterKeyRows.insert(MasterKeyRecord(check: check, state: .current, since: moment), db)
            try AuditRows.insert(audit, self.rowCodes, db)
        }
    }

    package func endRotation(at moment: Timestamp, audit: AuditEntry?) async throws(StoreError) -> Bool {
        try await write("end key rotation", locks: [.masterKeys]) { db in
            let ring = try MasterKeyRows.ring(db)
            guard ring.outgoing != nil, let key = ring.current?.check.id else {
                throw StoreError(.outdated, "end key rotation: none is under way")
            }
            guard try SealedRows.others(notUnder: key, limit: 1, db).isEmpty else { return false }
            try db.run(
                "UPDATE master_key SET state = 'retired', retired_at = $1 WHERE state = 'outgoing'",
                moment.milliseconds)
            try AuditRows.insert(audit, self.rowCodes, db)
            return true
        }
    }

    package func subscriptions(
        notUnder key: MasterKeyID, after row: Int64, limit: Int
    ) async throws(StoreError) -> [SubscriptionRecord] {
        try await read("read subscriptions") { db in
            try SubscriptionRows.find(notUnder: key, after: row, limit: limit, db)
        }
    }

    package func sealedValues(
        notUnder key: MasterKeyID, limit: Int
    ) async throws(StoreError) -> [SealedValue] {
        try await read("read sealed values") { db in try SealedRows.others(notUnder: key, limit: limit, db) }
    }

    package func reseal(
        _ changes: [(old: SubscriptionRecord, new: SubscriptionRecord)]
    ) async throws(StoreError) -> Int {
        try await write("seal subscriptions anew", locks: [.masterKeys.shared]) { db in
            try changes.sorted { $0.old.id < $1.old.id }.reduce(0) { count, change in
                try MasterKeyRows.check(change.new.sealedNumber, db)
                return try count + SubscriptionRows.reseal(change.old, change.new, db)
            }
        }
    }

    package func reseal(_ changes: [(old: SealedValue, new: Sealed)]) async throws(StoreError) -> Int {
        try await write("seal values anew", locks: [.orders, .masterKeys.shared]) { db in
            try changes.reduce(0) { count, change in
                try MasterKeyRows.check(change.new, db)
                return try count + SealedRows.replace(change.old, change.new, db)
            }
        }
    }

    package func sealedCounts() async throws(StoreError) -> [SealedCount] {
        try await read("count sealed values") { db in try SealedRows.counts(db) }
    }

    package func addReceiptKey(
        _ key: ReceiptKeyRecord, othersUntil until: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) {
        try await write("add receipt key", locks: [.orders, .masterKeys.shared]) { db in
            if let sealed = key.sealedKey { try MasterKeyRows.check(sealed, db) }
            try db.run(
                "UPDATE receipt_key SET ends_at = $1, sealed_key = NULL WHERE ends_at IS NULL", until.milliseconds)
            try MasterKeyRows.insert(key, db)
            try AuditRows.insert(audit, self.rowCodes, db)
        }
    }
}
