package import BenjiProtocol
package import Store

package enum AppRows {
    private static let columns = """
        id, name, suspended, allowed, capabilities, bundle_ids, server_addresses, rsa_public_key, \
        sign_algorithm, daily_quota, least_assurance, attesters, scrip_lifetime, token_lifetime, \
        request_time_tolerance, \
        legacy_number_without_page, approved_content, source_ids, created_at, phones_without_key, \
        unsigned_requests, openid_from_anywhere, deleted_after, requires_page_review, callback_url, \
        callback_events, callback_stopped_at, workflow, owner, apple_team, development_keys
        """
    private static let readColumns =
        "\(columns), revision, mac, EXISTS (SELECT 1 FROM app_contract WHERE app_contract.app = app.id)"

    private static let places = (1...31).map { "$\($0)" }.joined(separator: ",")

    /// With all that stands in tables of its own.
    static func insert(_ app: AppRecord, _ codes: RowCodes, _ db: some StatementRunner) throws {
        try write("INSERT INTO app (\(columns), mac) VALUES (\(places),$33)", app, codes, db)
        try insertParts(of: app, db)
    }

    private static func update(_ app: AppRecord, _ codes: RowCodes, _ db: some StatementRunner) throws -> Int {
        // The id is both set, to itself, and looked for.
        try write(
            """
            UPDATE app SET (\(columns), mac) = (\(places),$33), revision = revision + 1
            WHERE id = $1 AND revision = $32
            """, app, codes, db)
    }

    /// - Throws: ``StoreError`` if there is no such app, or if it is at another revision.
    static func replace(_ app: AppRecord, _ codes: RowCodes, _ db: some StatementRunner) throws {
        guard try update(app, codes, db) == 1 else {
            guard try db.hasRow("SELECT 1 FROM app WHERE id = $1", app.id.rawValue) else {
                throw StoreError(.notFound, "update app: no such app")
            }
            throw StoreError(.outdated, "update app: it was changed since it was read")
        }
        try db.run("DELETE FROM app_source WHERE app = $1", app.id.rawValue)
        try db.run("DELETE FROM app_key WHERE app = $1", app.id.rawValue)
        try insertParts(of: app, db)
    }

    /// Inserts the parts of an app that have tables of their own.
    private static func insertParts(of app: AppRecord, _ db: some StatementRunner) throws {
        try ContractRows.append(app.contract, to: app.id, db)
        for source in app.sourceIDs {
            try db.run("INSERT INTO app_source (source_id, app) VALUES ($1, $2)", source, app.id.rawValue)
        }
        for key in app.keys {
            try MasterKeyRows.check(key.sealed, db)
            try db.run(
                """
                INSERT INTO app_key (app, use, version, sealed_key, created_at, accepted_until, in_package)
                VALUES ($1,$2,$3,$4,$5,$6,$7)
                """, app.id.rawValue, key.use.rawValue, key.version, key.sealed.bytes, key.createdAt?.milliseconds,
                key.acceptedUntil?.milliseconds, key.isInPackage)
        }
    }

    /// Apps with all that stands in tables of its own, without those whose row is refused.
    ///
    /// - Parameter rest: SQL that follows the table's name.
    package static func find<each Argument: SQLArgument>(
        _ rest: String, _ arguments: repeat each Argument, in db: some StatementRunner, checking codes: RowCodes
    ) throws -> [AppRecord] {
        try db.rows(
            "SELECT \(readColumns) FROM app \(rest)", of: "app", repeat each arguments,
            read: { (app: try decode(&$0), code: try $0.optionalBytes(), hasContract: try $0.bool()) }
        ).compactMap { found -> AppRecord? in
            var app = found.app
            app.keys = try keys(of: app.id, db)
            let covered = try values(of: app) + keyValues(of: app)
            guard codes.accepts(found.code, of: "app", id: app.id.rawValue, covered) else { return nil }
            if found.hasContract { app.contract = try ContractRows.entries(of: app.id, db) }
            return app
        }
    }

    /// Gives every row its code.
    /// - Returns: how many there are.
    static func seal(_ codes: RowCodes, _ db: some StatementRunner) throws -> Int {
        let apps = try find("", in: db, checking: RowCodes())
        for app in apps { try seal(app, codes, db) }
        return apps.count
    }

    /// Gives a row its code.
    static func seal(_ app: AppRecord, _ codes: RowCodes, _ db: some StatementRunner) throws {
        try db.run("UPDATE app SET mac = $1 WHERE id = $2", try code(of: app, codes), app.id.rawValue)
    }

    /// A row as it is, with the app's keys as far as the code covers them.
    static func toSeal(_ id: String, _ codes: RowCodes, _ db: some StatementRunner) throws -> RowToSeal? {
        guard let app = try find("WHERE id = $1", id, in: db, checking: RowCodes()).first,
            let code = try db.row("SELECT mac FROM app WHERE id = $1", of: "app", id, read: { try $0.optionalBytes() })
        else { return nil }
        let values = try values(of: app) + keyValues(of: app)
        let names = columns.split(separator: ",").map { String($0.filter { !$0.isWhitespace }) }
        let partNames = ["use", "version", "created_at", "accepted_until", "in_package"].map { "app_key.\($0)" }
        return RowToSeal(
            table: .app, id: id, values: RowToSeal.Value.named(names, partNames: partNames, values),
            isValid: codes.matches(code, of: "app", values), digest: codes.digest(of: "app", values))
    }

    /// See ``RowCodes/code(of:_:)`` before you change the covered values. The code covers the keys too, but not in
    /// their sealed form. A rotation of the master key seals them again, and a sealed key opens for its own app alone.
    private static func code(of app: AppRecord, _ codes: RowCodes) throws -> [UInt8]? {
        codes.code(of: "app", try values(of: app) + keyValues(of: app))
    }

    private static func keyValues(of app: AppRecord) -> [any SQLArgument] {
        var values: [any SQLArgument] = []
        for key in app.keys.sorted(by: { ($0.use, $0.version) < ($1.use, $1.version) }) {
            let more: [any SQLArgument] = [
                key.use.rawValue, key.version, key.createdAt?.milliseconds, key.acceptedUntil?.milliseconds,
                key.isInPackage,
            ]
            values += more
        }
        return values
    }

    private static func keys(of app: AppID, _ db: some StatementRunner) throws -> [AppKeyRecord] {
        try db.rows(
            """
            SELECT use, version, sealed_key, created_at, accepted_until, in_package FROM app_key WHERE app = $1
            ORDER BY use, version DESC
            """, of: "app_key", app.rawValue
        ) { columns in
            AppKeyRecord(
                use: try columns.raw(), version: try columns.integer(), sealed: Sealed(bytes: try columns.bytes()),
                createdAt: try columns.optionalTimestamp(), acceptedUntil: try columns.optionalTimestamp(),
                isInPackage: try columns.bool())
        }
    }

    @discardableResult
    private static func write(
        _ sql: String, _ app: AppRecord, _ codes: RowCodes, _ db: some StatementRunner
    ) throws -> Int {
        let rest: [any SQLArgument] = [app.revision, try code(of: app, codes)]
        return try db.run(sql, of: "app", arguments: try values(of: app) + rest) { _ in }
    }

    /// In the order of ``columns``.
    private static func values(of app: AppRecord) throws -> [any SQLArgument] {
        let capabilities = try app.capabilities.map(\.rawValue).sorted().json
        let events = try app.callback?.events.map(\.rawValue).sorted().json
        let (bundleIDs, serverAddresses) = (try app.bundleIDs.json, try app.serverAddresses.json)
        let (attesters, approvedContent) = (try app.attesters.json, try app.approvedContent.json)
        let sourceIDs = try app.sourceIDs.json
        let first: [any SQLArgument] = [
            app.id.rawValue, app.name, app.suspended, app.allowed, capabilities, bundleIDs, serverAddresses,
            app.rsaPublicKey, app.signAlgorithm.rawValue, app.dailyQuota, app.leastAssurance.rawValue, attesters,
            app.scripLifetime, app.tokenLifetime, app.requestTimeTolerance, app.legacyNumberWithoutPage,
        ]
        let second: [any SQLArgument] = [
            approvedContent, sourceIDs, app.createdAt.milliseconds, app.phonesWithoutKey, app.unsignedRequests,
            app.openIDFromAnywhere, app.deletedAfter?.milliseconds, app.requiresPageReview, app.callback?.url, events,
            app.callback?.stoppedAt?.milliseconds, app.workflow.rawValue, app.owner, app.appleTeam,
            app.takesDevelopmentKeys,
        ]
        return first + second
    }

    private static func decode(_ columns: inout some Columns) throws -> AppRecord {
        var app = AppRecord(
            id: try columns.raw(), name: try columns.text(), keys: [], suspended: try columns.bool(),
            allowed: try columns.bool(),
            capabilities: try Set(
                columns.texts().map { text in
                    guard let capability = Capability(rawValue: text) else {
                        throw DamagedRow(column: "app.capabilities")
                    }
                    return capability
                }),
            bundleIDs: try columns.texts(), serverAddresses: try columns.texts(),
            rsaPublicKey: try columns.optionalText(),
            signAlgorithm: try columns.raw(), dailyQuota: try columns.optionalInteger(),
            leastAssurance: try columns.raw(),
            attesters: try columns.texts(), scripLifetime: try columns.optionalInteger(),
            tokenLifetime: try columns.optionalInteger(),
            requestTimeTolerance: try columns.optionalInteger(), legacyNumberWithoutPage: try columns.bool(),
            approvedContent: try columns.texts(), sourceIDs: try columns.texts(), createdAt: try columns.timestamp())
        // In the order of the columns, which is that of their versions.
        app.phonesWithoutKey = try columns.bool()
        app.unsignedRequests = try columns.bool()
        app.openIDFromAnywhere = try columns.bool()
        app.deletedAfter = try columns.optionalTimestamp()
        app.requiresPageReview = try columns.bool()
        app.callback = try callback(&columns)
        app.workflow = try columns.raw()
        app.owner = try columns.optionalText()
        app.appleTeam = try columns.optionalText()
        app.takesDevelopmentKeys = try columns.bool()
        app.revision = try columns.integer()
        return app
    }

    private static func callback(_ columns: inout some Columns) throws -> CallbackRecord? {
        let (url, events) = (try columns.optionalText(), try columns.optionalTexts())
        let stoppedAt = try columns.optionalTimestamp()
        guard let url else { return nil }
        return CallbackRecord(
            url: url,
            events: try Set(
                (events ?? []).map { text in
                    guard let type = CallbackEventType(rawValue: text) else {
                        throw DamagedRow(column: "app.callback_events")
                    }
                    return type
                }), stoppedAt: stoppedAt)
    }
}
