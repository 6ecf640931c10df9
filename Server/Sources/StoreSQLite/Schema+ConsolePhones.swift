extension Schema {
    /// Version 6: phones of their own with which admins sign in to the console, and what began with a right password.
    /// Conventions as in ``version1``.
    static let consolePhones = """
        -- SHA-256 of issuer, client and the account's sub there.
        ALTER TABLE console_account ADD COLUMN phone BLOB;
        ALTER TABLE console_account ADD COLUMN phone_bound_at INTEGER;
        ALTER TABLE console_account ADD COLUMN phone_used_at INTEGER;
        CREATE TABLE console_pending (
            hash BLOB PRIMARY KEY,
            admin TEXT NOT NULL,
            -- Of whoever binds a phone; absent for a sign-in.
            session BLOB,
            ends_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX console_pending_by_admin ON console_pending (admin);
        CREATE INDEX console_pending_by_time ON console_pending (ends_at);
        """
}
