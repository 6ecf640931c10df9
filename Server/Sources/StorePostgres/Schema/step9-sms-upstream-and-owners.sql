-- Texts that phones are to send, who sent them, and whose services apps are. Conventions as in step 1.

-- No text, no number: keyed hashes of both.
CREATE TABLE sms_upstream (
    id text COLLATE "C" PRIMARY KEY,
    app text COLLATE "C" NOT NULL,
    text bytea NOT NULL,
    device bytea NOT NULL,
    trace text COLLATE "C" NOT NULL,
    issued_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    -- The number that the text came from; NULL before it has come.
    number bytea,
    -- NULL where the register does not know the number, or the sender may not speak for its carrier.
    subscription bigint,
    epoch integer,
    sim_generation integer,
    arrived_at bigint,
    spent_at bigint,
    -- Why it ended unspent: 'contested' by a second number, or the database 'restored'.
    ended text COLLATE "C"
);
CREATE UNIQUE INDEX sms_upstream_by_text ON sms_upstream (text);
CREATE INDEX sms_upstream_by_time ON sms_upstream (issued_at);
CREATE INDEX sms_upstream_by_number ON sms_upstream (number) WHERE number IS NOT NULL;
CREATE INDEX sms_upstream_by_subscription ON sms_upstream (subscription) WHERE subscription IS NOT NULL;

-- NULL for an app that shares no logins.
ALTER TABLE app ADD COLUMN owner text;
