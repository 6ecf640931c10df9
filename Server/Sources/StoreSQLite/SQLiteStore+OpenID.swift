package import BenjiProtocol
import GRDB
import Sightings
package import Store

extension SQLiteStore {
    package func putOpenIDClient(
        _ client: OpenIDClientRecord, media: [OpenIDMedia], removedMedia: [String], audit: AuditEntry?
    ) async throws(StoreError) -> OpenIDClientRecord {
        try await write("put openid client") { db in
            guard try db.hasRow("SELECT 1 FROM app WHERE id = ? AND deleted_after IS NULL", client.appID.rawValue)
            else {
                throw StoreError(.notFound, "put openid client: no such app")
            }
            guard let revision = try OpenIDRows.put(client, db) else {
                throw StoreError(.outdated, "put openid client: it was changed since it was read")
            }
            try OpenIDRows.put(client.secrets, of: client.appID, db)
            try OpenIDMediaRows.change(client.appID, put: media, remove: removedMedia, db)
            try AuditRows.insert(audit, db)
            var stored = client
            stored.revision = revision
            return stored
        }
    }

    package func openIDClient(_ app: AppID) async throws(StoreError) -> OpenIDClientRecord? {
        try await read("read openid client") { db in try OpenIDRows.client(app, db) }
    }

    package func removeOpenIDClient(_ app: AppID, audit: AuditEntry?) async throws(StoreError) {
        try await write("remove openid client") { db in
            try OpenIDRows.remove(app, db)
            try AuditRows.insert(audit, db)
        }
    }

    package func addOpenIDKeys(
        _ keys: [OpenIDKeyRecord], publicKeys: [String: String], othersPublishedUntil: Timestamp?, audit: AuditEntry?
    ) async throws(StoreError) {
        try await write("add openid keys") { db in
            for (id, publicKey) in publicKeys {
                try db.run(
                    "UPDATE openid_key SET public_key = ? WHERE id = ? AND public_key IS NULL", publicKey, id)
            }
            for key in keys {
                if let sealed = key.sealedKey { try MasterKeyRows.check(sealed, db) }
                if let othersPublishedUntil {
                    try db.run(
                        "UPDATE openid_key SET published_until = ? WHERE algorithm = ? AND published_until IS NULL",
                        othersPublishedUntil.milliseconds, key.algorithm.rawValue)
                    try db.run(
                        "UPDATE openid_key SET sealed_key = NULL WHERE algorithm = ? AND public_key IS NOT NULL",
                        key.algorithm.rawValue)
                } else {
                    try db.run("DELETE FROM openid_key WHERE algorithm = ?", key.algorithm.rawValue)
                }
                try db.run(
                    """
                    INSERT INTO openid_key (id, algorithm, public_key, sealed_key, created_at, published_until)
                    VALUES (?,?,?,?,?,?)
                    """, key.id, key.algorithm.rawValue, key.publicKey, key.sealedKey?.bytes,
                    key.createdAt.milliseconds, key.publishedUntil?.milliseconds)
            }
            try AuditRows.insert(audit, db)
        }
    }

    package func openIDKeys(at moment: Timestamp) async throws(StoreError) -> [OpenIDKeyRecord] {
        try await read("read openid keys") { db in
            try db.rows(
                """
                SELECT id, algorithm, public_key, sealed_key, created_at, published_until FROM openid_key
                WHERE published_until IS NULL OR published_until > ? ORDER BY created_at DESC, id
                """, of: "openid_key", moment.milliseconds
            ) { columns in
                OpenIDKeyRecord(
                    id: try columns.text(), algorithm: try columns.raw(), publicKey: try columns.optionalText(),
                    sealedKey: try columns.optionalBytes().map { Sealed(bytes: $0) },
                    createdAt: try columns.timestamp(),
                    publishedUntil: try columns.optionalInteger().map { Timestamp(milliseconds: $0) })
            }
        }
    }

    package func insertOpenIDCredential(_ credential: OpenIDCredential) async throws(StoreError) {
        try await write("insert openid credential") { db in try OpenIDRows.insert(credential, db) }
    }

    package func openIDCredential(_ hash: CredentialHash) async throws(StoreError) -> OpenIDLookup {
        try await read("read openid credential") { db in
            guard let found = try OpenIDRows.find(hash, db) else { return .unknown }
            return found.spent
                ? .spent(found.credential) : found.revoked ? .revoked(found.credential) : .live(found.credential)
        }
    }

    package func exchange(_ exchange: OpenIDExchange) async throws(StoreError) -> OpenIDExchangeOutcome {
        try await write("exchange openid credential") { db in
            guard let spent = try OpenIDRows.spend(exchange, db) else { return try OpenIDRows.refusal(exchange, db) }
            if let next = exchange.next { try OpenIDRows.insert(next, db) }
            if let consent = exchange.consent { try ConsentRows.insert(consent, db) }
            if let billing = exchange.billing {
                try Billing.write(
                    app: spent.appID, trace: spent.trace, interface: billing.interface, result: billing.result,
                    assurance: spent.subject == nil ? nil : .net, at: exchange.now, day: billing.day, db)
            }
            return .spent(spent)
        }
    }

    package func revokeOpenIDCredentials(family: Int64) async throws(StoreError) {
        try await write("revoke openid credentials") { db in
            try db.run(
                "UPDATE openid_credential SET revoked = 1 WHERE family = ? AND spent_at IS NULL AND revoked = 0", family
            )
        }
    }

    package func takeName(
        _ name: String, app: AppID, until: Timestamp, now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await write("take name") { db in try MessageNames.take(name, app: app, until: until, now: now, db) }
    }
}

enum OpenIDRows {
    static func remove(_ app: AppID, _ db: Database) throws {
        try db.run("DELETE FROM openid_media WHERE app = ?", app.rawValue)
        try db.run("DELETE FROM openid_client_secret WHERE app = ?", app.rawValue)
        try db.run("DELETE FROM openid_client WHERE app = ?", app.rawValue)
        try db.run(
            "UPDATE openid_credential SET revoked = 1 WHERE app = ? AND spent_at IS NULL AND revoked = 0",
            app.rawValue)
    }

    /// The new revision, or `nil` if the client is at another one than the record, and then nothing was written.
    ///
    /// A new client begins at a drawn revision, so that it cannot be taken for one that was removed.
    static func put(_ client: OpenIDClientRecord, _ db: Database) throws -> Int64? {
        try db.row(
            """
            INSERT INTO openid_client (app, redirect_uris, authentication, key_set, id_token_algorithm,
                asks_middle_digits, requires_pushed_requests, page, purposes, frame_ancestors,
                stable_subject_without_page, revision)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, abs(random() % 4503599627370496) + 1
                WHERE ?12 = 0 OR EXISTS (SELECT 1 FROM openid_client WHERE app = ?1)
            ON CONFLICT (app) DO UPDATE SET redirect_uris = excluded.redirect_uris,
                authentication = excluded.authentication, key_set = excluded.key_set,
                id_token_algorithm = excluded.id_token_algorithm, asks_middle_digits = excluded.asks_middle_digits,
                requires_pushed_requests = excluded.requires_pushed_requests, page = excluded.page,
                purposes = excluded.purposes, frame_ancestors = excluded.frame_ancestors,
                stable_subject_without_page = excluded.stable_subject_without_page,
                revision = openid_client.revision + 1
                WHERE openid_client.revision = ?12
            RETURNING revision
            """, of: "openid_client",
            client.appID.rawValue, try client.redirectURIs.json, client.authentication.rawValue,
            client.keySet, client.idTokenAlgorithm.rawValue, client.asksMiddleDigits,
            client.requiresPushedRequests, client.page, try client.purposes.json, try client.frameAncestors.json,
            client.stableSubjectWithoutPage, client.revision
        ) { try $0.integer() }
    }

    static func put(_ secrets: [ClientSecretRecord], of app: AppID, _ db: Database) throws {
        try db.run("DELETE FROM openid_client_secret WHERE app = ?", app.rawValue)
        for secret in secrets {
            try db.run(
                """
                INSERT INTO openid_client_secret (app, version, hash, created_at, accepted_until) VALUES (?,?,?,?,?)
                """, app.rawValue, secret.version, secret.hash.bytes, secret.createdAt?.milliseconds,
                secret.acceptedUntil?.milliseconds)
        }
    }

    static func client(_ app: AppID, _ db: Database) throws -> OpenIDClientRecord? {
        var client = try db.row(
            """
            SELECT app, redirect_uris, authentication, key_set, id_token_algorithm, asks_middle_digits,
                requires_pushed_requests, page, purposes, frame_ancestors, stable_subject_without_page, revision
            FROM openid_client WHERE app = ?
            """, of: "openid_client", app.rawValue
        ) { columns in
            OpenIDClientRecord(
                appID: try columns.raw(), redirectURIs: try columns.texts(), authentication: try columns.raw(),
                secrets: [], keySet: try columns.optionalText(), idTokenAlgorithm: try columns.raw(),
                asksMiddleDigits: try columns.bool(), requiresPushedRequests: try columns.bool(),
                page: try columns.text(), purposes: try columns.texts(), frameAncestors: try columns.texts(),
                stableSubjectWithoutPage: try columns.bool(), revision: try columns.integer())
        }
        client?.secrets = try db.rows(
            """
            SELECT version, hash, created_at, accepted_until FROM openid_client_secret WHERE app = ?
            ORDER BY version DESC
            """, of: "openid_client_secret", app.rawValue
        ) { columns in
            ClientSecretRecord(
                version: try columns.integer(), hash: try columns.hash(), createdAt: try columns.optionalTimestamp(),
                acceptedUntil: try columns.optionalTimestamp())
        }
        return client
    }

    private static let columns = """
        hash, kind, family, app, subscription, epoch, sim_generation, carrier, binding, trace, details, issued_at, \
        expires_at
        """

    static func insert(_ credential: OpenIDCredential, _ db: Database) throws {
        let subject = credential.subject
        try db.run(
            """
            INSERT INTO openid_credential (\(columns), revoked)
            VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?, \(RevokedBindings.contain("?9")))
            """,
            credential.hash.bytes, credential.kind.rawValue, credential.family, credential.appID.rawValue,
            subject?.subscription.subscription, subject?.subscription.epoch, subject?.subscription.simGeneration,
            subject?.carrier.rawValue, subject?.binding.rawValue, credential.trace.rawValue, credential.details,
            credential.issuedAt.milliseconds, credential.expiresAt.milliseconds)
    }

    static func find(
        _ hash: CredentialHash, _ db: Database
    ) throws -> (credential: OpenIDCredential, spent: Bool, revoked: Bool)? {
        try db.row(
            "SELECT \(columns), spent_at IS NOT NULL, revoked FROM openid_credential WHERE hash IN (?, ?)",
            of: "openid_credential", hash.bytes, hash.former?.bytes
        ) { columns in (try decode(&columns), try columns.bool(), try columns.bool()) }
    }

    private static let holds = "(subscription IS NULL OR \(SubscriptionRows.holds("openid_credential")))"

    /// Spends the credential if everything holds in this instant; `nil` if not, and then nothing was changed.
    static func spend(_ exchange: OpenIDExchange, _ db: Database) throws -> OpenIDCredential? {
        try db.row(
            """
            UPDATE openid_credential SET spent_at = CASE WHEN ?7 THEN NULL ELSE ?4 END
            WHERE hash = ?1 AND kind = ?2 AND app = ?3 AND spent_at IS NULL AND revoked = 0 AND expires_at > ?4
                AND \(holds) AND \(Billing.hasRoom(app: "?3", day: "?5", quota: "?6"))
            RETURNING \(columns)
            """, of: "openid_credential", exchange.hash.bytes, exchange.kind.rawValue, exchange.appID.rawValue,
            exchange.now.milliseconds, exchange.billing?.day, exchange.billing?.dailyQuota, exchange.keeps, read: decode
        )
    }

    /// Why ``spend(_:_:)`` did not: the first reason in the order that ``OpenIDExchangeOutcome`` documents.
    static func refusal(_ exchange: OpenIDExchange, _ db: Database) throws -> OpenIDExchangeOutcome {
        guard let found = try find(exchange.hash, db), found.credential.kind == exchange.kind else { return .unknown }
        let credential = found.credential
        if credential.appID != exchange.appID { return .wrongApp(credential) }
        if found.spent { return .alreadySpent(credential) }
        if exchange.now >= credential.expiresAt { return .expired(credential) }
        if found.revoked { return .revoked(credential) }
        if let reference = credential.subject?.subscription,
            try SubscriptionRows.find(reference.subscription, db)?.reference != reference
        {
            return .revoked(credential)
        }
        guard exchange.billing?.dailyQuota != nil else {
            throw StoreError(.corrupt, "exchange openid credential: refused without a reason")
        }
        return .quotaExceeded(credential)
    }

    private static func decode(_ columns: inout ColumnReader) throws -> OpenIDCredential {
        let hash = try columns.hash()
        let kind: OpenIDCredential.Kind = try columns.raw()
        let family: Int64 = try columns.integer()
        let appID: AppID = try columns.raw()
        let subscription: Int64? = try columns.optionalInteger()
        let epoch: Int32? = try columns.optionalInteger()
        let generation: Int32? = try columns.optionalInteger()
        let carrier = try columns.optionalText().flatMap(Carrier.init(rawValue:))
        let binding: Int64? = try columns.optionalInteger()
        var subject: OpenIDCredential.Subject?
        if let subscription, let epoch, let generation, let carrier, let binding {
            subject = OpenIDCredential.Subject(
                subscription: SubscriptionReference(
                    subscription: subscription, epoch: epoch, simGeneration: generation), carrier: carrier,
                binding: BindingID(rawValue: binding))
        }
        return OpenIDCredential(
            hash: hash, kind: kind, family: family, appID: appID, subject: subject, trace: try columns.raw(),
            details: try columns.text(), issuedAt: try columns.timestamp(), expiresAt: try columns.timestamp())
    }
}
