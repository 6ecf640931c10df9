-- SMS codes, and what they are counted by. Conventions as in step 1.

-- No number and no code: keyed hashes of both.
CREATE TABLE sms_code (
    id text COLLATE "C" PRIMARY KEY,
    app text COLLATE "C" NOT NULL,
    purpose text COLLATE "C" NOT NULL,
    number bytea NOT NULL,
    code bytea NOT NULL,
    -- NULL where the register does not know the number.
    subscription bigint,
    epoch integer,
    sim_generation integer,
    trace text COLLATE "C" NOT NULL,
    tries_left bigint NOT NULL,
    issued_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    spent_at bigint,
    -- Why it ended unspent: 'replaced' by a newer one, its message 'not taken', or the database 'restored'.
    ended text COLLATE "C",
    -- Who accepted the message, under which name, and what was said of it last.
    sender text COLLATE "C",
    reference text COLLATE "C",
    delivery text COLLATE "C",
    delivery_at bigint
);
CREATE INDEX sms_code_by_number ON sms_code (number, issued_at);
CREATE INDEX sms_code_by_time ON sms_code (issued_at);
CREATE INDEX sms_code_by_subscription ON sms_code (subscription) WHERE subscription IS NOT NULL;
CREATE INDEX sms_code_by_reference ON sms_code (sender, reference) WHERE reference IS NOT NULL;

CREATE TABLE sms_budget (
    kind text COLLATE "C" NOT NULL,
    name bytea NOT NULL,
    begins_at bigint NOT NULL,
    ends_at bigint NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (kind, name, begins_at)
);
CREATE INDEX sms_budget_by_time ON sms_budget (ends_at);
