extension Schema {
    /// Version 6: the public log of releases and consents (decision 58). Conventions as in ``version1``.
    static let log = """
        CREATE TABLE log_leaf (
            leaf INTEGER PRIMARY KEY,
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            kind TEXT NOT NULL CHECK (kind IN ('consent', 'release')),
            -- The consent's or the ledger's row.
            source INTEGER NOT NULL,
            subscription INTEGER,
            epoch INTEGER,
            -- What was hashed, as long as the row is kept.
            input TEXT
        ) STRICT;
        CREATE UNIQUE INDEX log_leaf_by_source ON log_leaf (kind, source);
        CREATE INDEX log_leaf_by_hash ON log_leaf (hash);
        CREATE INDEX log_leaf_by_subscription ON log_leaf (subscription, leaf) WHERE subscription IS NOT NULL;
        CREATE TRIGGER log_leaf_is_never_changed BEFORE UPDATE ON log_leaf
            WHEN NOT (new.leaf IS old.leaf AND new.hash IS old.hash AND new.kind IS old.kind AND new.source IS old.source
                AND new.subscription IS NULL AND new.epoch IS NULL AND (new.input IS NULL OR new.input IS old.input))
            BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
        CREATE TRIGGER log_leaf_is_never_removed BEFORE DELETE ON log_leaf
            BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

        -- Hashes over 2^level leaves: level · 2^56 + how many of that level come before. Leaves are not among them.
        CREATE TABLE log_node (place INTEGER PRIMARY KEY, hash BLOB NOT NULL CHECK (length(hash) = 32)) STRICT;
        CREATE TRIGGER log_node_is_never_changed BEFORE UPDATE ON log_node
            BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
        CREATE TRIGGER log_node_is_never_removed BEFORE DELETE ON log_node
            BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

        -- The last head of each hour since 1970, UTC.
        CREATE TABLE log_head (
            hour INTEGER PRIMARY KEY,
            size INTEGER NOT NULL,
            root BLOB NOT NULL,
            at INTEGER NOT NULL,
            text TEXT NOT NULL
        ) STRICT;
        CREATE TRIGGER log_head_never_goes_back BEFORE UPDATE ON log_head WHEN new.size < old.size OR new.at < old.at
            BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

        -- The last row of each kind that was looked at.
        CREATE TABLE log_mark (kind TEXT NOT NULL PRIMARY KEY, source INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        """
}
