extension Schema {
    /// Version 6: how admins sign in to the console, and where they have. Conventions as in ``version1``.
    static let console = """
        CREATE TABLE console_account (
            admin TEXT PRIMARY KEY,
            -- scrypt's, and what the secret of the second factor is made with.
            salt BLOB NOT NULL,
            cost INTEGER NOT NULL,
            hash BLOB NOT NULL,
            last_step INTEGER NOT NULL,
            -- Attempts that failed one after the other.
            failures INTEGER NOT NULL,
            blocked_until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE console_session (
            hash BLOB PRIMARY KEY,
            admin TEXT NOT NULL,
            began_at INTEGER NOT NULL,
            used_at INTEGER NOT NULL,
            ends_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX console_session_by_admin ON console_session (admin);
        CREATE INDEX console_session_by_time ON console_session (ends_at);
        """
}
