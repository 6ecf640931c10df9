extension Schema {
    /// Version 6: where apps are told of their logins, and what waits to be told. Conventions as in ``version1``.
    static let callbacks = """
        ALTER TABLE app ADD COLUMN callback_url TEXT;
        ALTER TABLE app ADD COLUMN callback_events TEXT;
        ALTER TABLE app ADD COLUMN callback_stopped_at INTEGER;
        CREATE INDEX app_with_callback ON app (id) WHERE callback_url IS NOT NULL;

        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            event TEXT NOT NULL UNIQUE,
            app TEXT NOT NULL,
            type TEXT NOT NULL,
            trace TEXT,
            subscription INTEGER,
            epoch INTEGER,
            payload TEXT NOT NULL,
            at INTEGER NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'dead')),
            -- While it waits, from when it may be claimed; a claim sets it to the end of its lease.
            due_at INTEGER NOT NULL,
            queued_at INTEGER NOT NULL,
            lease TEXT,
            attempts INTEGER NOT NULL,
            outcome TEXT,
            tried_at INTEGER
        ) STRICT;
        CREATE INDEX outbox_due ON outbox (app, due_at, id) WHERE state = 'waiting';
        CREATE INDEX outbox_by_app ON outbox (app, id);
        CREATE INDEX outbox_open ON outbox (app, id) WHERE state <> 'delivered';
        CREATE INDEX outbox_by_state ON outbox (state, queued_at);
        CREATE INDEX outbox_by_subscription ON outbox (subscription) WHERE subscription IS NOT NULL;
        """
}
