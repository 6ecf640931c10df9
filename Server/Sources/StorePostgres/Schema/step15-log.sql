-- The public log of releases and consents (decision 58). Conventions as in step 1.

CREATE TABLE log_leaf (
    leaf bigint PRIMARY KEY,
    hash bytea NOT NULL CHECK (length(hash) = 32),
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('consent', 'release')),
    -- The consent's or the ledger's row.
    source bigint NOT NULL,
    subscription bigint,
    epoch integer,
    -- What was hashed, as long as the row is kept.
    input text
);
CREATE UNIQUE INDEX log_leaf_by_source ON log_leaf (kind, source);
CREATE INDEX log_leaf_by_hash ON log_leaf (hash);
CREATE INDEX log_leaf_by_subscription ON log_leaf (subscription, leaf) WHERE subscription IS NOT NULL;
CREATE TRIGGER log_leaf_is_never_changed BEFORE UPDATE ON log_leaf FOR EACH ROW
    WHEN (NOT ((new.leaf, new.hash, new.kind, new.source) IS NOT DISTINCT FROM (old.leaf, old.hash, old.kind, old.source)
        AND new.subscription IS NULL AND new.epoch IS NULL AND (new.input IS NULL OR new.input IS NOT DISTINCT FROM old.input)))
    EXECUTE FUNCTION refuse();
CREATE TRIGGER log_leaf_is_never_removed BEFORE DELETE ON log_leaf FOR EACH ROW EXECUTE FUNCTION refuse();

-- Hashes over 2^level leaves: level · 2^56 + how many of that level come before. Leaves are not among them.
CREATE TABLE log_node (place bigint PRIMARY KEY, hash bytea NOT NULL CHECK (length(hash) = 32));
CREATE TRIGGER log_node_is_never_changed BEFORE UPDATE OR DELETE ON log_node FOR EACH ROW EXECUTE FUNCTION refuse();

-- The last head of each hour since 1970, UTC.
CREATE TABLE log_head (
    hour bigint PRIMARY KEY,
    size bigint NOT NULL,
    root bytea NOT NULL,
    at bigint NOT NULL,
    text text NOT NULL
);
CREATE TRIGGER log_head_never_goes_back BEFORE UPDATE ON log_head FOR EACH ROW
    WHEN (new.size < old.size OR new.at < old.at) EXECUTE FUNCTION refuse();

-- The last row of each kind that was looked at.
CREATE TABLE log_mark (kind text COLLATE "C" PRIMARY KEY, source bigint NOT NULL);
