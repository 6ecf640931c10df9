-- Keys of installs that the platform's maker vouched for. Conventions as in step 1.

ALTER TABLE app ADD COLUMN apple_team text COLLATE "C";
ALTER TABLE app ADD COLUMN development_keys boolean NOT NULL DEFAULT false;
CREATE TABLE attested_key (
    app text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    public_key bytea NOT NULL,
    -- Thumbprint of the device key that it speaks for.
    device_key text COLLATE "C" NOT NULL,
    bundle text COLLATE "C" NOT NULL,
    development boolean NOT NULL,
    counter bigint NOT NULL,
    created_at bigint NOT NULL,
    used_at bigint,
    -- A revoked key stays, so that it is not registered again.
    revoked_at bigint,
    PRIMARY KEY (app, id)
);
CREATE INDEX attested_key_by_device ON attested_key (app, device_key);
CREATE INDEX attested_key_by_time ON attested_key (app, created_at);
