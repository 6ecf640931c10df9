extension Schema {
    /// Version 9: marks of the ledger and of the consents (decision 65). Conventions as in ``version1``.
    static let evidenceMarks = """
        -- How many rows of a table there are for good. Bucket -1 is of the whole table, every other one of 16,384 numbers.
        -- `line`: the last number that was counted. `pending`: rows that may still be deleted, because nobody has redeemed
        -- what they bought. `since`: consents that were received before this count for their age. `changes` counts how often
        -- the mark was written.
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
        CREATE TRIGGER evidence_mark_never_goes_back BEFORE UPDATE ON evidence_mark
            WHEN new.kind IS NOT old.kind OR new.bucket IS NOT old.bucket OR new.changes < old.changes
            BEGIN SELECT RAISE(ABORT, 'what is evidence is never changed'); END;
        CREATE TRIGGER evidence_mark_stays BEFORE DELETE ON evidence_mark
            BEGIN SELECT RAISE(ABORT, 'what is evidence is never changed'); END;
        """
}
