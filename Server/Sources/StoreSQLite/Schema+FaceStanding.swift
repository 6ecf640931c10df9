extension Schema {
    /// Version 6: a face account's SIM, revisions that changes compare, and who froze an account and when. The end of a
    /// credential, and since when no app is authorised.
    static let faceStanding = """
        ALTER TABLE face_account ADD COLUMN sim_generation INTEGER NOT NULL DEFAULT 0;
        -- Whoever has enrolled before is taken to have this SIM: nothing of theirs ends by the update.
        UPDATE face_account SET sim_generation = coalesce(
            (SELECT s.sim_generation FROM subscription AS s WHERE s.id = face_account.subscription AND s.epoch = face_account.epoch), 0);
        ALTER TABLE face_account ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
        -- 0 for what was frozen before this version.
        ALTER TABLE face_account ADD COLUMN frozen_at INTEGER;
        ALTER TABLE face_account ADD COLUMN frozen_by TEXT CHECK (frozen_by IN ('holder', 'operator'));
        UPDATE face_account SET frozen_at = 0, frozen_by = 'operator' WHERE frozen = 1;

        ALTER TABLE face_binding ADD COLUMN uid_since INTEGER NOT NULL DEFAULT 0;
        UPDATE face_binding SET uid_since = authorized_at;
        ALTER TABLE face_binding ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
        UPDATE face_binding SET revision = abs(random() % 4611686018427387904) + 1;

        ALTER TABLE face_credential ADD COLUMN ended_at INTEGER;
        ALTER TABLE face_credential ADD COLUMN ended_by TEXT CHECK (ended_by IN ('erased', 'cancelled', 'sim'));

        -- Since when no app is authorised any more; NULL while one is.
        ALTER TABLE face_account ADD COLUMN unbound_at INTEGER;
        CREATE INDEX face_account_by_unbinding ON face_account (unbound_at) WHERE unbound_at IS NOT NULL;
        CREATE INDEX face_credential_by_device ON face_credential (device_key, app) WHERE kind = 'remembered' AND revoked = 0;
        """
}
