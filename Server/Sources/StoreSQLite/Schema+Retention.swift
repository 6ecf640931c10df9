extension Schema {
    /// Version 6: from which day on the ledger is kept. Conventions as in ``version1``.
    static let retention = """
        CREATE TABLE ledger_begin (id INTEGER PRIMARY KEY CHECK (id = 1), day INTEGER NOT NULL) STRICT;
        INSERT INTO ledger_begin (id, day) VALUES (1, 0);
        CREATE TRIGGER ledger_begin_never_goes_back BEFORE UPDATE ON ledger_begin WHEN new.day < old.day
            BEGIN SELECT RAISE(ABORT, 'the ledger begins where it begins'); END;
        CREATE TRIGGER ledger_begin_stays BEFORE DELETE ON ledger_begin
            BEGIN SELECT RAISE(ABORT, 'the ledger begins where it begins'); END;

        -- Lines of days that are still kept are never removed.
        DROP TRIGGER ledger_is_never_shortened;
        CREATE TRIGGER ledger_is_never_shortened BEFORE DELETE ON ledger
            WHEN old.day >= (SELECT day FROM ledger_begin WHERE id = 1)
            BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
        """
}
