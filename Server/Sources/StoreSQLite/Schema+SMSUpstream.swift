extension Schema {
    /// Version 6: texts that phones are to send, and who sent them. Conventions as in ``version1``.
    static let smsUpstream = """
        -- No text, no number: keyed hashes of both.
        CREATE TABLE sms_upstream (
            id TEXT PRIMARY KEY,
            app TEXT NOT NULL,
            text BLOB NOT NULL,
            device BLOB NOT NULL,
            trace TEXT NOT NULL,
            issued_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            -- The number that the text came from; NULL before it has come.
            number BLOB,
            -- NULL where the register does not know the number, or the sender may not speak for its carrier.
            subscription INTEGER,
            epoch INTEGER,
            sim_generation INTEGER,
            arrived_at INTEGER,
            spent_at INTEGER,
            -- Why it ended unspent: 'contested' by a second number, or the database 'restored'.
            ended TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX sms_upstream_by_text ON sms_upstream (text);
        CREATE INDEX sms_upstream_by_time ON sms_upstream (issued_at);
        CREATE INDEX sms_upstream_by_number ON sms_upstream (number) WHERE number IS NOT NULL;
        CREATE INDEX sms_upstream_by_subscription ON sms_upstream (subscription) WHERE subscription IS NOT NULL;
        """
}
