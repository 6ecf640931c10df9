-- The triggers that keep evidence from being changed, deleted or truncated. TRUNCATE fires no trigger of rows. With
-- CASCADE it fires the triggers of each table that it empties.

CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'what is evidence is never changed'; END $$;

-- Names are resolved in `pg_catalog` and `benji`, whatever search_path and temporary tables the caller has.
CREATE FUNCTION refuse_shortening() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF old.day >= (SELECT day FROM benji.ledger_begin WHERE id = 1) THEN
        RAISE EXCEPTION 'the ledger is append-only';
    END IF;
    RETURN old;
END $$;

-- MARK: Apps and their keys

CREATE TRIGGER app_contract_is_never_changed BEFORE UPDATE ON app_contract FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER app_contract_is_never_shortened BEFORE DELETE ON app_contract FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER app_contract_is_never_emptied BEFORE TRUNCATE ON app_contract EXECUTE FUNCTION refuse();

-- MARK: Evidence

CREATE TRIGGER consent_content_is_never_changed BEFORE UPDATE OF id, digest, text ON consent_content FOR EACH ROW
    EXECUTE FUNCTION refuse();
CREATE TRIGGER consent_content_is_never_emptied BEFORE TRUNCATE ON consent_content EXECUTE FUNCTION refuse();
CREATE TRIGGER consent_is_never_changed BEFORE UPDATE ON consent FOR EACH ROW
    WHEN (NOT (new.subscription = 0 AND new.epoch = 0 AND new.sim_generation = 0 AND new.token IS NULL
        AND (new.id, new.app, new.trace, new.content_digest, new.record, new.received_at, new.assurance)
            IS NOT DISTINCT FROM
            (old.id, old.app, old.trace, old.content_digest, old.record, old.received_at, old.assurance)
        AND (new.content, new.content_at) IS NOT DISTINCT FROM (old.content, old.content_at)))
    EXECUTE FUNCTION refuse();
CREATE TRIGGER consent_is_never_emptied BEFORE TRUNCATE ON consent EXECUTE FUNCTION refuse();
CREATE TRIGGER ledger_begin_never_goes_back BEFORE UPDATE ON ledger_begin FOR EACH ROW
    WHEN (new.day < old.day) EXECUTE FUNCTION refuse();
CREATE TRIGGER ledger_begin_stays BEFORE DELETE ON ledger_begin FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER ledger_begin_is_never_emptied BEFORE TRUNCATE ON ledger_begin EXECUTE FUNCTION refuse();
CREATE TRIGGER ledger_is_never_changed BEFORE UPDATE ON ledger FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER ledger_is_never_shortened BEFORE DELETE ON ledger FOR EACH ROW EXECUTE FUNCTION refuse_shortening();
CREATE TRIGGER ledger_is_never_emptied BEFORE TRUNCATE ON ledger EXECUTE FUNCTION refuse();
CREATE TRIGGER ledger_sum_only_grows BEFORE UPDATE ON ledger_sum FOR EACH ROW
    WHEN (NOT ((new.app, new.day, new.interface, new.result)
            IS NOT DISTINCT FROM (old.app, old.day, old.interface, old.result)
        AND new.answers > old.answers))
    EXECUTE FUNCTION refuse();
CREATE TRIGGER ledger_sum_is_never_removed BEFORE DELETE ON ledger_sum FOR EACH ROW
    EXECUTE FUNCTION refuse_shortening();
CREATE TRIGGER ledger_sum_is_never_emptied BEFORE TRUNCATE ON ledger_sum EXECUTE FUNCTION refuse();
CREATE TRIGGER ledger_mark_never_goes_back BEFORE UPDATE ON ledger_mark FOR EACH ROW
    WHEN (new.line < old.line) EXECUTE FUNCTION refuse();
CREATE TRIGGER ledger_mark_stays BEFORE DELETE ON ledger_mark FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER ledger_mark_is_never_emptied BEFORE TRUNCATE ON ledger_mark EXECUTE FUNCTION refuse();
CREATE TRIGGER evidence_mark_never_goes_back BEFORE UPDATE ON evidence_mark FOR EACH ROW
    WHEN (new.kind <> old.kind OR new.bucket <> old.bucket OR new.changes < old.changes) EXECUTE FUNCTION refuse();
CREATE TRIGGER evidence_mark_stays BEFORE DELETE ON evidence_mark FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER evidence_mark_is_never_emptied BEFORE TRUNCATE ON evidence_mark EXECUTE FUNCTION refuse();
CREATE TRIGGER log_leaf_is_never_changed BEFORE UPDATE ON log_leaf FOR EACH ROW
    WHEN (NOT ((new.leaf, new.hash, new.kind, new.source)
            IS NOT DISTINCT FROM (old.leaf, old.hash, old.kind, old.source)
        AND new.subscription IS NULL AND new.epoch IS NULL
        AND (new.input IS NULL OR new.input IS NOT DISTINCT FROM old.input)))
    EXECUTE FUNCTION refuse();
CREATE TRIGGER log_leaf_is_never_removed BEFORE DELETE ON log_leaf FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER log_leaf_is_never_emptied BEFORE TRUNCATE ON log_leaf EXECUTE FUNCTION refuse();
CREATE TRIGGER log_node_is_never_changed BEFORE UPDATE OR DELETE ON log_node FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER log_node_is_never_emptied BEFORE TRUNCATE ON log_node EXECUTE FUNCTION refuse();
CREATE TRIGGER log_head_never_goes_back BEFORE UPDATE ON log_head FOR EACH ROW
    WHEN (new.size < old.size OR new.at < old.at) EXECUTE FUNCTION refuse();
CREATE TRIGGER log_head_is_never_emptied BEFORE TRUNCATE ON log_head EXECUTE FUNCTION refuse();
CREATE TRIGGER log_head_is_never_removed BEFORE DELETE ON log_head FOR EACH ROW EXECUTE FUNCTION refuse();

-- MARK: Operators

CREATE TRIGGER audit_is_never_changed BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER audit_is_never_emptied BEFORE TRUNCATE ON audit EXECUTE FUNCTION refuse();
CREATE TRIGGER audit_mark_never_goes_back BEFORE UPDATE ON audit_mark FOR EACH ROW
    WHEN (new.beginning <= old.beginning
        AND (new.line < old.line OR new.entries < old.entries OR new.beginning < old.beginning))
    EXECUTE FUNCTION refuse();
CREATE TRIGGER audit_mark_stays BEFORE DELETE ON audit_mark FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER audit_mark_is_never_emptied BEFORE TRUNCATE ON audit_mark EXECUTE FUNCTION refuse();
