extension Schema {
    /// Version 6: who owns each pair of gateways, and what its owner records for the other. Conventions as in
    /// ``version1``.
    static let gatewayPairs = """
        CREATE TABLE gateway_pair (
            name TEXT PRIMARY KEY,
            -- NULL while nobody owns it.
            owner TEXT,
            fence INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            forgotten_until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Of each session, NAS and domain the newest that its gateway said. No number: subscriptions by their row.
        CREATE TABLE gateway_entry (
            pair TEXT NOT NULL,
            key BLOB NOT NULL,
            sequence INTEGER NOT NULL,
            content BLOB NOT NULL,
            -- NULL for what goes on.
            ended_at INTEGER,
            PRIMARY KEY (pair, key)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX gateway_entry_by_sequence ON gateway_entry (pair, sequence);
        CREATE INDEX gateway_entry_by_end ON gateway_entry (ended_at) WHERE ended_at IS NOT NULL;
        """
}
