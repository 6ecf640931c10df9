-- A store as version 4 of the schema wrote it, with what the OpenID provider keeps. It is never rerecorded: it is what
-- files in the field look like, and every later version must read it.
PRAGMA application_id = 1113943658;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('v1');
INSERT INTO grdb_migrations VALUES('v2');
INSERT INTO grdb_migrations VALUES('v3');
INSERT INTO grdb_migrations VALUES('v4');
CREATE TABLE app (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    sealed_key BLOB NOT NULL,
    key_version INTEGER NOT NULL,
    suspended INTEGER NOT NULL CHECK (suspended IN (0, 1)),
    allowed INTEGER NOT NULL CHECK (allowed IN (0, 1)),
    capabilities TEXT NOT NULL,
    bundle_ids TEXT NOT NULL,
    server_addresses TEXT NOT NULL,
    rsa_public_key TEXT,
    sign_algorithm TEXT NOT NULL,
    daily_quota INTEGER,
    least_assurance TEXT NOT NULL,
    attesters TEXT NOT NULL,
    scrip_lifetime INTEGER,
    token_lifetime INTEGER,
    request_time_tolerance INTEGER,
    legacy_number_without_page INTEGER NOT NULL CHECK (legacy_number_without_page IN (0, 1)),
    approved_content TEXT NOT NULL,
    source_ids TEXT NOT NULL,
    created_at INTEGER NOT NULL
, revision INTEGER NOT NULL DEFAULT 1, phones_without_key INTEGER NOT NULL DEFAULT 0 CHECK (phones_without_key IN (0, 1)), unsigned_requests INTEGER NOT NULL DEFAULT 0 CHECK (unsigned_requests IN (0, 1))) STRICT, WITHOUT ROWID;
INSERT INTO app VALUES('300000000001','示例应用',X'010203',1,0,1,'["login"]','[]','[]',NULL,'md5',1,'net','[]',NULL,NULL,NULL,0,'[]','[]',1794900000000,4,0,0);
CREATE TABLE app_source (
    source_id TEXT NOT NULL PRIMARY KEY,
    app TEXT NOT NULL REFERENCES app (id)
) STRICT, WITHOUT ROWID;
CREATE TABLE subscription (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    number_index BLOB NOT NULL UNIQUE,
    sealed_number BLOB NOT NULL,
    carrier TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    epoch_key BLOB NOT NULL,
    sim_generation INTEGER NOT NULL,
    sim_index BLOB,
    sim_changed_at INTEGER NOT NULL,
    epoch_started_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL
) STRICT;
INSERT INTO subscription VALUES(1,X'0707070707070707070707070707070707070707070707070707070707070707',X'0102','mobile',2,X'05050505050505050505050505050505',3,X'0808080808080808080808080808080808080808080808080808080808080808',1794000000000,1793000000000,1794900000000);
CREATE TABLE scrip (
    hash BLOB NOT NULL PRIMARY KEY,
    family INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    app TEXT NOT NULL,
    subscription INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    sim_generation INTEGER NOT NULL,
    carrier TEXT NOT NULL,
    binding INTEGER NOT NULL,
    device_key TEXT NOT NULL,
    nonce_hash BLOB NOT NULL,
    trace TEXT NOT NULL,
    dialect TEXT NOT NULL,
    reusable INTEGER NOT NULL CHECK (reusable IN (0, 1)),
    expires_at INTEGER NOT NULL,
    used INTEGER NOT NULL DEFAULT 0 CHECK (used IN (0, 1)),
    revoked INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE TABLE token (
    hash BLOB NOT NULL PRIMARY KEY,
    app TEXT NOT NULL,
    purpose TEXT NOT NULL,
    subscription INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    sim_generation INTEGER NOT NULL,
    carrier TEXT NOT NULL,
    binding INTEGER NOT NULL,
    device_key TEXT NOT NULL,
    assurance TEXT NOT NULL,
    trace TEXT NOT NULL,
    dialect TEXT NOT NULL,
    issued_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    spent_at INTEGER,
    revoked INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE TABLE revoked_binding (binding INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT;
CREATE TABLE consent (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app TEXT NOT NULL,
    trace TEXT NOT NULL,
    subscription INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    sim_generation INTEGER NOT NULL,
    content_digest TEXT NOT NULL,
    record TEXT NOT NULL,
    received_at INTEGER NOT NULL
) STRICT;
CREATE TABLE message (
    app TEXT NOT NULL,
    name TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (app, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE ledger (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app TEXT NOT NULL,
    trace TEXT NOT NULL,
    interface TEXT NOT NULL,
    result TEXT NOT NULL,
    at INTEGER NOT NULL,
    day INTEGER NOT NULL
) STRICT;
CREATE TABLE billing_day (
    app TEXT NOT NULL,
    day INTEGER NOT NULL,
    answered INTEGER NOT NULL,
    PRIMARY KEY (app, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE trace_event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    trace TEXT NOT NULL,
    at INTEGER NOT NULL,
    party TEXT NOT NULL,
    step TEXT NOT NULL,
    situation TEXT NOT NULL,
    detail TEXT NOT NULL
) STRICT;
CREATE TABLE heartbeat (id INTEGER PRIMARY KEY CHECK (id = 1), beats INTEGER NOT NULL) STRICT;
INSERT INTO heartbeat VALUES(1,0);
CREATE TABLE openid_client (
    app TEXT NOT NULL PRIMARY KEY REFERENCES app (id),
    redirect_uris TEXT NOT NULL,
    authentication TEXT NOT NULL,
    secret_hash BLOB,
    key_set TEXT,
    id_token_algorithm TEXT NOT NULL,
    asks_middle_digits INTEGER NOT NULL CHECK (asks_middle_digits IN (0, 1)),
    requires_pushed_requests INTEGER NOT NULL CHECK (requires_pushed_requests IN (0, 1)),
    page TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO openid_client VALUES('300000000001','["https://shop.example/callback"]','client_secret_basic',X'0909090909090909090909090909090909090909090909090909090909090909','{"keys":[]}','RS256',1,0,'{}');
CREATE TABLE openid_key (
    id TEXT NOT NULL PRIMARY KEY,
    algorithm TEXT NOT NULL,
    sealed_key BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    published_until INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO openid_key VALUES('new-key','ES256',X'0c0d',1794900000000,NULL);
INSERT INTO openid_key VALUES('old-key','ES256',X'0a0b',1794000000000,1794903600000);
CREATE TABLE openid_credential (
    hash BLOB NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    family INTEGER NOT NULL,
    app TEXT NOT NULL,
    subscription INTEGER,
    epoch INTEGER,
    sim_generation INTEGER,
    carrier TEXT,
    binding INTEGER,
    trace TEXT NOT NULL,
    details TEXT NOT NULL,
    issued_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    spent_at INTEGER,
    revoked INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1))
) STRICT, WITHOUT ROWID;
INSERT INTO openid_credential VALUES(X'4040404040404040404040404040404040404040404040404040404040404040','pushed',1,'300000000001',NULL,NULL,NULL,NULL,NULL,'00000000000000000000000000000001','{}',1795000000000,1795000060000,NULL,0);
INSERT INTO openid_credential VALUES(X'4141414141414141414141414141414141414141414141414141414141414141','page',2,'300000000001',1,2,3,'mobile',7,'00000000000000000000000000000001','{}',1795000000000,1795000060000,1795000001000,0);
INSERT INTO openid_credential VALUES(X'4242424242424242424242424242424242424242424242424242424242424242','code',2,'300000000001',1,2,3,'mobile',7,'00000000000000000000000000000001','{}',1795000000000,1795000060000,NULL,0);
INSERT INTO openid_credential VALUES(X'4343434343434343434343434343434343434343434343434343434343434343','access',3,'300000000001',1,2,3,'mobile',7,'00000000000000000000000000000001','{}',1795000000000,1795000060000,NULL,1);
INSERT INTO openid_credential VALUES(X'4444444444444444444444444444444444444444444444444444444444444444','access',4,'300000000001',1,2,3,'mobile',7,'00000000000000000000000000000001','{}',1795000000000,1795000060000,NULL,0);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('subscription',1);
CREATE INDEX app_source_by_app ON app_source (app);
CREATE INDEX scrip_by_family ON scrip (family);
CREATE INDEX scrip_by_binding ON scrip (binding) WHERE revoked = 0;
CREATE INDEX scrip_by_expiry ON scrip (expires_at);
CREATE INDEX token_unused ON token (subscription, issued_at, app)
    WHERE spent_at IS NULL AND revoked = 0;
CREATE INDEX token_by_binding ON token (binding) WHERE spent_at IS NULL AND revoked = 0;
CREATE INDEX token_by_expiry ON token (expires_at);
CREATE INDEX revoked_binding_by_time ON revoked_binding (at);
CREATE INDEX consent_by_trace ON consent (trace);
CREATE TRIGGER consent_is_never_changed BEFORE UPDATE ON consent
    BEGIN SELECT RAISE(ABORT, 'consent is evidence'); END;
CREATE INDEX message_by_expiry ON message (expires_at);
CREATE INDEX ledger_by_app ON ledger (app, id);
CREATE TRIGGER ledger_is_never_changed BEFORE UPDATE ON ledger
    BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_is_never_shortened BEFORE DELETE ON ledger
    BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE INDEX trace_event_by_trace ON trace_event (trace, at);
CREATE INDEX trace_event_by_time ON trace_event (at);
CREATE INDEX openid_credential_by_family ON openid_credential (family);
CREATE INDEX openid_credential_by_app ON openid_credential (app) WHERE spent_at IS NULL AND revoked = 0;
CREATE INDEX openid_credential_by_binding ON openid_credential (binding) WHERE spent_at IS NULL AND revoked = 0;
CREATE INDEX openid_credential_by_expiry ON openid_credential (expires_at);
COMMIT;
