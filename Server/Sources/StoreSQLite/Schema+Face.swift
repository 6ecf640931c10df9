extension Schema {
    /// Version 5: face accounts. Conventions as in ``version1``. The account's data key seals the sealed values. The
    /// master key seals that data key, alone in `face_key`.
    static let face = """
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
            UNIQUE (subscription, epoch)
        ) STRICT;

        -- Appended, overwritten in place and never deleted: when SQLite moves rows between pages it leaves bytes behind.
        -- So nothing is referenced: an erased account's row stays, as zeros.
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
            revoked INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX face_credential_by_family ON face_credential (family);
        CREATE INDEX face_credential_by_account ON face_credential (account, app);
        CREATE INDEX face_credential_by_expiry ON face_credential (expires_at);

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
        """
}
