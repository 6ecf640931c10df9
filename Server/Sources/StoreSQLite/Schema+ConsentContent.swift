extension Schema {
    /// Version 6: the piece of a consent that says what its page showed is kept once (decision 38). Conventions as in
    /// ``version1``.
    static let consentContent = """
        CREATE TABLE consent_content (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            -- `content_digest` of its consents.
            digest TEXT NOT NULL,
            text TEXT NOT NULL,
            -- Of its newest consent, or up to a day before.
            received_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX consent_content_by_digest ON consent_content (digest);
        CREATE INDEX consent_content_by_time ON consent_content (received_at);
        CREATE TRIGGER consent_content_is_never_changed BEFORE UPDATE OF id, digest, text ON consent_content
            BEGIN SELECT RAISE(ABORT, 'consent is evidence'); END;

        -- `record` lacks this piece, which belongs behind so many of its characters. NULL: the record is whole, as all earlier ones are.
        ALTER TABLE consent ADD COLUMN content INTEGER;
        ALTER TABLE consent ADD COLUMN content_at INTEGER;
        """
}
