import BenjiProtocol
import Sightings
package import Store

package enum OpenIDRows {
    static func remove<DB: StatementRunner>(_ app: AppID, _ db: DB) throws {
        try db.run("DELETE FROM openid_media WHERE app = $1", app.rawValue)
        try db.run("DELETE FROM openid_client_secret WHERE app = $1", app.rawValue)
        try db.run("DELETE FROM openid_client WHERE app = $1", app.rawValue)
        try db.run(
            """
            UPDATE openid_credential SET revoked = true WHERE app = $1 AND spent_at IS NULL AND \(DB.isFalse("revoked"))
            """, app.rawValue)
    }

    /// The new revision, or `nil` if the client is at another one than the record, and then nothing was written.
    ///
    /// A new client begins at a drawn revision, so that it cannot be taken for one that was removed.
    static func put(_ client: OpenIDClientRecord, _ db: some StatementRunner) throws -> Int64? {
        try db.row(
            """
            INSERT INTO openid_client (app, redirect_uris, authentication, key_set, id_token_algorithm,
                asks_middle_digits, requires_pushed_requests, page, purposes, frame_ancestors,
                stable_subject_without_page, revision)
            SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $13
                WHERE $12 = 0 OR EXISTS (SELECT 1 FROM openid_client AS c WHERE c.app = $1)
            ON CONFLICT (app) DO UPDATE SET redirect_uris = excluded.redirect_uris,
                authentication = excluded.authentication, key_set = excluded.key_set,
                id_token_algorithm = excluded.id_token_algorithm, asks_middle_digits = excluded.asks_middle_digits,
                requires_pushed_requests = excluded.requires_pushed_requests, page = excluded.page,
                purposes = excluded.purposes, frame_ancestors = excluded.frame_ancestors,
                stable_subject_without_page = excluded.stable_subject_without_page,
                revision = openid_client.revision + 1
                WHERE openid_client.revision = $12
            RETURNING revision
            """, of: "openid_client",
            client.appID.rawValue, try client.redirectURIs.json, client.authentication.rawValue,
            client.keySet, client.idTokenAlgorithm.rawValue, client.asksMiddleDigits,
            client.requiresPushedRequests, client.page, try client.purposes.json, try client.frameAncestors.json,
            client.stableSubjectWithoutPage, client.revision, Int64.random(in: 1...1 << 52)
        ) { try $0.integer() }
    }

    static func put(_ secrets: [ClientSecretRecord], of app: AppID, _ db: some StatementRunner) throws {
        try db.run("DELETE FROM openid_client_secret WHERE app = $1", app.rawValue)
        for secret in secrets {
            try db.run(
                """
                INSERT INTO openid_client_secret (app, version, hash, created_at, accepted_until) VALUES ($1,$2,$3,$4,$5)
                """, app.rawValue, secret.version, secret.hash.bytes, secret.createdAt?.milliseconds,
                secret.acceptedUntil?.milliseconds)
        }
    }

    static func client(_ app: AppID, _ db: some StatementRunner) throws -> OpenIDClientRecord? {
        var client = try db.row(
            """
            SELECT app, redirect_uris, authentication, key_set, id_token_algorithm, asks_middle_digits,
                requires_pushed_requests, page, purposes, frame_ancestors, stable_subject_without_page, revision
            FROM openid_client WHERE app = $1
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
            SELECT version, hash, created_at, accepted_until FROM openid_client_secret WHERE app = $1
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

    package static func insert(_ credential: OpenIDCredential, _ db: some StatementRunner) throws {
        let subject = credential.subject
        try db.run(
            """
            INSERT INTO openid_credential (\(columns), revoked)
            VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13, \(RevokedBindings.contain("$9")))
            """,
            credential.hash.bytes, credential.kind.rawValue, credential.family, credential.appID.rawValue,
            subject?.subscription.subscription, subject?.subscription.epoch, subject?.subscription.simGeneration,
            subject?.carrier.rawValue, subject?.binding.rawValue, credential.trace.rawValue, credential.details,
            credential.issuedAt.milliseconds, credential.expiresAt.milliseconds)
    }

    static func find(
        _ hash: CredentialHash, _ db: some StatementRunner
    ) throws -> (credential: OpenIDCredential, spent: Bool, revoked: Bool)? {
        try db.row(
            "SELECT \(columns), spent_at IS NOT NULL, revoked FROM openid_credential WHERE hash IN ($1, $2)",
            of: "openid_credential", hash.bytes, hash.former?.bytes
        ) { columns in (try decode(&columns), try columns.bool(), try columns.bool()) }
    }

    private static let holds = "(subscription IS NULL OR \(SubscriptionRows.holds("openid_credential")))"

    /// Spends the credential if everything holds in this instant; `nil` if not, and then nothing was changed.
    ///
    /// - Parameter condition: SQL; its app is $3, its day $6 and its quota $7.
    package static func spend(
        _ exchange: OpenIDExchange, if condition: String = "true", _ db: some StatementRunner
    ) throws -> OpenIDCredential? {
        try db.row(
            """
            UPDATE openid_credential SET spent_at = CASE WHEN $5 THEN NULL ELSE $4 END
            WHERE hash = $1 AND kind = $2 AND app = $3 AND spent_at IS NULL AND NOT revoked AND expires_at > $4
                AND \(holds) AND \(condition)
            RETURNING \(columns)
            """, of: "openid_credential", exchange.hash.bytes, exchange.kind.rawValue, exchange.appID.rawValue,
            exchange.now.milliseconds, exchange.keeps, exchange.billing?.day, exchange.billing?.dailyQuota, read: decode
        )
    }

    /// Why ``spend(_:_:)`` did not: the first reason in the order that ``OpenIDExchangeOutcome`` documents.
    package static func refusal(_ exchange: OpenIDExchange, _ db: some StatementRunner) throws -> OpenIDExchangeOutcome
    {
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

    private static func decode(_ columns: inout some Columns) throws -> OpenIDCredential {
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
