public import BenjiProtocol
import GRDB
public import Store

extension SQLiteStore {
    public func faceAccount(subscription: Int64, epoch: Int32) async throws(StoreError) -> FaceAccountRecord? {
        try await read("read face account") { db in
            try db.row(
                "\(FaceRows.accounts) WHERE a.subscription = ? AND a.epoch = ?", of: "face_account", subscription,
                epoch,
                read: FaceRows.account)
        }
    }

    public func faceBinding(account: Int64, app: AppID) async throws(StoreError) -> FaceBindingRecord? {
        try await read("read face binding") { db in try FaceRows.binding(account, app, db) }
    }

    public func faceBinding(uid: String, app: AppID) async throws(StoreError) -> FaceBindingRecord? {
        try await read("read face binding") { db in
            try db.row(
                "\(FaceRows.bindings) WHERE app = ? AND uid = ?", of: "face_binding", app.rawValue, uid,
                read: FaceRows.binding)
        }
    }

    public func finishFaceLogin(_ login: FaceLoginWrite) async throws(StoreError) -> FaceLoginOutcome {
        try await write("finish face login") { db in
            // Nothing is written before everything is known to hold: a refusal leaves no trace.
            if let refusal = try FaceRows.refusal(login, db) { return refusal }
            let account: Int64
            switch login.account {
            case .new(let record): account = try FaceRows.insert(record, db)
            case .known(let id, let terms):
                account = id
                // A yes to the groups was one under the terms of then.
                if try db.run("UPDATE face_account SET terms = ?1 WHERE id = ?2 AND terms <> ?1", terms, id) > 0 {
                    try db.run("UPDATE face_binding SET groups_agreed_at = NULL WHERE account = ?", id)
                }
            }
            try FaceRows.put(login.binding, account: account, db)
            for consent in login.consents { try ConsentRows.insert(consent, db) }
            for var credential in login.credentials {
                credential.account = account
                if credential.kind == .remembered {
                    try db.run(
                        """
                        UPDATE face_credential SET revoked = 1
                        WHERE account = ? AND app = ? AND device_key IS ? AND kind = 'remembered'
                        """, account, credential.appID.rawValue, credential.deviceKey)
                }
                try FaceRows.insert(credential, db)
            }
            return .done(account: account)
        }
    }

    public func faceCredential(_ hash: CredentialHash) async throws(StoreError) -> FaceCredentialLookup {
        try await read("read face credential") { db in try FaceRows.lookUp(hash, db) }
    }

    public func exchangeFaceCredential(_ exchange: FaceExchange) async throws(StoreError) -> FaceExchangeOutcome {
        try await write("exchange face credential") { db in
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

    public func revokeFaceCredentials(family: Int64) async throws(StoreError) {
        try await write("revoke face credentials") { db in
            try db.run(
                "UPDATE face_credential SET revoked = 1 WHERE family = ? AND kind <> 'remembered' AND spent_at IS NULL",
                family)
        }
    }

    public func changeFaceUID(
        account: Int64, app: AppID, to uid: String
    ) async throws(StoreError) -> FaceUIDOutcome {
        try await write("change face uid") { db in
            let owner = try FaceRows.owner(of: uid, app, db)
            guard try FaceRows.binding(account, app, db) != nil else { return .gone }
            guard owner == nil || owner == account else { return .taken }
            try db.run(
                "UPDATE face_binding SET uid = ?, random_uid = 0 WHERE account = ? AND app = ?", uid, account,
                app.rawValue)
            return .changed
        }
    }

    public func changeFaceInfo(account: Int64, app: AppID, to info: Sealed?) async throws(StoreError) -> Bool {
        try await write("change face info") { db in
            try db.run(
                "UPDATE face_binding SET sealed_info = ? WHERE account = ? AND app = ?", info?.bytes, account,
                app.rawValue) > 0
        }
    }

    public func noteFaceVerified(account: Int64, app: AppID, at: Timestamp) async throws(StoreError) -> Bool {
        try await write("note face verified") { db in
            try db.run(
                """
                UPDATE face_binding SET verified_at = max(verified_at, ?) WHERE account = ? AND app = ?
                    AND EXISTS (SELECT 1 FROM face_account AS a WHERE a.id = face_binding.account AND a.frozen = 0
                        AND \(FaceRows.isPresent))
                """, at.milliseconds, account, app.rawValue) > 0
        }
    }

    public func setFaceAccount(_ account: Int64, frozen: Bool) async throws(StoreError) -> Bool {
        try await write("freeze face account") { db in
            try db.run("UPDATE face_account SET frozen = ? WHERE id = ?", frozen, account) > 0
        }
    }

    public func faceCounts() async throws(StoreError) -> FaceCounts {
        try await read("count faces") { db in
            let counts = try db.row(
                """
                SELECT (SELECT count(*) FROM face_account), (SELECT count(*) FROM face_account WHERE frozen = 1),
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
