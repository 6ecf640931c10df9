package import BenjiProtocol
package import Store

extension [StoreLock] {
    /// Everything of faces one after the other; consents and sealed keys go with it.
    static let faceWrites: [StoreLock] = [.faces, .masterKeys.shared, .consents.shared]
}

extension TableStore {
    package func faceAccount(subscription: Int64, epoch: Int32) async throws(StoreError) -> FaceAccountRecord? {
        try await read("read face account") { db in
            try db.row(
                "\(FaceRows.accounts) WHERE a.subscription = $1 AND a.epoch = $2", of: "face_account", subscription,
                epoch,
                read: FaceRows.account)
        }
    }

    package func faceBinding(account: Int64, app: AppID) async throws(StoreError) -> FaceBindingRecord? {
        try await read("read face binding") { db in try FaceRows.binding(account, app, db) }
    }

    package func faceBinding(uid: String, app: AppID) async throws(StoreError) -> FaceBindingRecord? {
        try await read("read face binding") { db in
            try db.row(
                "\(FaceRows.bindings) WHERE app = $1 AND uid = $2", of: "face_binding", app.rawValue, uid,
                read: FaceRows.binding)
        }
    }

    package func finishFaceLogin(_ login: FaceLoginWrite) async throws(StoreError) -> FaceLoginOutcome {
        try await write("finish face login", locks: .faceWrites) { db in
            // Nothing is written before everything is known to hold: a refusal leaves no trace.
            if let refusal = try FaceRows.refusal(login, db) { return refusal }
            let account: Int64
            switch login.account {
            case .new(let record): account = try FaceRows.insert(record, db)
            case .known(let id, let terms, let simGeneration):
                account = id
                try FaceRows.prove(id, simGeneration, at: login.binding.verifiedAt, db)
                try db.run("UPDATE face_account SET unbound_at = NULL WHERE id = $1 AND unbound_at IS NOT NULL", id)
                // A yes to the groups was one under the terms of then.
                if try db.run("UPDATE face_account SET terms = $1 WHERE id = $2 AND terms <> $1", terms, id) > 0 {
                    try db.run(
                        """
                        UPDATE face_binding SET groups_agreed_at = NULL, revision = revision + 1
                        WHERE account = $1 AND groups_agreed_at IS NOT NULL
                        """, id)
                }
            }
            try FaceRows.put(login.binding, account: account, db)
            try db.insert(login.consents)
            for var credential in login.credentials {
                credential.account = account
                if credential.kind == .remembered {
                    try db.run(
                        """
                        UPDATE face_credential SET revoked = true
                        WHERE account = $1 AND app = $2 AND (device_key = $3 OR (device_key IS NULL AND $3 IS NULL))
                            AND kind = 'remembered'
                        """, account, credential.appID.rawValue, credential.deviceKey)
                }
                try FaceRows.insert(credential, db)
            }
            return .done(account: account)
        }
    }

    package func faceCredential(_ hash: CredentialHash) async throws(StoreError) -> FaceCredentialLookup {
        try await read("read face credential") { db in try FaceRows.lookUp(hash, db) }
    }

    package func remembersFaceDevice(
        _ deviceKey: String, app: AppID, now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await read("look for a face device") { db in
            try db.hasRow(
                """
                SELECT 1 FROM face_credential
                WHERE device_key = $1 AND app = $2 AND kind = 'remembered' AND \(Transaction.isFalse("revoked")) AND \
                expires_at > $3
                """, deviceKey, app.rawValue, now.milliseconds)
        }
    }

    package func exchangeFaceCredential(_ exchange: FaceExchange) async throws(StoreError) -> FaceExchangeOutcome {
        try await write("exchange face credential", locks: .faceWrites) { db in
            guard let spent = try FaceRows.spend(exchange, db) else { return try FaceRows.refusal(exchange, db) }
            guard let holding = try FaceRows.holding(spent, db) else {
                throw StoreError(.corrupt, "exchange face credential: its account is not there")
            }
            for var next in exchange.next {
                next.account = spent.account
                next.family = spent.family
                try FaceRows.insert(next, db)
            }
            return .spent(holding)
        }
    }

    package func revokeFaceCredentials(family: Int64) async throws(StoreError) {
        try await write("revoke face credentials", locks: .faceWrites) { db in
            try db.run(
                "UPDATE face_credential SET revoked = true WHERE family = $1 AND kind <> 'remembered' AND spent_at IS "
                    + "NULL",
                family)
        }
    }

    package func changeFaceUID(
        account: Int64, app: AppID, revision: Int64, to uid: String, at moment: Timestamp
    ) async throws(StoreError) -> FaceUIDOutcome {
        try await write("change face uid", locks: .faceWrites) { db in
            let owner = try FaceRows.owner(of: uid, app, db)
            guard try FaceRows.binding(account, app, db)?.revision == revision else { return .outdated }
            guard owner == nil || owner == account else { return .taken }
            try db.run(
                """
                UPDATE face_binding SET uid_since = CASE WHEN uid = $1 THEN uid_since ELSE $2 END, uid = $1, \
                random_uid = false,
                    revision = revision + 1
                WHERE account = $3 AND app = $4
                """, uid, moment.milliseconds, account, app.rawValue)
            return .changed
        }
    }

    package func changeFaceInfo(
        account: Int64, app: AppID, revision: Int64, to info: Sealed?
    ) async throws(StoreError) -> Bool {
        try await write("change face info", locks: .faceWrites) { db in
            try db.run(
                "UPDATE face_binding SET sealed_info = $1 WHERE account = $2 AND app = $3 AND revision = $4",
                info?.bytes,
                account, app.rawValue, revision) > 0
        }
    }

    package func noteFaceVerified(
        account: Int64, app: AppID, revision: Int64, at: Timestamp
    ) async throws(StoreError) -> Bool {
        try await write("note face verified", locks: .faceWrites) { db in
            try db.run(
                """
                UPDATE face_binding SET verified_at = CASE WHEN verified_at < $1 THEN $1 ELSE verified_at END
                WHERE account = $2 AND app = $3 AND revision = $4
                    AND EXISTS (SELECT 1 FROM face_account AS a WHERE a.id = face_binding.account AND NOT a.frozen
                        AND \(FaceRows.isProven))
                """, at.milliseconds, account, app.rawValue, revision) > 0
        }
    }

    package func setFaceAccount(
        _ account: Int64, revision: Int64?, frozen: FaceFreezing?, audit: AuditEntry?
    ) async throws(StoreError) -> FaceAccountOutcome {
        try await write("freeze face account", locks: .faceWrites) { db in
            if let outcome = try FaceRows.refusal(account, revision: revision, db) { return outcome }
            try db.run(
                """
                UPDATE face_account SET frozen = $1, frozen_at = $2, frozen_by = $3, revision = revision + 1 WHERE id \
                = $4
                """, frozen != nil, frozen?.at.milliseconds, frozen?.by.rawValue, account)
            try AuditRows.insert(audit, self.rowCodes, db)
            return .done
        }
    }

    package func faceCounts() async throws(StoreError) -> FaceCounts {
        try await read("count faces") { db in
            let counts = try db.row(
                """
                SELECT (SELECT count(*) FROM face_account), (SELECT count(*) FROM face_account WHERE frozen),
                    (SELECT count(*) FROM face_binding)
                """, of: "face_account"
            ) { columns in
                FaceCounts(
                    accounts: try columns.integer(), frozen: try columns.integer(), bindings: try columns.integer())
            }
            return counts ?? FaceCounts(accounts: 0, frozen: 0, bindings: 0)
        }
    }
}
