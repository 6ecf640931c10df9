-- Heads of the public log stay (decision 58).

CREATE TRIGGER log_head_is_never_removed BEFORE DELETE ON log_head FOR EACH ROW EXECUTE FUNCTION refuse();
