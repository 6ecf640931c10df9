extension Schema {
    /// Version 6: the erased rows of the register, and the state of their erasure in the files. A consent may lose its
    /// holder, and nothing else. Conventions as in ``version1``.
    static let erasures = """
        -- Nothing of the person: the number of a row that is not there any more. See ``ErasureRows/State``.
        CREATE TABLE erasure (
            subscription INTEGER NOT NULL UNIQUE,
            at INTEGER NOT NULL,
            state INTEGER NOT NULL CHECK (state IN (0, 1, 2)),
            -- ``SubscriberErasure/mark`` while the state is 0, then zeros in its place. The rows' own numbers grow, so that no page with a
            -- mark is split, which would leave a copy of it.
            mark BLOB NOT NULL CHECK (length(mark) = 32)
        ) STRICT;

        -- 0 is nobody: the person was erased.
        CREATE INDEX consent_by_subscription ON consent (subscription) WHERE subscription <> 0;
        DROP TRIGGER consent_is_never_changed;
        CREATE TRIGGER consent_is_never_changed BEFORE UPDATE ON consent
            WHEN NOT (new.subscription = 0 AND new.epoch = 0 AND new.sim_generation = 0 AND new.token IS NULL
                AND new.id IS old.id AND new.app IS old.app AND new.trace IS old.trace AND new.record IS old.record
                AND new.content IS old.content AND new.content_at IS old.content_at
                AND new.content_digest IS old.content_digest AND new.received_at IS old.received_at
                AND new.assurance IS old.assurance)
            BEGIN SELECT RAISE(ABORT, 'consent is evidence'); END;
        """
}
