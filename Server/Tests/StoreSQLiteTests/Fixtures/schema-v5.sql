-- A store as version 5 of the schema wrote it, with face accounts, a page's image and a client's purposes. It is never
-- rerecorded: it is what files in the field look like, and every later version must read it.
PRAGMA application_id = 1113943658;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('v1');
INSERT INTO grdb_migrations VALUES('v2');
INSERT INTO grdb_migrations VALUES('v3');
INSERT INTO grdb_migrations VALUES('v4');
INSERT INTO grdb_migrations VALUES('v5');
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
INSERT INTO app VALUES('300000000001','示例应用',X'010203',1,0,1,'["login","face","face-groups"]','[]','[]',NULL,'md5',1,'net','[]',NULL,NULL,NULL,0,'[]','[]',1794900000000,4,0,0);
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
, purposes TEXT NOT NULL DEFAULT '[]') STRICT, WITHOUT ROWID;
INSERT INTO openid_client VALUES('300000000001','["https://shop.example/callback"]','client_secret_basic',X'0909090909090909090909090909090909090909090909090909090909090909','{"keys":[]}','RS256',1,0,'{}','["dpv:FraudPreventionAndDetection"]');
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
CREATE TABLE face_account (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    subscription INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    sealed_template BLOB NOT NULL,
    sealed_profile BLOB NOT NULL,
    terms TEXT NOT NULL,
    frozen INTEGER NOT NULL CHECK (frozen IN (0, 1)),
    created_at INTEGER NOT NULL,
    UNIQUE (subscription, epoch)
) STRICT;
INSERT INTO face_account VALUES(3,1,2,X'5151515151515151',X'52525252','1',0,1794900000000);
INSERT INTO face_account VALUES(4,9,1,X'5353535353535353',X'54545454','1',1,1794900000000);
-- Appended, overwritten in place and never deleted: when SQLite moves rows between pages it leaves bytes behind.
-- So nothing is referenced: an erased account's row stays, as zeros.
CREATE TABLE face_key (
    account INTEGER NOT NULL PRIMARY KEY,
    sealed_key BLOB NOT NULL
) STRICT;
INSERT INTO face_key VALUES(3,X'555555555555');
INSERT INTO face_key VALUES(4,X'565656565656');
CREATE TABLE face_binding (
    account INTEGER NOT NULL REFERENCES face_account (id),
    app TEXT NOT NULL,
    uid TEXT NOT NULL,
    random_uid INTEGER NOT NULL CHECK (random_uid IN (0, 1)),
    open_id TEXT NOT NULL,
    sealed_info BLOB,
    authorized_at INTEGER NOT NULL,
    verified_at INTEGER NOT NULL,
    groups_agreed_at INTEGER,
    PRIMARY KEY (account, app),
    UNIQUE (app, uid),
    UNIQUE (app, open_id)
) STRICT;
INSERT INTO face_binding VALUES(3,'300000000001','uid-1',0,'open-1',X'575757',1794900000000,1794900001000,1794900002000);
INSERT INTO face_binding VALUES(3,'300000000002','uid-1',1,'open-2',NULL,1794900000000,1794900000000,NULL);
CREATE TABLE face_credential (
    hash BLOB NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    family INTEGER NOT NULL,
    app TEXT NOT NULL,
    account INTEGER NOT NULL,
    device_key TEXT,
    issued_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    spent_at INTEGER,
    revoked INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1))
) STRICT, WITHOUT ROWID;
INSERT INTO face_credential VALUES(X'6060606060606060606060606060606060606060606060606060606060606060','access',7,'300000000001',3,'thumbprint',1794900000000,1799900000000,NULL,0);
INSERT INTO face_credential VALUES(X'6161616161616161616161616161616161616161616161616161616161616161','refresh',7,'300000000001',3,'thumbprint',1794900000000,1799900000000,NULL,0);
INSERT INTO face_credential VALUES(X'6262626262626262626262626262626262626262626262626262626262626262','refresh',7,'300000000001',3,'thumbprint',1794900000000,1799900000000,1794900000005,0);
INSERT INTO face_credential VALUES(X'6363636363636363636363636363636363636363636363636363636363636363','remembered',7,'300000000001',3,'thumbprint',1794900000000,1799900000000,NULL,0);
INSERT INTO face_credential VALUES(X'6464646464646464646464646464646464646464646464646464646464646464','code',7,'300000000001',3,NULL,1794900000000,1799900000000,NULL,1);
CREATE TABLE face_group (
    id TEXT NOT NULL PRIMARY KEY,
    app TEXT NOT NULL,
    name TEXT NOT NULL,
    tag TEXT NOT NULL,
    info TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO face_group VALUES('g','300000000001','员工','t','{}',1794900000000);
CREATE TABLE face_group_member (
    face_group TEXT NOT NULL REFERENCES face_group (id),
    account INTEGER NOT NULL REFERENCES face_account (id),
    PRIMARY KEY (face_group, account)
) STRICT, WITHOUT ROWID;
INSERT INTO face_group_member VALUES('g',3);
CREATE TABLE openid_media (
    app TEXT NOT NULL REFERENCES openid_client (app),
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    type TEXT NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (app, name)
) STRICT;
INSERT INTO openid_media VALUES('300000000001','logo','0000000000000000000000000000000000000000000000000000000000000000','image/png',X'89504e47');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('subscription',1);
INSERT INTO sqlite_sequence VALUES('face_account',4);
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
CREATE INDEX face_credential_by_family ON face_credential (family);
CREATE INDEX face_credential_by_account ON face_credential (account, app);
CREATE INDEX face_credential_by_expiry ON face_credential (expires_at);
CREATE INDEX face_group_by_app ON face_group (app);
CREATE INDEX face_group_member_by_account ON face_group_member (account);
CREATE INDEX openid_media_by_digest ON openid_media (digest);
COMMIT;
