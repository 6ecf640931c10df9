-- Codes of the rows that give rights, the mark of the audit log, TRUNCATE refused (decision 63), and nodes' heartbeats
-- (decision 64). Conventions as in step 1.

-- An HMAC over the row under a data secret. NULL in a row that an earlier version wrote, or a party without the secret.
ALTER TABLE admin ADD COLUMN mac bytea;
ALTER TABLE console_account ADD COLUMN mac bytea;
ALTER TABLE console_session ADD COLUMN mac bytea;
ALTER TABLE console_pending ADD COLUMN mac bytea;
ALTER TABLE app ADD COLUMN mac bytea;
ALTER TABLE openid_client ADD COLUMN mac bytea;

-- The last line of the audit log, how many lines there are up to it, and the code of that line. Written with the line.
-- An operator has it begun anew.
CREATE TABLE audit_mark (
    id integer PRIMARY KEY CHECK (id = 1),
    line bigint NOT NULL,
    entries bigint NOT NULL,
    digest bytea NOT NULL,
    beginning bigint NOT NULL CHECK (beginning < 1000000000),
    mac bytea NOT NULL
);
CREATE TRIGGER audit_mark_never_goes_back BEFORE UPDATE ON audit_mark FOR EACH ROW
    WHEN (new.beginning <= old.beginning
        AND (new.line < old.line OR new.entries < old.entries OR new.beginning < old.beginning)) EXECUTE FUNCTION refuse();
CREATE TRIGGER audit_mark_stays BEFORE DELETE ON audit_mark FOR EACH ROW EXECUTE FUNCTION refuse();

-- The number of the database's history. Only the statements after a deliberate restore raise it.
CREATE TABLE database_history (id integer PRIMARY KEY CHECK (id = 1), number bigint NOT NULL);
INSERT INTO database_history (id, number) VALUES (1, 0);
-- How often each node had its heartbeat counted, and when last.
CREATE TABLE node_heartbeat (node text COLLATE "C" PRIMARY KEY, beats bigint NOT NULL, seen_at bigint NOT NULL);

-- TRUNCATE fires no trigger of rows. One with CASCADE fires those of every table that it empties.
CREATE TRIGGER audit_is_never_emptied BEFORE TRUNCATE ON audit EXECUTE FUNCTION refuse();
CREATE TRIGGER audit_mark_is_never_emptied BEFORE TRUNCATE ON audit_mark EXECUTE FUNCTION refuse();
CREATE TRIGGER consent_is_never_emptied BEFORE TRUNCATE ON consent EXECUTE FUNCTION refuse();
CREATE TRIGGER consent_content_is_never_emptied BEFORE TRUNCATE ON consent_content EXECUTE FUNCTION refuse();
CREATE TRIGGER ledger_is_never_emptied BEFORE TRUNCATE ON ledger EXECUTE FUNCTION refuse();
CREATE TRIGGER ledger_begin_is_never_emptied BEFORE TRUNCATE ON ledger_begin EXECUTE FUNCTION refuse();
CREATE TRIGGER ledger_mark_is_never_emptied BEFORE TRUNCATE ON ledger_mark EXECUTE FUNCTION refuse();
CREATE TRIGGER ledger_sum_is_never_emptied BEFORE TRUNCATE ON ledger_sum EXECUTE FUNCTION refuse();
CREATE TRIGGER app_contract_is_never_emptied BEFORE TRUNCATE ON app_contract EXECUTE FUNCTION refuse();
CREATE TRIGGER log_leaf_is_never_emptied BEFORE TRUNCATE ON log_leaf EXECUTE FUNCTION refuse();
CREATE TRIGGER log_node_is_never_emptied BEFORE TRUNCATE ON log_node EXECUTE FUNCTION refuse();
CREATE TRIGGER log_head_is_never_emptied BEFORE TRUNCATE ON log_head EXECUTE FUNCTION refuse();
