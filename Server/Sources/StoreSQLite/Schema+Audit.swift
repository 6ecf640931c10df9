extension Schema {
    /// Version 6: who ordered what, and until when a deletion can be taken back. Conventions as in ``version1``.
    static let audit = """
        ALTER TABLE app ADD COLUMN deleted_after INTEGER;
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            actor TEXT NOT NULL,
            role TEXT NOT NULL,
            origin TEXT NOT NULL,
            order_name TEXT NOT NULL,
            app TEXT,
            subject TEXT,
            before TEXT,
            after TEXT,
            reason TEXT,
            outcome TEXT NOT NULL,
            request_key TEXT,
            request_digest BLOB
        ) STRICT;
        CREATE INDEX audit_by_app ON audit (app, id) WHERE app IS NOT NULL;
        CREATE UNIQUE INDEX audit_by_request ON audit (actor, request_key) WHERE request_key IS NOT NULL;
        CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
            BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
        CREATE TRIGGER audit_is_never_shortened BEFORE DELETE ON audit
            BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
        """
}
