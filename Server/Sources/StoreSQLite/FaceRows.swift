import BenjiProtocol
import GRDB
import Store

/// Face accounts, bindings and credentials as rows.
enum FaceRows {
    static let accounts = """
        SELECT a.id, a.subscription, a.epoch, k.sealed_key, a.sealed_template, a.sealed_profile, a.terms, a.frozen,
            a.created_at
        FROM face_account AS a JOIN face_key AS k ON k.account = a.id
        """
    /// A condition on `a`: its epoch is the subscription's present one.
    static let isPresent = """
        EXISTS (SELECT 1 FROM subscription AS s WHERE s.id = a.subscription AND s.epoch = a.epoch)
        """
    static let bindings = """
        SELECT account, app, uid, random_uid, open_id, sealed_info, authorized_at, verified_at,
            groups_agreed_at
        FROM face_binding
        """
    private static let columns = "hash, kind, family, app, account, device_key, issued_at, expires_at"

    static func account(_ columns: inout ColumnReader) throws -> FaceAccountRecord {
        FaceAccountRecord(
            id: try columns.integer(), subscription: try columns.integer(), epoch: try columns.integer(),
            sealedKey: Sealed(bytes: try columns.bytes()), sealedTemplate: Sealed(bytes: try columns.bytes()),
            sealedProfile: Sealed(bytes: try columns.bytes()), terms: try columns.text(),
            isFrozen: try columns.bool(), createdAt: try columns.timestamp())
    }

    static func binding(_ columns: inout ColumnReader) throws -> FaceBindingRecord {
        FaceBindingRecord(
            account: try columns.integer(), appID: try columns.raw(), uid: try columns.text(),
            isRandomUID: try columns.bool(), openID: try columns.text(),
            sealedInfo: try columns.optionalBytes().map { Sealed(bytes: $0) }, authorizedAt: try columns.timestamp(),
            verifiedAt: try columns.timestamp(),
            groupsAgreedAt: try columns.optionalInteger().map(Timestamp.init(milliseconds:)))
    }

    private static func credential(_ columns: inout ColumnReader) throws -> FaceCredential {
        FaceCredential(
            hash: try columns.hash(), kind: try columns.raw(), family: try columns.integer(), appID: try columns.raw(),
            account: try columns.integer(), deviceKey: try columns.optionalText(), issuedAt: try columns.timestamp(),
            expiresAt: try columns.timestamp())
    }

    static func binding(_ account: Int64, _ app: AppID, _ db: Database) throws -> FaceBindingRecord? {
        try db.row(
            "\(bindings) WHERE account = ? AND app = ?", of: "face_binding", account, app.rawValue, read: binding)
    }

    static func owner(of uid: String, _ app: AppID, _ db: Database) throws -> Int64? {
        try db.row(
            "SELECT account FROM face_binding WHERE app = ? AND uid = ?", of: "face_binding", app.rawValue, uid
        ) { try $0.integer() }
    }

    // MARK: a login

    /// Why a login cannot be written; `nil` if it can.
    static func refusal(_ login: FaceLoginWrite, _ db: Database) throws -> FaceLoginOutcome? {
        var present: Int64?
        switch login.account {
        case .new(let record):
            guard try SubscriptionRows.find(record.subscription, db)?.epoch == record.epoch else { return .accountGone }
            let isTaken = try db.hasRow(
                "SELECT 1 FROM face_account WHERE subscription = ? AND epoch = ?", record.subscription, record.epoch)
            if isTaken { return .accountExists }
        case .known(let id, _):
            let found = try db.row("\(accounts) WHERE a.id = ? AND \(isPresent)", of: "face_account", id, read: account)
            guard let found else { return .accountGone }
            if found.isFrozen { return .accountFrozen }
            present = id
        }
        let bound = try present.flatMap { try binding($0, login.binding.appID, db) }
        guard bound?.mark == login.present else { return .bindingChanged }
        let owner = try owner(of: login.binding.uid, login.binding.appID, db)
        return owner == nil || owner == present ? nil : .uidTaken
    }

    static func insert(_ record: FaceAccountRecord, _ db: Database) throws -> Int64 {
        try db.run(
            """
            INSERT INTO face_account (subscription, epoch, sealed_template, sealed_profile, terms, frozen, created_at)
            VALUES (?,?,?,?,?,?,?)
            """, record.subscription, record.epoch, record.sealedTemplate.bytes, record.sealedProfile.bytes,
            record.terms, record.isFrozen, record.createdAt.milliseconds)
        let id = db.lastInsertedRowID
        try db.run("INSERT INTO face_key (account, sealed_key) VALUES (?,?)", id, record.sealedKey.bytes)
        return id
    }

    static func put(_ binding: FaceBindingRecord, account: Int64, _ db: Database) throws {
        try db.run(
            """
            INSERT INTO face_binding (account, app, uid, random_uid, open_id, sealed_info, authorized_at, verified_at,
                groups_agreed_at)
            VALUES (?,?,?,?,?,?,?,?,?)
            ON CONFLICT (account, app) DO UPDATE SET uid = excluded.uid, random_uid = excluded.random_uid,
                open_id = excluded.open_id, sealed_info = coalesce(excluded.sealed_info, sealed_info),
                verified_at = excluded.verified_at,
                groups_agreed_at = coalesce(excluded.groups_agreed_at, groups_agreed_at)
            """, account, binding.appID.rawValue, binding.uid, binding.isRandomUID, binding.openID,
            binding.sealedInfo?.bytes, binding.authorizedAt.milliseconds, binding.verifiedAt.milliseconds,
            binding.groupsAgreedAt?.milliseconds)
    }

    // MARK: credentials

    static func insert(_ credential: FaceCredential, _ db: Database) throws {
        try db.run(
            "INSERT INTO face_credential (\(columns)) VALUES (?,?,?,?,?,?,?,?)", credential.hash.bytes,
            credential.kind.rawValue, credential.family, credential.appID.rawValue, credential.account,
            credential.deviceKey, credential.issuedAt.milliseconds, credential.expiresAt.milliseconds)
    }

    private static func find(
        _ hash: CredentialHash, _ db: Database
    ) throws -> (credential: FaceCredential, spent: Bool, revoked: Bool)? {
        try db.row(
            "SELECT \(columns), spent_at IS NOT NULL, revoked FROM face_credential WHERE hash = ?",
            of: "face_credential", hash.bytes
        ) { columns in (try credential(&columns), try columns.bool(), try columns.bool()) }
    }

    /// What a credential speaks for; `nil` if its account is gone or another epoch's.
    static func holding(_ credential: FaceCredential, _ db: Database) throws -> FaceHolding? {
        try db.row(
            "\(accounts) WHERE a.id = ? AND \(isPresent)", of: "face_account", credential.account, read: account
        ).map {
            FaceHolding(
                credential: credential, account: $0, binding: try binding(credential.account, credential.appID, db))
        }
    }

    static func lookUp(_ hash: CredentialHash, _ db: Database) throws -> FaceCredentialLookup {
        guard let found = try find(hash, db) else { return .unknown }
        if found.spent { return .spent(found.credential) }
        guard !found.revoked, let holding = try holding(found.credential, db) else {
            return .revoked(found.credential)
        }
        return .live(holding)
    }

    /// Spends the credential if everything holds in this instant; `nil` if not, and then nothing was changed.
    static func spend(_ exchange: FaceExchange, _ db: Database) throws -> FaceCredential? {
        try db.row(
            """
            UPDATE face_credential SET spent_at = ?5
            WHERE hash = ?1 AND kind = ?2 AND app = ?3 AND device_key IS ?4 AND spent_at IS NULL AND revoked = 0
                AND expires_at > ?5
                AND EXISTS (SELECT 1 FROM face_account AS a WHERE a.id = face_credential.account AND a.frozen = 0
                    AND \(isPresent))
                AND EXISTS (SELECT 1 FROM face_binding AS b WHERE b.account = face_credential.account AND b.app = ?3)
            RETURNING \(columns)
            """, of: "face_credential", exchange.hash.bytes, exchange.kind.rawValue, exchange.appID.rawValue,
            exchange.deviceKey, exchange.now.milliseconds, read: credential)
    }

    /// Why ``spend(_:_:)`` did not: the first reason in the order that ``FaceExchangeOutcome`` documents.
    static func refusal(_ exchange: FaceExchange, _ db: Database) throws -> FaceExchangeOutcome {
        guard let found = try find(exchange.hash, db), found.credential.kind == exchange.kind,
            found.credential.appID == exchange.appID, found.credential.deviceKey == exchange.deviceKey
        else { return .unknown }
        let credential = found.credential
        if found.spent { return .alreadySpent(credential) }
        if exchange.now >= credential.expiresAt { return .expired(credential) }
        guard !found.revoked, let holding = try holding(credential, db), holding.binding != nil else {
            return .revoked(credential)
        }
        guard holding.account.isFrozen else {
            throw StoreError(.corrupt, "exchange face credential: refused without a reason")
        }
        return .frozen(credential)
    }
}
