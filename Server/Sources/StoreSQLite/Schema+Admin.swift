extension Schema {
    /// Version 6: who may give orders over the admin interface. Conventions as in ``version1``.
    static let admin = """
        CREATE TABLE admin (
            name TEXT PRIMARY KEY,
            role TEXT NOT NULL,
            apps TEXT NOT NULL,
            sees_numbers INTEGER NOT NULL CHECK (sees_numbers IN (0, 1)),
            kind TEXT NOT NULL,
            credential BLOB NOT NULL UNIQUE,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            revoked_at INTEGER,
            last_used_day INTEGER
        ) STRICT, WITHOUT ROWID;
        """
}
