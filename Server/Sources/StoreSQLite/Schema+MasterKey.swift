extension Schema {
    /// Version 6: which master keys the secrets are sealed under, and what outlives every one of them. Conventions as
    /// in ``version1``.
    static let masterKey = """
        CREATE TABLE master_key (
            check_value BLOB NOT NULL PRIMARY KEY,
            state TEXT NOT NULL CHECK (state IN ('current', 'outgoing', 'retired')),
            since INTEGER NOT NULL,
            retired_at INTEGER,
            -- When every page of the file was written anew after that: until then free pages may hold what the key sealed.
            forgotten_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX master_key_in_use ON master_key (state) WHERE state <> 'retired';

        CREATE TABLE data_secrets (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            sealed BLOB NOT NULL
        ) STRICT;

        -- Public halves stay for ever: receipts are evidence.
        CREATE TABLE receipt_key (
            id TEXT NOT NULL PRIMARY KEY,
            public_key TEXT NOT NULL,
            sealed_key BLOB,
            starts_at INTEGER,
            ends_at INTEGER
        ) STRICT, WITHOUT ROWID;

        -- A key that signs no more keeps its public half alone.
        ALTER TABLE openid_key RENAME TO openid_key_whole;
        CREATE TABLE openid_key (
            id TEXT NOT NULL PRIMARY KEY,
            algorithm TEXT NOT NULL,
            public_key TEXT,
            sealed_key BLOB,
            created_at INTEGER NOT NULL,
            published_until INTEGER
        ) STRICT, WITHOUT ROWID;
        INSERT INTO openid_key SELECT id, algorithm, NULL, sealed_key, created_at, published_until FROM openid_key_whole;
        DROP TABLE openid_key_whole;

        -- Until now the keyed hash itself, which nobody can compute anew under another key.
        ALTER TABLE subscription RENAME COLUMN sim_index TO sealed_sim;

        -- What is sealed under a key with an id is longer by the id. Rows of this table are overwritten in place, so those
        -- that there are get that length once, in a new table, and leave zeros behind.
        ALTER TABLE face_key RENAME TO face_key_without_id;
        CREATE TABLE face_key (
            account INTEGER NOT NULL PRIMARY KEY,
            sealed_key BLOB NOT NULL
        ) STRICT;
        INSERT INTO face_key (account, sealed_key)
            SELECT account, CAST(sealed_key || zeroblob(8) AS BLOB) FROM face_key_without_id ORDER BY account;
        UPDATE face_key_without_id SET sealed_key = zeroblob(length(sealed_key));
        DROP TABLE face_key_without_id;
        """
}
