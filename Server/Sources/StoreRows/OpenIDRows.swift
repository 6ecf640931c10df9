package import BenjiProtocol
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
    static func put(_ client: OpenIDClientRecord, _ codes: RowCodes, _ db: some StatementRunner) throws -> Int64? {
        let code = codes.code(of: "openid_client", try values(of: client))
        return try db.row(
            """
            INSERT INTO openid_client (app, redirect_uris, authentication, key_set, id_token_algorithm,
                asks_middle_digits, requires_pushed_requests, page, purposes, frame_ancestors,
                stable_subject_without_page, requires_pkce, binds_access_tokens, profile, remembers_consent,
                certificate_name, binds_to_certificate, backchannel_delivery, backchannel_notification, revision, mac)
            SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $14, $15, $16, $17, $18, $19, $20, $21, $13, $22
                WHERE $12 = 0 OR EXISTS (SELECT 1 FROM openid_client AS c WHERE c.app = $1)
            ON CONFLICT (app) DO UPDATE SET redirect_uris = excluded.redirect_uris,
                authentication = excluded.authentication, key_set = excluded.key_set,
                id_token_algorithm = excluded.id_token_algorithm, asks_middle_digits = excluded.asks_middle_digits,
                requires_pushed_requests = excluded.requires_pushed_requests, page = excluded.page,
                purposes = excluded.purposes, frame_ancestors = excluded.frame_ancestors,
                stable_subject_without_page = excluded.stable_subject_without_page,
                requires_pkce = excluded.requires_pkce, binds_access_tokens = excluded.binds_access_tokens,
                profile = excluded.profile, remembers_consent = excluded.remembers_consent,
                certificate_name = excluded.certificate_name, binds_to_certificate = excluded.binds_to_certificate,
                backchannel_delivery = excluded.backchannel_delivery,
                backchannel_notification = excluded.backchannel_notification,
                mac = excluded.mac, revision = openid_client.revision + 1
                WHERE openid_client.revision = $12
            RETURNING revision
            """, of: "openid_client",
            client.appID.rawValue, try client.redirectURIs.json, client.authentication.rawValue,
            client.keySet, client.idTokenAlgorithm.rawValue, client.asksMiddleDigits,
            client.requiresPushedRequests, client.page, try client.purposes.json, try client.frameAncestors.json,
            client.stableSubjectWithoutPage, client.revision, Int64.random(in: 1...1 << 52), client.requiresPKCE,
            client.bindsAccessTokens, client.profile.rawValue, client.remembersConsent,
            client.certificateName?.rawValue, client.bindsToCertificate,
            client.backchannel?.delivery.rawValue, client.backchannel?.notificationEndpoint, code
        ) { try $0.integer() }
    }

    /// The values that a code covers: the secrets too, which are in a table of their own. See ``RowCodes/code(of:_:)``
    /// before you change it.
    private static func values(of client: OpenIDClientRecord) throws -> [any SQLArgument] {
        let (redirectURIs, purposes) = (try client.redirectURIs.json, try client.purposes.json)
        let frameAncestors = try client.frameAncestors.json
        var values: [any SQLArgument] = [
            client.appID.rawValue, redirectURIs, client.authentication.rawValue, client.keySet,
            client.idTokenAlgorithm.rawValue, client.asksMiddleDigits, client.requiresPushedRequests, client.page,
            purposes, frameAncestors, client.stableSubjectWithoutPage, client.requiresPKCE, client.bindsAccessTokens,
            client.profile.rawValue, client.remembersConsent, client.certificateName?.rawValue,
            client.bindsToCertificate, client.backchannel?.delivery.rawValue, client.backchannel?.notificationEndpoint,
        ]
        for secret in client.secrets.sorted(by: { $0.version < $1.version }) {
            let more: [any SQLArgument] = [
                secret.version, secret.hash.bytes, secret.createdAt?.milliseconds, secret.acceptedUntil?.milliseconds,
            ]
            values += more
        }
        return values
    }

    /// Gives every client its code.
    /// - Returns: how many there are.
    static func seal(_ codes: RowCodes, _ db: some StatementRunner) throws -> Int {
        let all = try clients("WHERE $1 = ''", "", RowCodes(), db)
        for client in all { try seal(client, codes, db) }
        return all.count
    }

    /// Gives a row its code.
    static func seal(_ client: OpenIDClientRecord, _ codes: RowCodes, _ db: some StatementRunner) throws {
        try db.run(
            "UPDATE openid_client SET mac = $1 WHERE app = $2",
            codes.code(of: "openid_client", try values(of: client)), client.appID.rawValue)
    }

    /// A row as it is, with the client's secrets.
    static func toSeal(_ app: String, _ codes: RowCodes, _ db: some StatementRunner) throws -> RowToSeal? {
        guard let client = try clients("WHERE app = $1", app, RowCodes(), db).first,
            let code = try db.row(
                "SELECT mac FROM openid_client WHERE app = $1", of: "openid_client", app,
                read: { try $0.optionalBytes() })
        else { return nil }
        let values = try values(of: client)
        let partNames = ["version", "hash", "created_at", "accepted_until"].map { "openid_client_secret.\($0)" }
        return RowToSeal(
            table: .openIDClient, id: app, values: RowToSeal.Value.named(coveredNames, partNames: partNames, values),
            isValid: codes.matches(code, of: "openid_client", values),
            digest: codes.digest(of: "openid_client", values))
    }

    private static let coveredNames = [
        "app", "redirect_uris", "authentication", "key_set", "id_token_algorithm", "asks_middle_digits",
        "requires_pushed_requests", "page", "purposes", "frame_ancestors", "stable_subject_without_page",
        "requires_pkce", "binds_access_tokens", "profile", "remembers_consent", "certificate_name",
        "binds_to_certificate", "backchannel_delivery", "backchannel_notification",
    ]

    static func remembersConsent(_ app: AppID, _ db: some StatementRunner) throws -> Bool {
        try db.hasRow("SELECT 1 FROM openid_client WHERE app = $1 AND remembers_consent", app.rawValue)
    }

    /// Ends what an app's people had remembered.
    static func forgetRemembered(of app: AppID, _ db: some StatementRunner) throws {
        try db.run(
            "UPDATE openid_credential SET revoked = true WHERE app = $1 AND kind = 'remembered' AND NOT revoked",
            app.rawValue)
    }

    static func put(_ secrets: [ClientSecretRecord], of app: AppID, _ db: some StatementRunner) throws {
        try db.run("DELETE FROM openid_client_secret WHERE app = $1", app.rawValue)
        for secret in secrets {
            try db.run(
                """
                INSERT INTO openid_client_secret (app, version, hash, created_at, accepted_until) VALUES \
                ($1,$2,$3,$4,$5)
                """, app.rawValue, secret.version, secret.hash.bytes, secret.createdAt?.milliseconds,
                secret.acceptedUntil?.milliseconds)
        }
    }

    /// - Parameter rest: a condition on `app`, whose $1 is `argument`.
    /// - Returns: no client whose row is refused.
    package static func clients(
        _ rest: String, _ argument: String, _ codes: RowCodes, _ db: some StatementRunner
    ) throws -> [OpenIDClientRecord] {
        let found = try db.rows(
            """
            SELECT app, redirect_uris, authentication, key_set, id_token_algorithm, asks_middle_digits,
                requires_pushed_requests, page, purposes, frame_ancestors, stable_subject_without_page, requires_pkce,
                binds_access_tokens, certificate_name, binds_to_certificate, profile, remembers_consent,
                backchannel_delivery, backchannel_notification, revision, mac
            FROM openid_client \(rest)
            """, of: "openid_client", argument
        ) { columns -> (client: OpenIDClientRecord, code: [UInt8]?) in
            let client = OpenIDClientRecord(
                appID: try columns.raw(), redirectURIs: try columns.texts(), authentication: try columns.raw(),
                secrets: [], keySet: try columns.optionalText(), idTokenAlgorithm: try columns.raw(),
                asksMiddleDigits: try columns.bool(), requiresPushedRequests: try columns.bool(),
                page: try columns.text(), purposes: try columns.texts(), frameAncestors: try columns.texts(),
                stableSubjectWithoutPage: try columns.bool(), requiresPKCE: try columns.bool(),
                bindsAccessTokens: try columns.bool(),
                certificateName: try columns.optionalText().flatMap(CertificateName.init),
                bindsToCertificate: try columns.bool(), profile: try columns.raw(),
                remembersConsent: try columns.bool(), backchannel: try backchannel(&columns),
                revision: try columns.integer())
            return (client: client, code: try columns.optionalBytes())
        }
        if found.isEmpty { return [] }
        let secrets = try db.rows(
            """
            SELECT app, version, hash, created_at, accepted_until FROM openid_client_secret \(rest)
            ORDER BY version DESC
            """, of: "openid_client_secret", argument
        ) { columns -> (app: AppID, secret: ClientSecretRecord) in
            let app = try columns.raw(AppID.self)
            let secret = ClientSecretRecord(
                version: try columns.integer(), hash: try columns.hash(), createdAt: try columns.optionalTimestamp(),
                acceptedUntil: try columns.optionalTimestamp())
            return (app: app, secret: secret)
        }
        return try found.compactMap { found in
            var client = found.client
            client.secrets = secrets.filter { $0.app == client.appID }.map(\.secret)
            let isOurs = codes.accepts(
                found.code, of: "openid_client", id: client.appID.rawValue, try values(of: client))
            return isOurs ? client : nil
        }
    }

    private static func backchannel(_ columns: inout some Columns) throws -> BackchannelRegistration? {
        let delivery = try columns.optionalText().flatMap(BackchannelDelivery.init(rawValue:))
        let endpoint = try columns.optionalText()
        return delivery.map { BackchannelRegistration(delivery: $0, notificationEndpoint: endpoint) }
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

    /// The SELECT of ``lookup(_:)``, without its condition.
    package static let lookingUp = "SELECT \(columns), spent_at IS NOT NULL, revoked FROM openid_credential"

    static func find(_ hash: CredentialHash, _ db: some StatementRunner) throws -> OpenIDLookup {
        try db.row(
            "\(lookingUp) WHERE hash = $1", of: "openid_credential", hash.bytes, read: lookup) ?? .unknown
    }

    package static func lookup(_ columns: inout some Columns) throws -> OpenIDLookup {
        let credential = try decode(&columns)
        let isSpent = try columns.bool()
        let isRevoked = try columns.bool()
        return isSpent ? .spent(credential) : isRevoked ? .revoked(credential) : .live(credential)
    }

    private static let holds = "(subscription IS NULL OR \(SubscriptionRows.holds("openid_credential")))"

    /// Spends the credential if everything holds in this instant; `nil` if not, and then nothing was changed.
    ///
    /// - Parameter condition: SQL; its app is $3, its day $6, and its quotas of day and month $7 and $8.
    package static func spend(
        _ exchange: OpenIDExchange, if condition: String = "true", _ db: some StatementRunner
    ) throws -> OpenIDCredential? {
        let change =
            switch exchange.end {
            case .spent: "spent_at = $4"
            case .kept: "spent_at = NULL"
            case .answered: "kind = '\(OpenIDCredential.Kind.answered.rawValue)'"
            case .noted: "used_at = $4"
            }
        let pushed = exchange.pushed == nil ? "" : "AND EXISTS (SELECT 1 FROM openid_credential AS p WHERE \(isPushed))"
        let spent = try db.row(
            """
            UPDATE openid_credential SET \(change)
            WHERE hash = $1 AND kind = $2 AND app = $3 AND spent_at IS NULL AND NOT revoked AND expires_at > $4
                AND \(holds) AND \(condition) \(pushed)
            RETURNING \(columns)
            """, of: "openid_credential", exchange.hash.bytes, exchange.kind.rawValue, exchange.appID.rawValue,
            exchange.now.milliseconds, exchange.pushed?.bytes, exchange.billing?.day, exchange.billing?.quota.daily,
            exchange.billing?.quota.monthly, read: decode)
        guard let spent else { return nil }
        if let pushed = exchange.pushed {
            try db.run(
                "UPDATE openid_credential SET spent_at = $1 WHERE hash = $2", exchange.now.milliseconds, pushed.bytes)
        }
        return spent
    }

    /// An SQL condition: the row `p` is the pushed request $5, and not spent.
    private static let isPushed = "p.hash = $5 AND p.kind = 'pushed' AND p.spent_at IS NULL AND NOT p.revoked"

    /// Why ``spend(_:_:)`` did not: the first reason in the order that ``OpenIDExchangeOutcome`` documents.
    package static func refusal(_ exchange: OpenIDExchange, _ db: some StatementRunner) throws -> OpenIDExchangeOutcome
    {
        let found = try find(exchange.hash, db)
        guard let credential = found.credential else { return .unknown }
        let isAnswered = exchange.kind == .access && credential.kind == .answered
        guard isAnswered || credential.kind == exchange.kind else { return .unknown }
        if credential.appID != exchange.appID { return .wrongApp(credential) }
        if case .spent = found { return .alreadySpent(credential) }
        if exchange.now >= credential.expiresAt { return .expired(credential) }
        if case .revoked = found { return .revoked(credential) }
        if let reference = credential.subject?.subscription,
            try SubscriptionRows.find(reference.subscription, db)?.reference != reference
        {
            return .revoked(credential)
        }
        if isAnswered { return exchange.end == .answered ? .answered(credential) : .alreadySpent(credential) }
        if let pushed = exchange.pushed {
            guard case .live = try find(pushed, db) else { return .alreadySpent(credential) }
        }
        guard exchange.billing.map({ $0.quota != AnswerQuota() }) == true else {
            throw StoreError(.corrupt, "exchange openid credential: refused without a reason")
        }
        return .quotaExceeded(credential)
    }

    /// Ends a remembered consent beside the end of a page of the same app and holder; another's stays.
    package static func forget(
        _ remembered: CredentialHash, with page: OpenIDCredential, _ db: some StatementRunner
    ) throws {
        guard let holder = page.subject?.subscription else { return }
        try db.run(
            """
            UPDATE openid_credential SET revoked = true WHERE hash = $1 AND kind = 'remembered' AND app = $2
                AND subscription = $3 AND epoch = $4 AND NOT revoked
            """, remembered.bytes, page.appID.rawValue, holder.subscription, holder.epoch)
    }

    /// A holder's remembered consents that are not ended.
    private static let remembered = """
        openid_credential WHERE kind = 'remembered' AND subscription = $1 AND epoch = $2 AND sim_generation = $3
            AND NOT revoked
        """

    static func remembered(
        of holder: SubscriptionReference, at moment: Timestamp, _ db: some StatementRunner
    ) throws -> [RememberedConsent] {
        try db.rows(
            "SELECT \(columns), used_at FROM \(remembered) AND expires_at > $4 ORDER BY issued_at DESC, hash LIMIT 500",
            of: "openid_credential", holder.subscription, holder.epoch, holder.simGeneration, moment.milliseconds
        ) { columns in
            RememberedConsent(credential: try decode(&columns), usedAt: try columns.optionalTimestamp())
        }
    }

    static func waiting(
        for holder: SubscriptionReference, at moment: Timestamp, limit: Int, _ db: some StatementRunner
    ) throws -> [OpenIDCredential] {
        try db.rows(
            """
            SELECT \(columns) FROM openid_credential
            WHERE kind = 'backchannel' AND subscription = $1 AND epoch = $2 AND sim_generation = $3 AND spent_at IS NULL
                AND NOT revoked AND expires_at > $4
            ORDER BY issued_at DESC, hash LIMIT $5
            """, of: "openid_credential", holder.subscription, holder.epoch, holder.simGeneration,
            moment.milliseconds, limit
        ) { columns in try decode(&columns) }
    }

    static func endRemembered<DB: StatementRunner>(
        of holder: SubscriptionReference, family: Int64?, _ db: DB
    ) throws -> Int {
        try db.run(
            """
            UPDATE openid_credential SET revoked = true WHERE hash IN
                (SELECT hash FROM \(remembered) AND family = coalesce($4, family) ORDER BY hash \(DB.lockingRows))
                AND NOT revoked
            """, holder.subscription, holder.epoch, holder.simGeneration, family)
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
