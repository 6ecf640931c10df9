-- How many steps of logins ended alike, for charts. Conventions as in step 1.

CREATE TABLE login_count (
    app text COLLATE "C" NOT NULL,
    -- Hours since 1970, UTC.
    hour bigint NOT NULL,
    -- Empty where it was not known.
    carrier text COLLATE "C" NOT NULL,
    party text COLLATE "C" NOT NULL,
    step text COLLATE "C" NOT NULL,
    situation text COLLATE "C" NOT NULL,
    steps bigint NOT NULL,
    PRIMARY KEY (app, hour, carrier, party, step, situation)
);
CREATE INDEX login_count_by_hour ON login_count (hour);
