-- Marks of the ledger and of the consents (decision 65). Conventions as in step 1.

-- How many rows of a table there are for good. Bucket -1 is of the whole table, every other one of 16,384 numbers. line: the
-- last number that was counted. pending: rows that may still be deleted, because nobody has redeemed what they bought. since:
-- consents that were received before this count for their age. changes counts how often the mark was written.
CREATE TABLE evidence_mark (
    kind text COLLATE "C" NOT NULL,
    bucket bigint NOT NULL,
    line bigint NOT NULL,
    entries bigint NOT NULL,
    pending bigint NOT NULL,
    since bigint NOT NULL,
    changes bigint NOT NULL,
    mac bytea NOT NULL,
    PRIMARY KEY (kind, bucket)
) WITH (fillfactor = 70);
CREATE TRIGGER evidence_mark_never_goes_back BEFORE UPDATE ON evidence_mark FOR EACH ROW
    WHEN (new.kind <> old.kind OR new.bucket <> old.bucket OR new.changes < old.changes) EXECUTE FUNCTION refuse();
CREATE TRIGGER evidence_mark_stays BEFORE DELETE ON evidence_mark FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER evidence_mark_is_never_emptied BEFORE TRUNCATE ON evidence_mark EXECUTE FUNCTION refuse();

-- The day is that of this table, and >= is PostgreSQL's, whatever search_path and temporary tables the caller has.
CREATE OR REPLACE FUNCTION refuse_shortening() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF old.day >= (SELECT day FROM benji.ledger_begin WHERE id = 1) THEN
        RAISE EXCEPTION 'the ledger is append-only';
    END IF;
    RETURN old;
END $$;
