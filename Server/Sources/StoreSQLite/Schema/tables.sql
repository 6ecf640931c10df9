-- The tables of a store in an SQLite file.
--
-- Times are milliseconds since 1970, enumerations their raw values, lists JSON arrays of text, hashes and ciphertexts
-- BLOBs. `mac` is an HMAC over the row under a data secret; it is NULL in the rows of a party without that secret.
--
-- Credentials name apps and subscriptions without foreign keys: their statements look up only the rows that they need.

-- MARK: Apps and their keys

CREATE TABLE app (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
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
    created_at INTEGER NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1,
    phones_without_key INTEGER NOT NULL DEFAULT 0 CHECK (phones_without_key IN (0, 1)),
    unsigned_requests INTEGER NOT NULL DEFAULT 0 CHECK (unsigned_requests IN (0, 1)),
    openid_from_anywhere INTEGER NOT NULL DEFAULT 0 CHECK (openid_from_anywhere IN (0, 1)),
    deleted_after INTEGER,
    requires_page_review INTEGER NOT NULL DEFAULT 0 CHECK (requires_page_review IN (0, 1)),
    callback_url TEXT,
    callback_events TEXT,
    callback_stopped_at INTEGER,
    workflow TEXT NOT NULL DEFAULT 'one-tap',
    owner TEXT,
    apple_team TEXT,
    development_keys INTEGER NOT NULL DEFAULT 0 CHECK (development_keys IN (0, 1)),
    mac BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX app_with_callback ON app (id) WHERE callback_url IS NOT NULL;

CREATE TABLE app_source (
    source_id TEXT NOT NULL PRIMARY KEY,
    app TEXT NOT NULL REFERENCES app (id)
) STRICT, WITHOUT ROWID;
CREATE INDEX app_source_by_app ON app_source (app);

CREATE TABLE app_key (
    app TEXT NOT NULL REFERENCES app (id),
    use TEXT NOT NULL,
    version INTEGER NOT NULL,
    sealed_key BLOB NOT NULL,
    created_at INTEGER,
    accepted_until INTEGER,
    in_package INTEGER NOT NULL CHECK (in_package IN (0, 1)),
    PRIMARY KEY (app, use, version)
) STRICT, WITHOUT ROWID;

-- Separate from the keys, because a use must not count as a change of the app.
CREATE TABLE app_key_usage (
    app TEXT NOT NULL,
    use TEXT NOT NULL,
    version INTEGER NOT NULL,
    day INTEGER NOT NULL,
    PRIMARY KEY (app, use, version)
) STRICT, WITHOUT ROWID;

-- Rows are only added.
CREATE TABLE app_contract (
    app TEXT NOT NULL REFERENCES app (id),
    number INTEGER NOT NULL,
    -- Days as in 20261121, UTC+8.
    from_day INTEGER NOT NULL,
    -- NULL, as all that follows, if no contract holds from that day on.
    reference TEXT,
    until_day INTEGER,
    currency TEXT,
    -- A JSON object: millionths of the currency's unit by the ledger's result.
    rates TEXT,
    daily_limit INTEGER,
    monthly_limit INTEGER,
    number_limit INTEGER,
    added_at INTEGER NOT NULL,
    PRIMARY KEY (app, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE attested_key (
    app TEXT NOT NULL,
    id TEXT NOT NULL,
    public_key BLOB NOT NULL,
    -- Thumbprint of the device key that it vouches for.
    device_key TEXT NOT NULL,
    bundle TEXT NOT NULL,
    development INTEGER NOT NULL,
    counter INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER,
    -- A revoked key is kept, so that it is not registered again.
    revoked_at INTEGER,
    PRIMARY KEY (app, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX attested_key_by_device ON attested_key (app, device_key);
CREATE INDEX attested_key_by_time ON attested_key (app, created_at);

-- MARK: The register

-- AUTOINCREMENT: credentials outlive rows, so a row number must never name two subscriptions.
CREATE TABLE subscription (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    number_index BLOB NOT NULL UNIQUE,
    sealed_number BLOB NOT NULL,
    carrier TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    epoch_key BLOB NOT NULL,
    sim_generation INTEGER NOT NULL,
    sealed_sim BLOB,
    sim_changed_at INTEGER NOT NULL,
    epoch_started_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL
) STRICT;

-- `subscription` is the id of a deleted row. `state` is ``ErasureRows/State``.
CREATE TABLE erasure (
    subscription INTEGER NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    state INTEGER NOT NULL CHECK (state IN (0, 1, 2)),
    -- ``SubscriberErasure/mark`` while the state is 0, then zeros in its place. Row ids only grow, so that no page with
    -- a mark is split, which would leave a copy of the mark.
    mark BLOB NOT NULL CHECK (length(mark) = 32)
) STRICT;

-- For apps with a limit for each number.
CREATE TABLE number_day (
    subscription INTEGER NOT NULL,
    app TEXT NOT NULL,
    day INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    PRIMARY KEY (subscription, app, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX number_day_by_day ON number_day (day);

-- MARK: Credentials

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
    revoked INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1)),
    brief INTEGER NOT NULL DEFAULT 0 CHECK (brief IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE INDEX scrip_by_family ON scrip (family);
CREATE INDEX scrip_by_binding ON scrip (binding) WHERE revoked = 0;
CREATE INDEX scrip_by_expiry ON scrip (expires_at);

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
    revoked INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1)),
    -- The name of the request that spent it.
    message TEXT,
    -- Padding. Spending a token replaces it, so that the row keeps its size and stays in its place.
    room BLOB,
    -- Whether the indexes by subscription and binding contain the token. A spent token leaves them when the next one of
    -- the subscription is issued.
    listed INTEGER NOT NULL DEFAULT 1 CHECK (listed IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE INDEX token_by_expiry ON token (expires_at);
CREATE INDEX token_by_subscription ON token (subscription, issued_at, app) WHERE listed = 1;
CREATE INDEX token_by_binding ON token (binding) WHERE listed = 1;

-- A request that is under way when the gateway revokes a binding stores its credential after the revocation. Its
-- statement looks here.
CREATE TABLE revoked_binding (
    binding INTEGER PRIMARY KEY, at INTEGER NOT NULL
) STRICT;
CREATE INDEX revoked_binding_by_time ON revoked_binding (at);

CREATE TABLE message (
    app TEXT NOT NULL,
    name TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (app, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_by_expiry ON message (expires_at);

CREATE TABLE familiar_key (
    subscription INTEGER NOT NULL,
    app TEXT NOT NULL,
    device_key TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    PRIMARY KEY (subscription, app, device_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX familiar_key_by_time ON familiar_key (seen_at);

CREATE TABLE wrong_guess (
    subscription INTEGER NOT NULL,
    app TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    count INTEGER NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (subscription, app)
) STRICT, WITHOUT ROWID;
CREATE INDEX wrong_guess_by_time ON wrong_guess (since);

-- MARK: SMS codes, and texts that phones send

-- `number` and `code` are keyed hashes.
CREATE TABLE sms_code (
    id TEXT PRIMARY KEY,
    app TEXT NOT NULL,
    purpose TEXT NOT NULL,
    number BLOB NOT NULL,
    code BLOB NOT NULL,
    -- NULL where the register does not know the number.
    subscription INTEGER,
    epoch INTEGER,
    sim_generation INTEGER,
    trace TEXT NOT NULL,
    tries_left INTEGER NOT NULL,
    issued_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    spent_at INTEGER,
    -- Why it ended unspent: 'replaced' by a newer code, its message 'not taken', or the database 'restored'.
    ended TEXT,
    -- The message centre that accepted the message, its reference there, and the last delivery report.
    sender TEXT,
    reference TEXT,
    delivery TEXT,
    delivery_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX sms_code_by_number ON sms_code (number, issued_at);
CREATE INDEX sms_code_by_time ON sms_code (issued_at);
CREATE INDEX sms_code_by_subscription ON sms_code (subscription) WHERE subscription IS NOT NULL;
CREATE INDEX sms_code_by_reference ON sms_code (sender, reference) WHERE reference IS NOT NULL;

CREATE TABLE sms_budget (
    kind TEXT NOT NULL,
    name BLOB NOT NULL,
    begins_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (kind, name, begins_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX sms_budget_by_time ON sms_budget (ends_at);

-- `text` and `number` are keyed hashes.
CREATE TABLE sms_upstream (
    id TEXT PRIMARY KEY,
    app TEXT NOT NULL,
    text BLOB NOT NULL,
    device BLOB NOT NULL,
    trace TEXT NOT NULL,
    issued_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- The number that sent the text; NULL before the text has arrived.
    number BLOB,
    -- NULL where the register does not know the number, or the sender may not speak for its carrier.
    subscription INTEGER,
    epoch INTEGER,
    sim_generation INTEGER,
    arrived_at INTEGER,
    spent_at INTEGER,
    -- Why it ended unspent: 'contested' by a second number, or the database 'restored'.
    ended TEXT
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX sms_upstream_by_text ON sms_upstream (text);
CREATE INDEX sms_upstream_by_time ON sms_upstream (issued_at);
CREATE INDEX sms_upstream_by_number ON sms_upstream (number) WHERE number IS NOT NULL;
CREATE INDEX sms_upstream_by_subscription ON sms_upstream (subscription) WHERE subscription IS NOT NULL;

-- MARK: OpenID Connect and CAMARA

CREATE TABLE openid_client (
    app TEXT NOT NULL PRIMARY KEY REFERENCES app (id),
    redirect_uris TEXT NOT NULL,
    authentication TEXT NOT NULL,
    key_set TEXT,
    id_token_algorithm TEXT NOT NULL,
    asks_middle_digits INTEGER NOT NULL CHECK (asks_middle_digits IN (0, 1)),
    requires_pushed_requests INTEGER NOT NULL CHECK (requires_pushed_requests IN (0, 1)),
    page TEXT NOT NULL,
    purposes TEXT NOT NULL DEFAULT '[]',
    frame_ancestors TEXT NOT NULL DEFAULT '[]',
    stable_subject_without_page INTEGER NOT NULL DEFAULT 0 CHECK (stable_subject_without_page IN (0, 1)),
    revision INTEGER NOT NULL DEFAULT 1,
    requires_pkce INTEGER NOT NULL DEFAULT 1 CHECK (requires_pkce IN (0, 1)),
    binds_access_tokens INTEGER NOT NULL DEFAULT 0 CHECK (binds_access_tokens IN (0, 1)),
    profile TEXT NOT NULL DEFAULT 'openid',
    remembers_consent INTEGER NOT NULL DEFAULT 0 CHECK (remembers_consent IN (0, 1)),
    certificate_name TEXT,
    binds_to_certificate INTEGER NOT NULL DEFAULT 0 CHECK (binds_to_certificate IN (0, 1)),
    -- How the client learns of a decision: poll, ping; NULL if it may not ask.
    backchannel_delivery TEXT,
    backchannel_notification TEXT,
    mac BLOB
) STRICT, WITHOUT ROWID;

CREATE TABLE openid_client_secret (
    app TEXT NOT NULL REFERENCES openid_client (app),
    version INTEGER NOT NULL,
    hash BLOB NOT NULL,
    created_at INTEGER,
    accepted_until INTEGER,
    PRIMARY KEY (app, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE openid_media (
    app TEXT NOT NULL REFERENCES openid_client (app),
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    type TEXT NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (app, name)
) STRICT;
CREATE INDEX openid_media_by_digest ON openid_media (digest);

CREATE TABLE openid_key (
    id TEXT NOT NULL PRIMARY KEY,
    algorithm TEXT NOT NULL,
    public_key TEXT,
    sealed_key BLOB,
    created_at INTEGER NOT NULL,
    published_until INTEGER
) STRICT, WITHOUT ROWID;

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
    revoked INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1)),
    -- When a remembered consent was last used for a code.
    used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX openid_credential_by_family ON openid_credential (family);
CREATE INDEX openid_credential_by_app ON openid_credential (app) WHERE spent_at IS NULL AND revoked = 0;
CREATE INDEX openid_credential_by_binding ON openid_credential (binding) WHERE spent_at IS NULL AND revoked = 0;
CREATE INDEX openid_credential_by_expiry ON openid_credential (expires_at);
CREATE INDEX openid_credential_by_holder ON openid_credential (subscription) WHERE kind = 'remembered';
CREATE INDEX openid_credential_by_asked ON openid_credential (subscription) WHERE kind = 'backchannel';

-- MARK: Face login

-- AUTOINCREMENT: credentials outlive rows, so a row number must never name two accounts.
CREATE TABLE face_account (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    subscription INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    sealed_template BLOB NOT NULL,
    sealed_profile BLOB NOT NULL,
    terms TEXT NOT NULL,
    frozen INTEGER NOT NULL CHECK (frozen IN (0, 1)),
    created_at INTEGER NOT NULL,
    sim_generation INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL DEFAULT 1,
    frozen_at INTEGER,
    frozen_by TEXT CHECK (frozen_by IN ('holder', 'operator')),
    -- When the last app lost its authorisation; NULL while an app has one.
    unbound_at INTEGER,
    UNIQUE (subscription, epoch)
) STRICT;
CREATE INDEX face_account_by_unbinding ON face_account (unbound_at) WHERE unbound_at IS NOT NULL;

-- The account's data key, sealed by the master key. It seals the other sealed columns of the account. Rows are appended,
-- overwritten in place and never deleted, because SQLite leaves bytes behind when it moves rows between pages. An erased
-- account's row stays as zeros, so nothing references this table.
CREATE TABLE face_key (
    account INTEGER NOT NULL PRIMARY KEY,
    sealed_key BLOB NOT NULL
) STRICT;

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
    uid_since INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (account, app),
    UNIQUE (app, uid),
    UNIQUE (app, open_id)
) STRICT;

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
    revoked INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1)),
    ended_at INTEGER,
    ended_by TEXT CHECK (ended_by IN ('erased', 'cancelled', 'sim'))
) STRICT, WITHOUT ROWID;
CREATE INDEX face_credential_by_family ON face_credential (family);
CREATE INDEX face_credential_by_account ON face_credential (account, app);
CREATE INDEX face_credential_by_expiry ON face_credential (expires_at);
CREATE INDEX face_credential_by_device ON face_credential (device_key, app) WHERE kind = 'remembered' AND revoked = 0;

CREATE TABLE face_group (
    id TEXT NOT NULL PRIMARY KEY,
    app TEXT NOT NULL,
    name TEXT NOT NULL,
    tag TEXT NOT NULL,
    info TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX face_group_by_app ON face_group (app);

CREATE TABLE face_group_member (
    face_group TEXT NOT NULL REFERENCES face_group (id),
    account INTEGER NOT NULL REFERENCES face_account (id),
    PRIMARY KEY (face_group, account)
) STRICT, WITHOUT ROWID;
CREATE INDEX face_group_member_by_account ON face_group_member (account);

-- MARK: Evidence

-- A row may be deleted when the law says so, but never changed.
CREATE TABLE consent (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app TEXT NOT NULL,
    trace TEXT NOT NULL,
    subscription INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    sim_generation INTEGER NOT NULL,
    content_digest TEXT NOT NULL,
    record TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    token BLOB,
    assurance TEXT,
    -- `record` lacks the piece of `consent_content` with this id, which belongs after `content_at` characters. NULL if
    -- the record is whole.
    content INTEGER,
    content_at INTEGER
) STRICT;
CREATE INDEX consent_by_trace ON consent (trace);
-- 0 if the subscriber was erased.
CREATE INDEX consent_by_subscription ON consent (subscription) WHERE subscription <> 0;

CREATE TABLE consent_content (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- `content_digest` of its consents.
    digest TEXT NOT NULL,
    text TEXT NOT NULL,
    -- Of its newest consent, or up to a day before.
    received_at INTEGER NOT NULL
) STRICT;
CREATE INDEX consent_content_by_digest ON consent_content (digest);
CREATE INDEX consent_content_by_time ON consent_content (received_at);

CREATE TABLE ledger (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app TEXT NOT NULL,
    trace TEXT NOT NULL,
    interface TEXT NOT NULL,
    result TEXT NOT NULL,
    at INTEGER NOT NULL,
    day INTEGER NOT NULL,
    assurance TEXT
) STRICT;
CREATE INDEX ledger_by_app ON ledger (app, id);

CREATE TABLE ledger_begin (
    id INTEGER PRIMARY KEY CHECK (id = 1), day INTEGER NOT NULL
) STRICT;
INSERT INTO ledger_begin (id, day) VALUES (1, 0);

CREATE TABLE ledger_sum (
    app TEXT NOT NULL,
    day INTEGER NOT NULL,
    interface TEXT NOT NULL,
    result TEXT NOT NULL,
    answers INTEGER NOT NULL,
    PRIMARY KEY (app, day, interface, result)
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_sum_by_day ON ledger_sum (day);

-- The last line of the ledger that is in the sums. No row before the first one.
CREATE TABLE ledger_mark (
    id INTEGER PRIMARY KEY CHECK (id = 1), line INTEGER NOT NULL
) STRICT;

CREATE TABLE billing_day (
    app TEXT NOT NULL,
    day INTEGER NOT NULL,
    answered INTEGER NOT NULL,
    PRIMARY KEY (app, day)
) STRICT, WITHOUT ROWID;

-- Public halves are never deleted, because receipts are evidence.
CREATE TABLE receipt_key (
    id TEXT NOT NULL PRIMARY KEY,
    public_key TEXT NOT NULL,
    sealed_key BLOB,
    starts_at INTEGER,
    ends_at INTEGER
) STRICT, WITHOUT ROWID;

-- The number of permanent rows of a table. Bucket -1 is the whole table; every other bucket covers 16,384 ids.
-- `line`: the last id that was counted. `pending`: rows that may still be deleted, because their token was not
-- redeemed. `since`: consents received before this time count because of their age. `changes`: how often the mark was
-- written.
CREATE TABLE evidence_mark (
    kind TEXT NOT NULL,
    bucket INTEGER NOT NULL,
    line INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    pending INTEGER NOT NULL,
    since INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    mac BLOB NOT NULL,
    PRIMARY KEY (kind, bucket)
) STRICT, WITHOUT ROWID;

CREATE TABLE log_leaf (
    leaf INTEGER PRIMARY KEY,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    kind TEXT NOT NULL CHECK (kind IN ('consent', 'release')),
    -- The row of the consent or the ledger.
    source INTEGER NOT NULL,
    subscription INTEGER,
    epoch INTEGER,
    -- The hashed text, as long as the row is kept.
    input TEXT
) STRICT;
CREATE UNIQUE INDEX log_leaf_by_source ON log_leaf (kind, source);
CREATE INDEX log_leaf_by_hash ON log_leaf (hash);
CREATE INDEX log_leaf_by_subscription ON log_leaf (subscription, leaf) WHERE subscription IS NOT NULL;

-- Hashes over 2^level leaves, without the leaves. `place` is level · 2^56 + the number of nodes of that level before.
CREATE TABLE log_node (
    place INTEGER PRIMARY KEY, hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

-- The last head of each hour since 1970, UTC.
CREATE TABLE log_head (
    hour INTEGER PRIMARY KEY,
    size INTEGER NOT NULL,
    root BLOB NOT NULL,
    at INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;

-- The last row of each kind that is in the log.
CREATE TABLE log_mark (
    kind TEXT NOT NULL PRIMARY KEY, source INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- MARK: Traces

CREATE TABLE trace_event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    trace TEXT NOT NULL,
    at INTEGER NOT NULL,
    party TEXT NOT NULL,
    step TEXT NOT NULL,
    situation TEXT NOT NULL,
    detail TEXT NOT NULL,
    app TEXT,
    subscription INTEGER,
    epoch INTEGER
) STRICT;
CREATE INDEX trace_event_by_trace ON trace_event (trace, at);
CREATE INDEX trace_event_by_time ON trace_event (at);
CREATE INDEX trace_event_by_app ON trace_event (app, at) WHERE app IS NOT NULL;
CREATE INDEX trace_event_by_subscription ON trace_event (subscription, at) WHERE subscription IS NOT NULL;

CREATE TABLE login_count (
    app TEXT NOT NULL,
    -- Hours since 1970, UTC.
    hour INTEGER NOT NULL,
    -- Empty if it was unknown.
    carrier TEXT NOT NULL,
    party TEXT NOT NULL,
    step TEXT NOT NULL,
    situation TEXT NOT NULL,
    steps INTEGER NOT NULL,
    PRIMARY KEY (app, hour, carrier, party, step, situation)
) STRICT, WITHOUT ROWID;
CREATE INDEX login_count_by_hour ON login_count (hour);

-- MARK: Callbacks

CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL UNIQUE,
    app TEXT NOT NULL,
    type TEXT NOT NULL,
    trace TEXT,
    subscription INTEGER,
    epoch INTEGER,
    payload TEXT NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'dead')),
    -- While it waits, from when it may be claimed; a claim sets it to the end of its lease.
    due_at INTEGER NOT NULL,
    queued_at INTEGER NOT NULL,
    lease TEXT,
    attempts INTEGER NOT NULL,
    outcome TEXT,
    tried_at INTEGER
) STRICT;
CREATE INDEX outbox_due ON outbox (app, due_at, id) WHERE state = 'waiting';
CREATE INDEX outbox_by_app ON outbox (app, id);
CREATE INDEX outbox_open ON outbox (app, id) WHERE state <> 'delivered';
CREATE INDEX outbox_by_state ON outbox (state, queued_at);
CREATE INDEX outbox_by_subscription ON outbox (subscription) WHERE subscription IS NOT NULL;

-- MARK: Operators

CREATE TABLE admin (
    name TEXT PRIMARY KEY,
    role TEXT NOT NULL,
    apps TEXT NOT NULL,
    sees_numbers INTEGER NOT NULL CHECK (sees_numbers IN (0, 1)),
    kind TEXT NOT NULL,
    credential BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    revoked_at INTEGER,
    last_used_day INTEGER,
    mac BLOB
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    role TEXT NOT NULL,
    origin TEXT NOT NULL,
    order_name TEXT NOT NULL,
    app TEXT,
    subject TEXT,
    before TEXT,
    after TEXT,
    reason TEXT,
    outcome TEXT NOT NULL,
    request_key TEXT,
    request_digest BLOB
) STRICT;
CREATE INDEX audit_by_app ON audit (app, id) WHERE app IS NOT NULL;
CREATE UNIQUE INDEX audit_by_request ON audit (actor, request_key) WHERE request_key IS NOT NULL;

-- The last line of the audit log, the number of lines up to it, and the code of that line. Written with the line. An
-- operator may begin it again.
CREATE TABLE audit_mark (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    line INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    digest BLOB NOT NULL,
    beginning INTEGER NOT NULL CHECK (beginning < 1000000000),
    mac BLOB NOT NULL
) STRICT;

CREATE TABLE console_account (
    admin TEXT PRIMARY KEY,
    -- Of scrypt. The secret of the second factor is derived from them, too.
    salt BLOB NOT NULL,
    cost INTEGER NOT NULL,
    hash BLOB NOT NULL,
    last_step INTEGER NOT NULL,
    -- Failed attempts in a row.
    failures INTEGER NOT NULL,
    blocked_until INTEGER NOT NULL,
    -- SHA-256 of issuer, client and the account's `sub`.
    phone BLOB,
    phone_bound_at INTEGER,
    phone_used_at INTEGER,
    mac BLOB
) STRICT, WITHOUT ROWID;

CREATE TABLE console_session (
    hash BLOB PRIMARY KEY,
    admin TEXT NOT NULL,
    began_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    mac BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX console_session_by_admin ON console_session (admin);
CREATE INDEX console_session_by_time ON console_session (ends_at);

CREATE TABLE console_pending (
    hash BLOB PRIMARY KEY,
    admin TEXT NOT NULL,
    -- The session that binds a phone; NULL for a sign-in.
    session BLOB,
    ends_at INTEGER NOT NULL,
    mac BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX console_pending_by_admin ON console_pending (admin);
CREATE INDEX console_pending_by_time ON console_pending (ends_at);

CREATE TABLE page_submission (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app TEXT NOT NULL REFERENCES app (id),
    digest TEXT NOT NULL,
    page TEXT NOT NULL,
    note TEXT,
    findings TEXT NOT NULL,
    submitted_by TEXT NOT NULL,
    submitted_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    decided_by TEXT,
    decided_at INTEGER,
    reason TEXT
) STRICT;
CREATE INDEX page_submission_by_app ON page_submission (app, id);
-- A page waits for one decision at a time, and what is approved is not submitted again.
CREATE UNIQUE INDEX page_submission_open ON page_submission (app, digest)
    WHERE state IN ('submitted', 'approved');

CREATE TABLE policy (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    digest TEXT NOT NULL,
    version TEXT NOT NULL,
    text TEXT NOT NULL,
    since INTEGER NOT NULL,
    recorded_by TEXT NOT NULL,
    origin TEXT NOT NULL
) STRICT;

-- MARK: Gateways, keys and health

CREATE TABLE gateway_pair (
    name TEXT PRIMARY KEY,
    -- NULL while no gateway owns the pair.
    owner TEXT,
    fence INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    forgotten_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The newest record of each session, NAS and domain. Subscribers are named by their row.
CREATE TABLE gateway_entry (
    pair TEXT NOT NULL,
    key BLOB NOT NULL,
    sequence INTEGER NOT NULL,
    content BLOB NOT NULL,
    -- NULL while the session continues.
    ended_at INTEGER,
    PRIMARY KEY (pair, key)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX gateway_entry_by_sequence ON gateway_entry (pair, sequence);
CREATE INDEX gateway_entry_by_end ON gateway_entry (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE master_key (
    check_value BLOB NOT NULL PRIMARY KEY,
    state TEXT NOT NULL CHECK (state IN ('current', 'outgoing', 'retired')),
    since INTEGER NOT NULL,
    retired_at INTEGER,
    -- When the file was vacuumed after that. Until then free pages may contain rows that the key sealed.
    forgotten_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX master_key_in_use ON master_key (state) WHERE state <> 'retired';

CREATE TABLE data_secrets (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    sealed BLOB NOT NULL
) STRICT;

-- Written by the health check.
CREATE TABLE heartbeat (
    id INTEGER PRIMARY KEY CHECK (id = 1), beats INTEGER NOT NULL
) STRICT;
INSERT INTO heartbeat (id, beats) VALUES (1, 0);
