package import BenjiProtocol
package import Store

/// Face accounts, bindings and credentials as rows.
package enum FaceRows {
    package static let accounts = """
        SELECT a.id, a.subscription, a.epoch, k.sealed_key, a.sealed_template, a.sealed_profile, a.terms,
            a.sim_generation, a.frozen_at, a.frozen_by, a.created_at, a.revision
        FROM face_account AS a JOIN face_key AS k ON k.account = a.id
        """
    /// A condition on `a`: its epoch is the subscription's present one.
    package static let isPresent = """
        EXISTS (SELECT 1 FROM subscription AS s WHERE s.id = a.subscription AND s.epoch = a.epoch)
        """
    /// A condition on `a`: also, its holder has proven the number by the present SIM. Its credentials hold only then.
    static let isProven = """
        EXISTS (SELECT 1 FROM subscription AS s WHERE s.id = a.subscription AND s.epoch = a.epoch
            AND s.sim_generation = a.sim_generation)
        """
    package static let bindings = """
        SELECT account, app, uid, random_uid, open_id, sealed_info, authorized_at, verified_at,
            groups_agreed_at, uid_since, revision
        FROM face_binding
        """
    private static let columns = "hash, kind, family, app, account, device_key, issued_at, expires_at"

    package static func account(_ columns: inout some Columns) throws -> FaceAccountRecord {
        FaceAccountRecord(
            id: try columns.integer(), subscription: try columns.integer(), epoch: try columns.integer(),
            sealedKey: Sealed(bytes: try columns.bytes()), sealedTemplate: Sealed(bytes: try columns.bytes()),
            sealedProfile: Sealed(bytes: try columns.bytes()), terms: try columns.text(),
            simGeneration: try columns.integer(), frozen: try freezing(&columns), createdAt: try columns.timestamp(),
            revision: try columns.integer())
    }

    private static func freezing(_ columns: inout some Columns) throws -> FaceFreezing? {
        let moment = try columns.optionalInteger().map(Timestamp.init(milliseconds:))
        let party = try columns.optionalText().flatMap(FaceFreezing.Party.init(rawValue:))
        return moment.map { FaceFreezing(at: $0, by: party ?? .operator) }
    }

    package static func binding(_ columns: inout some Columns) throws -> FaceBindingRecord {
        FaceBindingRecord(
            account: try columns.integer(), appID: try columns.raw(), uid: try columns.text(),
            isRandomUID: try columns.bool(), openID: try columns.text(),
            sealedInfo: try columns.optionalBytes().map { Sealed(bytes: $0) }, authorizedAt: try columns.timestamp(),
            verifiedAt: try columns.timestamp(),
            groupsAgreedAt: try columns.optionalInteger().map(Timestamp.init(milliseconds:)),
            uidSince: try columns.timestamp(), revision: try columns.integer())
    }

    private static func credential(_ columns: inout some Columns) throws -> FaceCredential {
        FaceCredential(
            hash: try columns.hash(), kind: try columns.raw(), family: try columns.integer(), appID: try columns.raw(),
            account: try columns.integer(), deviceKey: try columns.optionalText(), issuedAt: try columns.timestamp(),
            expiresAt: try columns.timestamp())
    }

    package static func binding(_ account: Int64, _ app: AppID, _ db: some StatementRunner) throws -> FaceBindingRecord?
    {
        try db.row(
            "\(bindings) WHERE account = $1 AND app = $2", of: "face_binding", account, app.rawValue, read: binding)
    }

    static func owner(of uid: String, _ app: AppID, _ db: some StatementRunner) throws -> Int64? {
        try db.row(
            "SELECT account FROM face_binding WHERE app = $1 AND uid = $2", of: "face_binding", app.rawValue, uid
        ) { try $0.integer() }
    }

    // MARK: a login

    /// Why a login cannot be written; `nil` if it can.
    static func refusal(_ login: FaceLoginWrite, _ db: some StatementRunner) throws -> FaceLoginOutcome? {
        var present: Int64?
        switch login.account {
        case .new(let record):
            let row = try SubscriptionRows.find(record.subscription, db)
            guard let row, row.epoch == record.epoch, row.simGeneration == record.simGeneration else {
                return .accountGone
            }
            let isTaken = try db.hasRow(
                "SELECT 1 FROM face_account WHERE subscription = $1 AND epoch = $2", record.subscription, record.epoch)
            if isTaken { return .accountExists }
        case .known(let id, _, let simGeneration):
            let found = try db.row(
                "\(accounts) WHERE a.id = $1 AND \(isPresent)", of: "face_account", id, read: account)
            guard let found, try SubscriptionRows.find(found.subscription, db)?.simGeneration == simGeneration else {
                return .accountGone
            }
            if found.isFrozen { return .accountFrozen }
            present = id
        }
        let bound = try present.flatMap { try binding($0, login.binding.appID, db) }
        guard bound?.revision == login.present else { return .bindingChanged }
        let owner = try owner(of: login.binding.uid, login.binding.appID, db)
        return owner == nil || owner == present ? nil : .uidTaken
    }

    package static func insert(_ record: FaceAccountRecord, _ db: some StatementRunner) throws -> Int64 {
        let id = try db.insert(
            """
            INSERT INTO face_account (subscription, epoch, sealed_template, sealed_profile, terms, sim_generation, \
            frozen,
                created_at)
            VALUES ($1,$2,$3,$4,$5,$6,false,$7) RETURNING id
            """, of: "face_account", record.subscription, record.epoch, record.sealedTemplate.bytes,
            record.sealedProfile.bytes,
            record.terms, record.simGeneration, record.createdAt.milliseconds)
        try MasterKeyRows.check(record.sealedKey, db)
        try db.run("INSERT INTO face_key (account, sealed_key) VALUES ($1,$2)", id, record.sealedKey.bytes)
        return id
    }

    /// A binding that is new gets a revision that no earlier one of the account had, but by chance.
    static func put(_ binding: FaceBindingRecord, account: Int64, _ db: some StatementRunner) throws {
        try db.run(
            """
            INSERT INTO face_binding (account, app, uid, random_uid, open_id, sealed_info, authorized_at, verified_at,
                groups_agreed_at, uid_since, revision)
            VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$7,$10)
            ON CONFLICT (account, app) DO UPDATE SET uid = excluded.uid, random_uid = excluded.random_uid,
                open_id = excluded.open_id, sealed_info = coalesce(excluded.sealed_info, face_binding.sealed_info),
                verified_at = excluded.verified_at,
                groups_agreed_at = coalesce(excluded.groups_agreed_at, face_binding.groups_agreed_at),
                uid_since = CASE WHEN face_binding.uid = excluded.uid THEN face_binding.uid_since ELSE \
            excluded.uid_since END,
                revision = face_binding.revision + CASE WHEN face_binding.uid <> excluded.uid OR \
            excluded.groups_agreed_at IS NOT NULL
                    THEN 1 ELSE 0 END
            """, account, binding.appID.rawValue, binding.uid, binding.isRandomUID, binding.openID,
            binding.sealedInfo?.bytes, binding.authorizedAt.milliseconds, binding.verifiedAt.milliseconds,
            binding.groupsAgreedAt?.milliseconds, Int64.random(in: 1...1 << 62))
    }

    // MARK: credentials

    package static func insert(_ credential: FaceCredential, _ db: some StatementRunner) throws {
        try db.run(
            "INSERT INTO face_credential (\(columns)) VALUES ($1,$2,$3,$4,$5,$6,$7,$8)", credential.hash.bytes,
            credential.kind.rawValue, credential.family, credential.appID.rawValue, credential.account,
            credential.deviceKey, credential.issuedAt.milliseconds, credential.expiresAt.milliseconds)
    }

    private struct Found {
        var credential: FaceCredential
        var spent: Bool
        var revoked: Bool
        var ending: FaceEnding?
    }

    private static func find(_ hash: CredentialHash, _ db: some StatementRunner) throws -> Found? {
        try db.row(
            "SELECT \(columns), spent_at IS NOT NULL, revoked, ended_at, ended_by FROM face_credential WHERE hash = $1",
            of: "face_credential", hash.bytes
        ) { columns in
            var found = Found(
                credential: try credential(&columns), spent: try columns.bool(), revoked: try columns.bool())
            let moment = try columns.optionalInteger().map(Timestamp.init(milliseconds:))
            let cause = try columns.optionalText().flatMap(FaceEnding.Cause.init(rawValue:))
            if let moment, let cause { found.ending = FaceEnding(cause, at: moment) }
            return found
        }
    }

    /// Returns the ending of a credential: the recorded one, or a SIM by which the holder has not proven the number.
    private static func ending(_ found: Found, _ db: some StatementRunner) throws -> FaceEnding? {
        if let ending = found.ending { return ending }
        return try db.row(
            """
            SELECT s.sim_changed_at FROM face_account AS a JOIN subscription AS s ON s.id = a.subscription AND s.epoch \
            = a.epoch
            WHERE a.id = $1 AND s.sim_generation <> a.sim_generation
            """, of: "subscription", found.credential.account
        ) { FaceEnding(.sim, at: try $0.timestamp()) }
    }

    /// Returns the account and binding of a credential. `nil` if its account is gone or has another epoch or SIM.
    static func holding(_ credential: FaceCredential, _ db: some StatementRunner) throws -> ActiveFaceCredential? {
        try db.row(
            "\(accounts) WHERE a.id = $1 AND \(isProven)", of: "face_account", credential.account, read: account
        ).map {
            ActiveFaceCredential(
                credential: credential, account: $0, binding: try binding(credential.account, credential.appID, db))
        }
    }

    static func lookUp(_ hash: CredentialHash, _ db: some StatementRunner) throws -> FaceCredentialLookup {
        guard let found = try find(hash, db) else { return .unknown }
        if found.spent { return .spent(found.credential) }
        guard !found.revoked, let holding = try holding(found.credential, db) else {
            return .revoked(found.credential, try ending(found, db))
        }
        return .live(holding)
    }

    /// Spends the credential if everything holds in this instant; `nil` if not, and then nothing was changed.
    static func spend(_ exchange: FaceExchange, _ db: some StatementRunner) throws -> FaceCredential? {
        try db.row(
            """
            UPDATE face_credential SET spent_at = $5
            WHERE hash = $1 AND kind = $2 AND app = $3 AND (device_key = $4 OR (device_key IS NULL AND $4 IS NULL))
                AND spent_at IS NULL AND NOT revoked
                AND expires_at > $5
                AND EXISTS (SELECT 1 FROM face_account AS a WHERE a.id = face_credential.account AND NOT a.frozen
                    AND \(isProven))
                AND EXISTS (SELECT 1 FROM face_binding AS b WHERE b.account = face_credential.account AND b.app = $3)
            RETURNING \(columns)
            """, of: "face_credential", exchange.hash.bytes, exchange.kind.rawValue, exchange.appID.rawValue,
            exchange.deviceKey, exchange.now.milliseconds, read: credential)
    }

    /// Why ``spend(_:_:)`` did not: the first reason in the order that ``FaceExchangeOutcome`` documents.
    static func refusal(_ exchange: FaceExchange, _ db: some StatementRunner) throws -> FaceExchangeOutcome {
        guard let found = try find(exchange.hash, db), found.credential.kind == exchange.kind,
            found.credential.appID == exchange.appID, found.credential.deviceKey == exchange.deviceKey
        else { return .unknown }
        let credential = found.credential
        if found.spent { return .alreadySpent(credential) }
        if exchange.now >= credential.expiresAt { return .expired(credential) }
        guard !found.revoked, let holding = try holding(credential, db), holding.binding != nil else {
            return .revoked(credential, try ending(found, db))
        }
        guard holding.account.isFrozen else {
            throw StoreError(.corrupt, "exchange face credential: refused without a reason")
        }
        return .frozen(credential)
    }

    // MARK: standing

    /// Why an account that was read with this revision may not be changed; `nil` if it may.
    static func refusal(_ account: Int64, revision: Int64?, _ db: some StatementRunner) throws -> FaceAccountOutcome? {
        let present = try db.row("SELECT revision FROM face_account WHERE id = $1", of: "face_account", account) {
            try $0.integer(Int64.self)
        }
        guard let present else { return .gone }
        return revision == nil || revision == present ? nil : .outdated
    }

    /// Records that the holder has proven the number by this SIM. A new SIM ends the credentials of the one before.
    static func prove(_ account: Int64, _ simGeneration: Int32, at moment: Timestamp, _ db: some StatementRunner) throws
    {
        let isNew = try db.run(
            "UPDATE face_account SET sim_generation = $1, revision = revision + 1 WHERE id = $2 AND sim_generation <> "
                + "$1",
            simGeneration, account)
        if isNew > 0 { try end(account, app: nil, FaceEnding(.sim, at: moment), db) }
    }

    /// Ends the credentials of an account, of one app or of all.
    static func end(_ account: Int64, app: AppID?, _ ending: FaceEnding, _ db: some StatementRunner) throws {
        try db.run(
            """
            UPDATE face_credential SET revoked = true, ended_at = coalesce(ended_at, $1), ended_by = \
            coalesce(ended_by, $2)
            WHERE account = $3 AND ($4 IS NULL OR app = $4) AND spent_at IS NULL
            """, ending.at.milliseconds, ending.cause.rawValue, account, app?.rawValue)
    }
}
