-- What apps' owners and the operator agreed on, and tokens by number and day. Conventions as in step 1.

-- Rows are only ever added.
CREATE TABLE app_contract (
    app text COLLATE "C" NOT NULL REFERENCES app (id),
    number bigint NOT NULL,
    -- Days as in 20261121, UTC+8.
    from_day integer NOT NULL,
    -- NULL, as all that follows, where no contract holds from that day on.
    reference text COLLATE "C",
    until_day integer,
    currency text COLLATE "C",
    -- A JSON object: millionths of the currency's unit by the ledger's result.
    rates text COLLATE "C",
    daily_limit bigint,
    monthly_limit bigint,
    number_limit bigint,
    added_at bigint NOT NULL,
    PRIMARY KEY (app, number)
);
CREATE TRIGGER app_contract_is_never_changed BEFORE UPDATE ON app_contract FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER app_contract_is_never_shortened BEFORE DELETE ON app_contract FOR EACH ROW EXECUTE FUNCTION refuse();

-- Of numbers whose app has a limit for each. The register's row stands for the number.
CREATE TABLE number_day (
    subscription bigint NOT NULL,
    app text COLLATE "C" NOT NULL,
    day integer NOT NULL,
    tokens bigint NOT NULL,
    PRIMARY KEY (subscription, app, day)
);
CREATE INDEX number_day_by_day ON number_day (day);
