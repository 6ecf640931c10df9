-- How many lines of the ledger are alike (decision 61). Conventions as in step 1.

CREATE TABLE ledger_sum (
    app text COLLATE "C" NOT NULL,
    day integer NOT NULL,
    interface text COLLATE "C" NOT NULL,
    result text COLLATE "C" NOT NULL,
    answers bigint NOT NULL,
    PRIMARY KEY (app, day, interface, result)
) WITH (fillfactor = 70);
CREATE INDEX ledger_sum_by_day ON ledger_sum (day);
CREATE TRIGGER ledger_sum_only_grows BEFORE UPDATE ON ledger_sum FOR EACH ROW
    WHEN (NOT ((new.app, new.day, new.interface, new.result) IS NOT DISTINCT FROM (old.app, old.day, old.interface, old.result)
        AND new.answers > old.answers))
    EXECUTE FUNCTION refuse();
CREATE TRIGGER ledger_sum_is_never_removed BEFORE DELETE ON ledger_sum FOR EACH ROW EXECUTE FUNCTION refuse_shortening();

-- The last line of the ledger that is in the sums. No row while there is none.
CREATE TABLE ledger_mark (id integer PRIMARY KEY CHECK (id = 1), line bigint NOT NULL);
CREATE TRIGGER ledger_mark_never_goes_back BEFORE UPDATE ON ledger_mark FOR EACH ROW
    WHEN (new.line < old.line) EXECUTE FUNCTION refuse();
CREATE TRIGGER ledger_mark_stays BEFORE DELETE ON ledger_mark FOR EACH ROW EXECUTE FUNCTION refuse();
