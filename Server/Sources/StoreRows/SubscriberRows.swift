import BenjiProtocol
package import Store

/// Everything that names a row of the register, table by table.
package enum SubscriberRows {
    /// The traces of a row's holders.
    private static let traces = "SELECT DISTINCT trace FROM trace_event WHERE subscription = $1"
    package static let accounts = "SELECT id FROM face_account WHERE subscription = $1"

    package static func counts<DB: StatementRunner>(_ subscription: Int64, _ db: DB) throws -> [SubscriberPart: Int] {
        var counts: [SubscriberPart: Int] = [:]
        for part in SubscriberPart.allCases {
            let rows =
                switch part {
                case .scrips: "scrip WHERE subscription = $1"
                case .tokens: "token WHERE subscription = $1"
                case .openIDCredentials: "openid_credential WHERE subscription = $1"
                case .smsCodes: "sms_code WHERE subscription = $1"
                case .smsUpstream: "sms_upstream WHERE subscription = $1"
                case .familiarKeys: "familiar_key WHERE subscription = $1"
                case .wrongGuesses: "wrong_guess WHERE subscription = $1"
                case .tokenCounts: "number_day WHERE subscription = $1"
                case .traces: "(\(traces)) AS known"
                case .callbackEvents: "outbox WHERE subscription = $1"
                case .consents: "consent WHERE subscription = $1 AND subscription <> 0"
                case .faceAccounts: "face_account WHERE subscription = $1"
                case .faceAuthorizations: "face_binding WHERE account IN (\(accounts))"
                case .faceCredentials: "face_credential WHERE account IN (\(accounts))"
                }
            counts[part] =
                try db.row("SELECT count(*) FROM \(rows)", of: "subscription", subscription) {
                    try $0.integer(Int.self)
                }
        }
        return counts
    }

    /// Removes everything but evidence, and unlinks that from the subscriber. Changes nothing if there is nothing.
    package static func erase<DB: StatementRunner>(_ subscription: Int64, openIDs: [String], _ db: DB) throws {
        for account in try db.rows(accounts, of: "face_account", subscription, read: { try $0.integer(Int64.self) }) {
            // No device remains to be notified: their credentials go too.
            _ = try FaceErasing.erase(account, telling: nil, db)
        }
        // In the order in which others lock them.
        for table in ["scrip", "token"] {
            try db.run(
                """
                DELETE FROM \(table) WHERE hash IN
                    (SELECT hash FROM \(table) WHERE subscription = $1 ORDER BY hash \(DB.lockingRows))
                """, subscription)
        }
        try db.run(
            """
            DELETE FROM openid_credential WHERE hash IN (SELECT hash FROM openid_credential
                WHERE family IN (SELECT family FROM openid_credential WHERE subscription = $1)
                    OR EXISTS (SELECT 1 FROM \(DB.elements(of: "$2")) WHERE replace(details, value, '') <> details)
                ORDER BY hash \(DB.lockingRows))
            """, subscription, try openIDs.json)
        for table in ["familiar_key", "wrong_guess", "number_day", "outbox"] {
            try db.run("DELETE FROM \(table) WHERE subscription = $1", subscription)
        }
        // A code may have gone to the number, or a text come from it, before the register knew whose it is.
        for table in ["sms_code", "sms_upstream"] {
            try db.run(
                "DELETE FROM \(table) WHERE number IN (SELECT number FROM \(table) WHERE subscription = $1)",
                subscription)
        }
        try db.run("DELETE FROM trace_event WHERE trace IN (\(traces))", subscription)
        try db.run(
            """
            UPDATE consent SET subscription = 0, epoch = 0, sim_generation = 0, token = NULL
            WHERE subscription = $1 AND subscription <> 0
            """, subscription)
        // The key that links a leaf to its subscriber goes with the row of the register.
        try db.run("UPDATE log_leaf SET subscription = NULL, epoch = NULL WHERE subscription = $1", subscription)
        try db.run("DELETE FROM subscription WHERE id = $1", subscription)
    }

    /// Ends the credentials that an app has of a holder, and counts them, with the consents, which stay. Credentials of
    /// earlier holders are useless. They are neither counted nor reported to the app.
    static func withdraw<DB: StatementRunner>(
        _ subscription: SubscriptionRecord, from app: AppID, at moment: Timestamp, _ db: DB
    ) throws -> [SubscriberPart: Int] {
        let isTheirs = "subscription = $1 AND epoch = $3 AND app = $2"
        let (row, epoch, id) = (subscription.id, subscription.epoch, app.rawValue)
        let parts: [(SubscriberPart, String)] = [
            (.scrips, "scrip WHERE \(isTheirs)"), (.tokens, "token WHERE \(isTheirs)"),
            // Credentials of pages have no subscription yet.
            (
                .openIDCredentials,
                "openid_credential WHERE app = $2 AND family IN (SELECT family FROM openid_credential WHERE "
                    + "\(isTheirs))"
            ),
        ]
        var counts: [SubscriberPart: Int] = [:]
        for (part, rows) in parts {
            // A transaction that spent one made the next in the same commit, which a later statement sees.
            _ = try db.hasRow("SELECT 1 FROM \(rows) ORDER BY hash \(DB.lockingRows)", row, id, epoch)
            counts[part] = try db.run("DELETE FROM \(rows)", row, id, epoch)
        }
        for (part, table) in [(SubscriberPart.familiarKeys, "familiar_key"), (.smsUpstream, "sms_upstream")] {
            counts[part] = try db.run("DELETE FROM \(table) WHERE \(isTheirs)", row, id, epoch)
        }
        // The rows stay: by them the number's codes of a minute and a day are counted.
        counts[.smsCodes] = try db.run(
            """
            UPDATE sms_code SET ended = 'withdrawn'
            WHERE \(isTheirs) AND purpose = $4 AND spent_at IS NULL AND ended IS NULL
            """, row, id, epoch, TokenPurpose.login.rawValue)
        counts[.consents] = try db.row(
            "SELECT count(*) FROM consent WHERE subscription <> 0 AND \(isTheirs)", of: "consent", row, id, epoch
        ) { try $0.integer(Int.self) }
        for account in try db.rows(
            "\(accounts) AND epoch = $2", of: "face_account", row, epoch, read: { try $0.integer(Int64.self) })
        where try db.run("DELETE FROM face_binding WHERE account = $1 AND app = $2", account, id) > 0 {
            try FaceErasing.leave(account, app, at: moment, db)
            counts[.faceAuthorizations] = 1
        }
        return counts.filter { $0.value > 0 }
    }

    static func records<DB: StatementRunner>(_ subscription: Int64, _ epoch: Int32, _ db: DB) throws
        -> SubscriberRecords
    {
        var records = SubscriberRecords()
        let given = [
            "SELECT 'scrip', app, CAST(NULL AS bigint), expires_at FROM scrip",
            "SELECT 'token ' || purpose, app, issued_at, expires_at FROM token",
            "SELECT 'openid ' || kind, app, issued_at, expires_at FROM openid_credential",
            "SELECT 'sms code ' || purpose, app, issued_at, expires_at FROM sms_code",
            "SELECT 'sms upstream', app, issued_at, expires_at FROM sms_upstream",
        ].map { "\($0) WHERE subscription = $1 AND epoch = $2" }
        let faces = """
            SELECT 'face ' || kind, app, issued_at, expires_at FROM face_credential
            WHERE account IN (SELECT id FROM face_account WHERE subscription = $1 AND epoch = $2)
            """
        records.credentials = try db.rows(
            (given + [faces]).joined(separator: " UNION ALL "), of: "token", subscription, epoch
        ) { columns in
            SubscriberRecords.Credential(
                kind: try columns.text(), appID: try columns.raw(), issuedAt: try columns.optionalTimestamp(),
                expiresAt: try columns.timestamp())
        }
        records.familiarKeys = try db.rows(
            "SELECT app, device_key, seen_at FROM familiar_key WHERE subscription = $1 AND epoch = $2 ORDER BY app, "
                + "device_key",
            of: "familiar_key", subscription, epoch
        ) { columns in
            SubscriberRecords.FamiliarKey(
                appID: try columns.raw(), deviceKey: try columns.text(), seenAt: try columns.timestamp())
        }
        records.consents = try ConsentRows.of(subscription, epoch, db)
        records.callbackEvents = try db.rows(
            "SELECT \(OutboxRows.columns) FROM outbox WHERE subscription = $1 AND epoch = $2 ORDER BY id",
            of: "outbox", subscription, epoch, read: OutboxRows.decode)
        records.faceAccount = try db.row(
            "\(FaceRows.accounts) WHERE a.subscription = $1 AND a.epoch = $2", of: "face_account", subscription, epoch,
            read: FaceRows.account)
        if let account = records.faceAccount?.id {
            records.faceBindings = try db.rows(
                "\(FaceRows.bindings) WHERE account = $1 ORDER BY app", of: "face_binding", account,
                read: FaceRows.binding)
        }
        return records
    }

    static func ledger<DB: StatementRunner>(_ traces: [String], _ db: DB) throws -> [LedgerEntry] {
        try db.rows(
            """
            SELECT \(LedgerRows.columns) FROM ledger WHERE trace IN (SELECT value FROM \(DB.elements(of: "$1"))) ORDER \
            BY id
            """, of: "ledger", try traces.json, read: LedgerRows.decode)
    }
}
