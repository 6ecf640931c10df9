-- Phones of their own with which admins sign in to the console, and what began with a right password. Conventions as in step 1.

-- SHA-256 of issuer, client and the account's sub there.
ALTER TABLE console_account ADD COLUMN phone bytea;
ALTER TABLE console_account ADD COLUMN phone_bound_at bigint;
ALTER TABLE console_account ADD COLUMN phone_used_at bigint;
CREATE TABLE console_pending (
    hash bytea PRIMARY KEY,
    admin text COLLATE "C" NOT NULL,
    -- Of whoever binds a phone; absent for a sign-in.
    session bytea,
    ends_at bigint NOT NULL
);
CREATE INDEX console_pending_by_admin ON console_pending (admin);
CREATE INDEX console_pending_by_time ON console_pending (ends_at);
