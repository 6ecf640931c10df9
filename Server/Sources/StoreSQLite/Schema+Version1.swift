extension Schema {
    /// Times are milliseconds since 1970, enumerations their raw values, lists JSON arrays of text, hashes and
    /// ciphertexts BLOBs.
    ///
    /// Credentials name apps and subscriptions without foreign keys. The store keeps values as given, and the most
    /// frequent writes look up only rows that their own statement needs.
    static let version1 = """
        CREATE TABLE app (
            id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            sealed_key BLOB NOT NULL,
            key_version INTEGER NOT NULL,
            suspended INTEGER NOT NULL CHECK (suspended IN (0, 1)),
            allowed INTEGER NOT NULL CHECK (allowed IN (0, 1)),
            capabilities TEXT NOT NULL,
            bundle_ids TEXT NOT NULL,
            server_addresses TEXT NOT NULL,
            rsa_public_key TEXT,
            sign_algorithm TEXT NOT NULL,
            daily_quota INTEGER,
            least_assurance TEXT NOT NULL,
            attesters TEXT NOT NULL,
            scrip_lifetime INTEGER,
            token_lifetime INTEGER,
            request_time_tolerance INTEGER,
            legacy_number_without_page INTEGER NOT NULL CHECK (legacy_number_without_page IN (0, 1)),
            approved_content TEXT NOT NULL,
            source_ids TEXT NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE app_source (
            source_id TEXT NOT NULL PRIMARY KEY,
            app TEXT NOT NULL REFERENCES app (id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX app_source_by_app ON app_source (app);

        -- AUTOINCREMENT: credentials outlive rows, so a row number must never name two subscriptions.
        CREATE TABLE subscription (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            number_index BLOB NOT NULL UNIQUE,
            sealed_number BLOB NOT NULL,
            carrier TEXT NOT NULL,
            epoch INTEGER NOT NULL,
            epoch_key BLOB NOT NULL,
            sim_generation INTEGER NOT NULL,
            sim_index BLOB,
            sim_changed_at INTEGER NOT NULL,
            epoch_started_at INTEGER NOT NULL,
            last_seen_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE scrip (
            hash BLOB NOT NULL PRIMARY KEY,
            family INTEGER NOT NULL,
            generation INTEGER NOT NULL,
            app TEXT NOT NULL,
            subscription INTEGER NOT NULL,
            epoch INTEGER NOT NULL,
            sim_generation INTEGER NOT NULL,
            carrier TEXT NOT NULL,
            binding INTEGER NOT NULL,
            device_key TEXT NOT NULL,
            nonce_hash BLOB NOT NULL,
            trace TEXT NOT NULL,
            dialect TEXT NOT NULL,
            reusable INTEGER NOT NULL CHECK (reusable IN (0, 1)),
            expires_at INTEGER NOT NULL,
            used INTEGER NOT NULL DEFAULT 0 CHECK (used IN (0, 1)),
            revoked INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX scrip_by_family ON scrip (family);
        CREATE INDEX scrip_by_binding ON scrip (binding) WHERE revoked = 0;
        CREATE INDEX scrip_by_expiry ON scrip (expires_at);

        CREATE TABLE token (
            hash BLOB NOT NULL PRIMARY KEY,
            app TEXT NOT NULL,
            purpose TEXT NOT NULL,
            subscription INTEGER NOT NULL,
            epoch INTEGER NOT NULL,
            sim_generation INTEGER NOT NULL,
            carrier TEXT NOT NULL,
            binding INTEGER NOT NULL,
            device_key TEXT NOT NULL,
            assurance TEXT NOT NULL,
            trace TEXT NOT NULL,
            dialect TEXT NOT NULL,
            issued_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            spent_at INTEGER,
            revoked INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX token_unused ON token (subscription, issued_at, app)
            WHERE spent_at IS NULL AND revoked = 0;
        CREATE INDEX token_by_binding ON token (binding) WHERE spent_at IS NULL AND revoked = 0;
        CREATE INDEX token_by_expiry ON token (expires_at);

        -- For requests that were under way when the gateway revoked a binding: they store their credentials too late for
        -- the revocation to find them.
        CREATE TABLE revoked_binding (binding INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT;
        CREATE INDEX revoked_binding_by_time ON revoked_binding (at);

        -- Evidence: it may be deleted when the law says so, but never changed.
        CREATE TABLE consent (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            app TEXT NOT NULL,
            trace TEXT NOT NULL,
            subscription INTEGER NOT NULL,
            epoch INTEGER NOT NULL,
            sim_generation INTEGER NOT NULL,
            content_digest TEXT NOT NULL,
            record TEXT NOT NULL,
            received_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX consent_by_trace ON consent (trace);
        CREATE TRIGGER consent_is_never_changed BEFORE UPDATE ON consent
            BEGIN SELECT RAISE(ABORT, 'consent is evidence'); END;

        CREATE TABLE message (
            app TEXT NOT NULL,
            name TEXT NOT NULL,
            expires_at INTEGER NOT NULL,
            PRIMARY KEY (app, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX message_by_expiry ON message (expires_at);

        CREATE TABLE ledger (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            app TEXT NOT NULL,
            trace TEXT NOT NULL,
            interface TEXT NOT NULL,
            result TEXT NOT NULL,
            at INTEGER NOT NULL,
            day INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX ledger_by_app ON ledger (app, id);
        CREATE TRIGGER ledger_is_never_changed BEFORE UPDATE ON ledger
            BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
        CREATE TRIGGER ledger_is_never_shortened BEFORE DELETE ON ledger
            BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

        CREATE TABLE billing_day (
            app TEXT NOT NULL,
            day INTEGER NOT NULL,
            answered INTEGER NOT NULL,
            PRIMARY KEY (app, day)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE trace_event (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            trace TEXT NOT NULL,
            at INTEGER NOT NULL,
            party TEXT NOT NULL,
            step TEXT NOT NULL,
            situation TEXT NOT NULL,
            detail TEXT NOT NULL
        ) STRICT;
        CREATE INDEX trace_event_by_trace ON trace_event (trace, at);
        CREATE INDEX trace_event_by_time ON trace_event (at);

        -- What a health check writes, to know that writing works.
        CREATE TABLE heartbeat (id INTEGER PRIMARY KEY CHECK (id = 1), beats INTEGER NOT NULL) STRICT;
        INSERT INTO heartbeat (id, beats) VALUES (1, 0);
        """
}
