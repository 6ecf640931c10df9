extension Schema {
    /// Version 8: codes of the rows that give rights, and the mark of the audit log (decision 63). Conventions as in
    /// ``version1``.
    static let rowCodes = """
        -- An HMAC over the row under a data secret. NULL in a row that an earlier version wrote, or a party without the
        -- secret.
        ALTER TABLE admin ADD COLUMN mac BLOB;
        ALTER TABLE console_account ADD COLUMN mac BLOB;
        ALTER TABLE console_session ADD COLUMN mac BLOB;
        ALTER TABLE console_pending ADD COLUMN mac BLOB;
        ALTER TABLE app ADD COLUMN mac BLOB;
        ALTER TABLE openid_client ADD COLUMN mac BLOB;

        -- The last line of the audit log, how many lines there are up to it, and the code of that line. Written with
        -- the line. An operator has it begun anew.
        CREATE TABLE audit_mark (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            line INTEGER NOT NULL,
            entries INTEGER NOT NULL,
            digest BLOB NOT NULL,
            beginning INTEGER NOT NULL CHECK (beginning < 1000000000),
            mac BLOB NOT NULL
        ) STRICT;
        CREATE TRIGGER audit_mark_never_goes_back BEFORE UPDATE ON audit_mark
            WHEN new.beginning <= old.beginning
                AND (new.line < old.line OR new.entries < old.entries OR new.beginning < old.beginning)
            BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
        CREATE TRIGGER audit_mark_stays BEFORE DELETE ON audit_mark
            BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
        """
}
