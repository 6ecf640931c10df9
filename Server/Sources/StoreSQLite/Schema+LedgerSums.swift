extension Schema {
    /// Version 7: how many lines of the ledger are alike (decision 61). Conventions as in ``version1``.
    static let ledgerSums = """
        CREATE TABLE ledger_sum (
            app TEXT NOT NULL,
            day INTEGER NOT NULL,
            interface TEXT NOT NULL,
            result TEXT NOT NULL,
            answers INTEGER NOT NULL,
            PRIMARY KEY (app, day, interface, result)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX ledger_sum_by_day ON ledger_sum (day);
        CREATE TRIGGER ledger_sum_only_grows BEFORE UPDATE ON ledger_sum
            WHEN NOT (new.app IS old.app AND new.day IS old.day AND new.interface IS old.interface
                AND new.result IS old.result AND new.answers > old.answers)
            BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
        CREATE TRIGGER ledger_sum_is_never_removed BEFORE DELETE ON ledger_sum
            WHEN old.day >= (SELECT day FROM ledger_begin WHERE id = 1)
            BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

        -- The last line of the ledger that is in the sums. No row while there is none.
        CREATE TABLE ledger_mark (id INTEGER PRIMARY KEY CHECK (id = 1), line INTEGER NOT NULL) STRICT;
        CREATE TRIGGER ledger_mark_never_goes_back BEFORE UPDATE ON ledger_mark WHEN new.line < old.line
            BEGIN SELECT RAISE(ABORT, 'a line would be counted twice'); END;
        CREATE TRIGGER ledger_mark_stays BEFORE DELETE ON ledger_mark
            BEGIN SELECT RAISE(ABORT, 'a line would be counted twice'); END;
        """
}
