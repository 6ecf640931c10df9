extension Schema {
    /// Version 6: the counts of limits, and the assurance of evidence.
    static let limits = """
        ALTER TABLE scrip ADD COLUMN brief INTEGER NOT NULL DEFAULT 0 CHECK (brief IN (0, 1));

        -- NULL in rows of earlier versions.
        ALTER TABLE consent ADD COLUMN token BLOB;
        ALTER TABLE consent ADD COLUMN assurance TEXT;
        ALTER TABLE ledger ADD COLUMN assurance TEXT;

        CREATE TABLE familiar_key (
            subscription INTEGER NOT NULL,
            app TEXT NOT NULL,
            device_key TEXT NOT NULL,
            epoch INTEGER NOT NULL,
            seen_at INTEGER NOT NULL,
            PRIMARY KEY (subscription, app, device_key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX familiar_key_by_time ON familiar_key (seen_at);

        CREATE TABLE wrong_guess (
            subscription INTEGER NOT NULL,
            app TEXT NOT NULL,
            epoch INTEGER NOT NULL,
            count INTEGER NOT NULL,
            since INTEGER NOT NULL,
            PRIMARY KEY (subscription, app)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX wrong_guess_by_time ON wrong_guess (since);
        """
}
