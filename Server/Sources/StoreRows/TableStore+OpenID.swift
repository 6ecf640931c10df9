package import BenjiProtocol
package import Sightings
package import Store

extension TableStore {
    package func putOpenIDClient(
        _ client: OpenIDClientRecord, media: [OpenIDMedia], removedMedia: [String], audit: AuditEntry?
    ) async throws(StoreError) -> OpenIDClientRecord {
        try await write("put openid client", locks: [.orders]) { db in
            guard try db.hasRow("SELECT 1 FROM app WHERE id = $1 AND deleted_after IS NULL", client.appID.rawValue)
            else {
                throw StoreError(.notFound, "put openid client: no such app")
            }
            let remembered = try OpenIDRows.remembersConsent(client.appID, db)
            guard let revision = try OpenIDRows.put(client, self.rowCodes, db) else {
                throw StoreError(.outdated, "put openid client: it was changed since it was read")
            }
            try OpenIDRows.put(client.secrets, of: client.appID, db)
            // Also when the option comes back: a tap beside its end may have left one.
            if !(remembered && client.remembersConsent) { try OpenIDRows.forgetRemembered(of: client.appID, db) }
            try OpenIDMediaRows.change(client.appID, put: media, remove: removedMedia, db)
            try AuditRows.insert(audit, self.rowCodes, db)
            var stored = client
            stored.revision = revision
            return stored
        }
    }

    package func openIDClient(_ app: AppID) async throws(StoreError) -> OpenIDClientRecord? {
        let codes = rowCodes
        return try await read("read openid client") { db in
            try OpenIDRows.clients("WHERE app = $1", app.rawValue, codes, db).first
        }
    }

    package func removeOpenIDClient(_ app: AppID, audit: AuditEntry?) async throws(StoreError) {
        try await write("remove openid client", locks: [.orders]) { db in
            try OpenIDRows.remove(app, db)
            try AuditRows.insert(audit, self.rowCodes, db)
        }
    }

    package func addOpenIDKeys(
        _ keys: [OpenIDKeyRecord], publicKeys: [String: String], othersPublishedUntil: Timestamp?, audit: AuditEntry?
    ) async throws(StoreError) {
        try await write("add openid keys", locks: [.orders, .masterKeys.shared]) { db in
            for (id, publicKey) in publicKeys {
                try db.run(
                    "UPDATE openid_key SET public_key = $1 WHERE id = $2 AND public_key IS NULL", publicKey, id)
            }
            for key in keys {
                if let sealed = key.sealedKey { try MasterKeyRows.check(sealed, db) }
                if let othersPublishedUntil {
                    try db.run(
                        "UPDATE openid_key SET published_until = $1 WHERE algorithm = $2 AND published_until IS NULL",
                        othersPublishedUntil.milliseconds, key.algorithm.rawValue)
                    try db.run(
                        "UPDATE openid_key SET sealed_key = NULL WHERE algorithm = $1 AND public_key IS NOT NULL",
                        key.algorithm.rawValue)
                } else {
                    try db.run("DELETE FROM openid_key WHERE algorithm = $1", key.algorithm.rawValue)
                }
                try db.run(
                    """
                    INSERT INTO openid_key (id, algorithm, public_key, sealed_key, created_at, published_until)
                    VALUES ($1,$2,$3,$4,$5,$6)
                    """, key.id, key.algorithm.rawValue, key.publicKey, key.sealedKey?.bytes,
                    key.createdAt.milliseconds, key.publishedUntil?.milliseconds)
            }
            try AuditRows.insert(audit, self.rowCodes, db)
        }
    }

    package func openIDKeys(at moment: Timestamp) async throws(StoreError) -> [OpenIDKeyRecord] {
        try await readOne("read openid keys") { db in
            try db.rows(
                """
                SELECT id, algorithm, public_key, sealed_key, created_at, published_until FROM openid_key
                WHERE published_until IS NULL OR published_until > $1 ORDER BY created_at DESC, id
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
        try await write(
            "insert openid credential",
            locks: [credential.subject?.binding].compactMap { $0.map { .credentials($0).shared } }
        ) { db in try OpenIDRows.insert(credential, db) }
    }

    package func openIDCredential(_ hash: CredentialHash) async throws(StoreError) -> OpenIDLookup {
        try await look("read openid credential") { db in try OpenIDRows.find(hash, db) }
    }

    package func revokeOpenIDCredentials(family: Int64) async throws(StoreError) {
        try await write("revoke openid credentials", locks: [.credentials(family)]) { db in
            try db.run(
                "UPDATE openid_credential SET revoked = true WHERE family = $1 AND spent_at IS NULL AND NOT revoked",
                family
            )
        }
    }

    package func rememberedConsents(
        of holder: SubscriptionReference, at moment: Timestamp
    ) async throws(StoreError) -> [RememberedConsent] {
        try await read("read remembered consents") { db in try OpenIDRows.remembered(of: holder, at: moment, db) }
    }

    package func backchannelRequests(
        of holder: SubscriptionReference, at moment: Timestamp, limit: Int
    ) async throws(StoreError) -> [OpenIDCredential] {
        try await read("read backchannel requests") { db in
            try OpenIDRows.waiting(for: holder, at: moment, limit: limit, db)
        }
    }

    package func endRememberedConsents(
        of holder: SubscriptionReference, family: Int64?
    ) async throws(StoreError) -> Int {
        try await write("end remembered consents", locks: []) { db in
            try OpenIDRows.endRemembered(of: holder, family: family, db)
        }
    }

    package func takeName(
        _ name: String, app: AppID, until: Timestamp, now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await write("take name", locks: []) { db in
            try MessageNames.take(name, app: app, until: until, now: now, db)
        }
    }

    package func isNameTaken(_ name: String, app: AppID, now: Timestamp) async throws(StoreError) -> Bool {
        try await readOne("look for name") { db in try MessageNames.isTaken(name, app: app, now: now, db) }
    }
}
