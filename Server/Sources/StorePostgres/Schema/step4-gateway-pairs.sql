-- Who owns each pair of gateways, and what its owner records for the other. Conventions as in step 1.

CREATE TABLE gateway_pair (
    name text COLLATE "C" PRIMARY KEY,
    -- NULL while nobody owns it.
    owner text COLLATE "C",
    fence bigint NOT NULL,
    sequence bigint NOT NULL,
    forgotten_until bigint NOT NULL
) WITH (fillfactor = 50);

-- Of each session, NAS and domain the newest that its gateway said. No number: subscriptions by their row.
CREATE TABLE gateway_entry (
    pair text COLLATE "C" NOT NULL,
    key bytea NOT NULL,
    sequence bigint NOT NULL,
    content bytea NOT NULL,
    -- NULL for what goes on.
    ended_at bigint,
    PRIMARY KEY (pair, key)
);
CREATE UNIQUE INDEX gateway_entry_by_sequence ON gateway_entry (pair, sequence);
CREATE INDEX gateway_entry_by_end ON gateway_entry (ended_at) WHERE ended_at IS NOT NULL;
