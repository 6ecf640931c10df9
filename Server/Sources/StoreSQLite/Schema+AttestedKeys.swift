extension Schema {
    /// Version 6: keys of installs that the platform's maker vouched for. Conventions as in ``version1``.
    static let attestedKeys = """
        ALTER TABLE app ADD COLUMN apple_team TEXT;
        ALTER TABLE app ADD COLUMN development_keys INTEGER NOT NULL DEFAULT 0 CHECK (development_keys IN (0, 1));
        CREATE TABLE attested_key (
            app TEXT NOT NULL,
            id TEXT NOT NULL,
            public_key BLOB NOT NULL,
            -- Thumbprint of the device key that it speaks for.
            device_key TEXT NOT NULL,
            bundle TEXT NOT NULL,
            development INTEGER NOT NULL,
            counter INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            used_at INTEGER,
            -- A revoked key stays, so that it is not registered again.
            revoked_at INTEGER,
            PRIMARY KEY (app, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX attested_key_by_device ON attested_key (app, device_key);
        CREATE INDEX attested_key_by_time ON attested_key (app, created_at);
        """
}
