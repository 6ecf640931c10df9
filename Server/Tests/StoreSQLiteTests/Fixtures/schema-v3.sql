-- A store with the schema of version 3 and a row or more in every table. Made from the file of version 2 by the columns that
-- version 3 added, not by version 3 itself. It is never rerecorded: every later version must read it.
PRAGMA application_id = 1113943658;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('v1');
INSERT INTO grdb_migrations VALUES('v2');
INSERT INTO grdb_migrations VALUES('v3');
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
INSERT INTO app VALUES('300000000001','示例应用',X'010203',2,0,1,'["login","verification"]','["cn.example.app"]','["192.0.2.0\/24"]',NULL,'md5',1000,'net+app','[]',NULL,60,NULL,1,'[]','["source-1"]',1795000000000,5,1,0);
CREATE TABLE app_source (
    source_id TEXT NOT NULL PRIMARY KEY,
    app TEXT NOT NULL REFERENCES app (id)
) STRICT, WITHOUT ROWID;
INSERT INTO app_source VALUES('source-1','300000000001');
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
INSERT INTO subscription VALUES(1,X'0707070707070707070707070707070707070707070707070707070707070707',X'0909','unicom',2,X'05050505050505050505050505050505',3,X'0808080808080808080808080808080808080808080808080808080808080808',1795000000000,1795000000000,1795000000000);
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
INSERT INTO scrip VALUES(X'1010101010101010101010101010101010101010101010101010101010101010',4,1,'300000000001',1,2,3,'unicom',6,'thumbprint',X'2020202020202020202020202020202020202020202020202020202020202020','abababababababababababababababab','device',1,1795000600000,1,0);
INSERT INTO scrip VALUES(X'1111111111111111111111111111111111111111111111111111111111111111',4,2,'300000000001',1,2,3,'unicom',6,'thumbprint',X'2020202020202020202020202020202020202020202020202020202020202020','abababababababababababababababab','device',1,1795000600000,1,0);
INSERT INTO scrip VALUES(X'1212121212121212121212121212121212121212121212121212121212121212',4,3,'300000000001',1,2,3,'unicom',6,'thumbprint',X'2020202020202020202020202020202020202020202020202020202020202020','abababababababababababababababab','device',1,1795000600000,0,0);
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
INSERT INTO token VALUES(X'3030303030303030303030303030303030303030303030303030303030303030','300000000001','login',1,2,3,'unicom',6,'thumbprint','net+app','abababababababababababababababab','cmpassport',1795000000000,1795000120000,1795000000000,0);
INSERT INTO token VALUES(X'3131313131313131313131313131313131313131313131313131313131313131','300000000001','login',1,2,3,'unicom',6,'thumbprint','net+app','abababababababababababababababab','cmpassport',1795000000000,1795000120000,NULL,0);
CREATE TABLE revoked_binding (binding INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT;
INSERT INTO revoked_binding VALUES(7,1795000000000);
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
INSERT INTO consent VALUES(1,'300000000001','abababababababababababababababab',1,2,3,'digest','record',1795000000000);
INSERT INTO consent VALUES(2,'300000000001','abababababababababababababababab',1,2,3,'digest','record',1795000000000);
CREATE TABLE message (
    app TEXT NOT NULL,
    name TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (app, name)
) STRICT, WITHOUT ROWID;
INSERT INTO message VALUES('300000000001','message-1',1795000600000);
CREATE TABLE ledger (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app TEXT NOT NULL,
    trace TEXT NOT NULL,
    interface TEXT NOT NULL,
    result TEXT NOT NULL,
    at INTEGER NOT NULL,
    day INTEGER NOT NULL
) STRICT;
INSERT INTO ledger VALUES(1,'300000000001','abababababababababababababababab','loginTokenValidate','released',1795000000000,20261118);
CREATE TABLE billing_day (
    app TEXT NOT NULL,
    day INTEGER NOT NULL,
    answered INTEGER NOT NULL,
    PRIMARY KEY (app, day)
) STRICT, WITHOUT ROWID;
INSERT INTO billing_day VALUES('300000000001',20261118,1);
CREATE TABLE trace_event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    trace TEXT NOT NULL,
    at INTEGER NOT NULL,
    party TEXT NOT NULL,
    step TEXT NOT NULL,
    situation TEXT NOT NULL,
    detail TEXT NOT NULL
) STRICT;
INSERT INTO trace_event VALUES(1,'abababababababababababababababab',1795000000000,'authority','authorize','success','a token was issued');
CREATE TABLE heartbeat (id INTEGER PRIMARY KEY CHECK (id = 1), beats INTEGER NOT NULL) STRICT;
INSERT INTO heartbeat VALUES(1,0);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('subscription',1);
INSERT INTO sqlite_sequence VALUES('consent',2);
INSERT INTO sqlite_sequence VALUES('ledger',1);
INSERT INTO sqlite_sequence VALUES('trace_event',1);
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
COMMIT;
