-- How admins sign in to the console, and where they have. Conventions as in step 1.

CREATE TABLE console_account (
    admin text COLLATE "C" PRIMARY KEY,
    -- scrypt's, and what the secret of the second factor is made with.
    salt bytea NOT NULL,
    cost integer NOT NULL,
    hash bytea NOT NULL,
    last_step bigint NOT NULL,
    -- Attempts that failed one after the other.
    failures integer NOT NULL,
    blocked_until bigint NOT NULL
);
CREATE TABLE console_session (
    hash bytea PRIMARY KEY,
    admin text COLLATE "C" NOT NULL,
    began_at bigint NOT NULL,
    used_at bigint NOT NULL,
    ends_at bigint NOT NULL
);
CREATE INDEX console_session_by_admin ON console_session (admin);
CREATE INDEX console_session_by_time ON console_session (ends_at);
