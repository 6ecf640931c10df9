extension Schema {
    /// Version 6: submitted pages and the decisions on them. Conventions as in ``version1``.
    static let pageReviews = """
        ALTER TABLE app ADD COLUMN requires_page_review INTEGER NOT NULL DEFAULT 0
            CHECK (requires_page_review IN (0, 1));
        CREATE TABLE page_submission (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            app TEXT NOT NULL REFERENCES app (id),
            digest TEXT NOT NULL,
            page TEXT NOT NULL,
            note TEXT,
            findings TEXT NOT NULL,
            submitted_by TEXT NOT NULL,
            submitted_at INTEGER NOT NULL,
            state TEXT NOT NULL,
            decided_by TEXT,
            decided_at INTEGER,
            reason TEXT
        ) STRICT;
        CREATE INDEX page_submission_by_app ON page_submission (app, id);
        -- A page waits for one decision at a time, and what is approved is not submitted again.
        CREATE UNIQUE INDEX page_submission_open ON page_submission (app, digest)
            WHERE state IN ('submitted', 'approved');
        """
}
