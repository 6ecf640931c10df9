extension Schema {
    /// Version 6: what pages showed is kept once, and not with each consent. Conventions as in ``version1``.
    static let consentContent = """
        CREATE TABLE consent_content (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            digest BLOB NOT NULL UNIQUE,
            content BLOB NOT NULL,
            -- Of its newest consent, or up to a day before.
            received_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX consent_content_by_time ON consent_content (received_at);
        CREATE TRIGGER consent_content_is_never_changed BEFORE UPDATE OF id, digest, content ON consent_content
            BEGIN SELECT RAISE(ABORT, 'consent is evidence'); END;

        -- `record` lacks the content, which belongs at this byte of its payload. NULL: the record is whole, as all of before are.
        ALTER TABLE consent ADD COLUMN content INTEGER;
        ALTER TABLE consent ADD COLUMN content_at INTEGER;
        """
}
