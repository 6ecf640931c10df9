extension Schema {
    /// The OpenID provider's clients, signing keys and credentials. Conventions as in ``version1``.
    static let openID = """
        CREATE TABLE openid_client (
            app TEXT NOT NULL PRIMARY KEY REFERENCES app (id),
            redirect_uris TEXT NOT NULL,
            authentication TEXT NOT NULL,
            secret_hash BLOB,
            key_set TEXT,
            id_token_algorithm TEXT NOT NULL,
            asks_middle_digits INTEGER NOT NULL CHECK (asks_middle_digits IN (0, 1)),
            requires_pushed_requests INTEGER NOT NULL CHECK (requires_pushed_requests IN (0, 1)),
            page TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE openid_key (
            id TEXT NOT NULL PRIMARY KEY,
            algorithm TEXT NOT NULL,
            sealed_key BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            published_until INTEGER
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE openid_credential (
            hash BLOB NOT NULL PRIMARY KEY,
            kind TEXT NOT NULL,
            family INTEGER NOT NULL,
            app TEXT NOT NULL,
            subscription INTEGER,
            epoch INTEGER,
            sim_generation INTEGER,
            carrier TEXT,
            binding INTEGER,
            trace TEXT NOT NULL,
            details TEXT NOT NULL,
            issued_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            spent_at INTEGER,
            revoked INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX openid_credential_by_family ON openid_credential (family);
        CREATE INDEX openid_credential_by_app ON openid_credential (app) WHERE spent_at IS NULL AND revoked = 0;
        CREATE INDEX openid_credential_by_binding ON openid_credential (binding) WHERE spent_at IS NULL AND revoked = 0;
        CREATE INDEX openid_credential_by_expiry ON openid_credential (expires_at);
        """
}
