extension Schema {
    /// Version 6: SMS codes, and what they are counted by. Conventions as in ``version1``.
    static let smsCodes = """
        -- No number and no code: keyed hashes of both.
        CREATE TABLE sms_code (
            id TEXT PRIMARY KEY,
            app TEXT NOT NULL,
            purpose TEXT NOT NULL,
            number BLOB NOT NULL,
            code BLOB NOT NULL,
            -- NULL where the register does not know the number.
            subscription INTEGER,
            epoch INTEGER,
            sim_generation INTEGER,
            trace TEXT NOT NULL,
            tries_left INTEGER NOT NULL,
            issued_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            spent_at INTEGER,
            -- Why it ended unspent: 'replaced' by a newer one, its message 'not taken', or the database 'restored'.
            ended TEXT,
            -- Who accepted the message, under which name, and what was said of it last.
            sender TEXT,
            reference TEXT,
            delivery TEXT,
            delivery_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sms_code_by_number ON sms_code (number, issued_at);
        CREATE INDEX sms_code_by_time ON sms_code (issued_at);
        CREATE INDEX sms_code_by_subscription ON sms_code (subscription) WHERE subscription IS NOT NULL;
        CREATE INDEX sms_code_by_reference ON sms_code (sender, reference) WHERE reference IS NOT NULL;

        CREATE TABLE sms_budget (
            kind TEXT NOT NULL,
            name BLOB NOT NULL,
            begins_at INTEGER NOT NULL,
            ends_at INTEGER NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (kind, name, begins_at)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sms_budget_by_time ON sms_budget (ends_at);
        """
}
