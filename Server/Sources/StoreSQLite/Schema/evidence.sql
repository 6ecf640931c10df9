-- The triggers that keep evidence from being changed or deleted.

-- MARK: Apps and their keys

CREATE TRIGGER app_contract_is_never_changed BEFORE UPDATE ON app_contract
    BEGIN SELECT RAISE(ABORT, 'a contract is append-only'); END;
CREATE TRIGGER app_contract_is_never_shortened BEFORE DELETE ON app_contract
    BEGIN SELECT RAISE(ABORT, 'a contract is append-only'); END;

-- MARK: Evidence

CREATE TRIGGER consent_is_never_changed BEFORE UPDATE ON consent
    WHEN NOT (new.subscription = 0 AND new.epoch = 0 AND new.sim_generation = 0 AND new.token IS NULL
        AND new.id IS old.id AND new.app IS old.app AND new.trace IS old.trace AND new.record IS old.record
        AND new.content IS old.content AND new.content_at IS old.content_at
        AND new.content_digest IS old.content_digest AND new.received_at IS old.received_at
        AND new.assurance IS old.assurance)
    BEGIN SELECT RAISE(ABORT, 'consent is evidence'); END;
CREATE TRIGGER consent_content_is_never_changed BEFORE UPDATE OF id, digest, text ON consent_content
    BEGIN SELECT RAISE(ABORT, 'consent is evidence'); END;
CREATE TRIGGER ledger_is_never_changed BEFORE UPDATE ON ledger
    BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_is_never_shortened BEFORE DELETE ON ledger
    WHEN old.day >= (SELECT day FROM ledger_begin WHERE id = 1)
    BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_begin_never_goes_back BEFORE UPDATE ON ledger_begin WHEN new.day < old.day
    BEGIN SELECT RAISE(ABORT, 'the ledger begins where it begins'); END;
CREATE TRIGGER ledger_begin_stays BEFORE DELETE ON ledger_begin
    BEGIN SELECT RAISE(ABORT, 'the ledger begins where it begins'); END;
CREATE TRIGGER ledger_sum_only_grows BEFORE UPDATE ON ledger_sum
    WHEN NOT (new.app IS old.app AND new.day IS old.day AND new.interface IS old.interface
        AND new.result IS old.result AND new.answers > old.answers)
    BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_sum_is_never_removed BEFORE DELETE ON ledger_sum
    WHEN old.day >= (SELECT day FROM ledger_begin WHERE id = 1)
    BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_mark_never_goes_back BEFORE UPDATE ON ledger_mark WHEN new.line < old.line
    BEGIN SELECT RAISE(ABORT, 'a line would be counted twice'); END;
CREATE TRIGGER ledger_mark_stays BEFORE DELETE ON ledger_mark
    BEGIN SELECT RAISE(ABORT, 'a line would be counted twice'); END;
CREATE TRIGGER evidence_mark_never_goes_back BEFORE UPDATE ON evidence_mark
    WHEN new.kind IS NOT old.kind OR new.bucket IS NOT old.bucket OR new.changes < old.changes
    BEGIN SELECT RAISE(ABORT, 'what is evidence is never changed'); END;
CREATE TRIGGER evidence_mark_stays BEFORE DELETE ON evidence_mark
    BEGIN SELECT RAISE(ABORT, 'what is evidence is never changed'); END;
CREATE TRIGGER log_leaf_is_never_changed BEFORE UPDATE ON log_leaf
    WHEN NOT (new.leaf IS old.leaf AND new.hash IS old.hash AND new.kind IS old.kind AND new.source IS old.source
        AND new.subscription IS NULL AND new.epoch IS NULL AND (new.input IS NULL OR new.input IS old.input))
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_leaf_is_never_removed BEFORE DELETE ON log_leaf
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_node_is_never_changed BEFORE UPDATE ON log_node
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_node_is_never_removed BEFORE DELETE ON log_node
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_head_never_goes_back BEFORE UPDATE ON log_head WHEN new.size < old.size OR new.at < old.at
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_head_is_never_removed BEFORE DELETE ON log_head
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

-- MARK: Operators

CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_is_never_shortened BEFORE DELETE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_mark_never_goes_back BEFORE UPDATE ON audit_mark
    WHEN new.beginning <= old.beginning
        AND (new.line < old.line OR new.entries < old.entries OR new.beginning < old.beginning)
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_mark_stays BEFORE DELETE ON audit_mark
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
