extension Schema {
    /// Version 10: heads of the public log stay (decision 58).
    static let logHeads = """
        CREATE TRIGGER log_head_is_never_removed BEFORE DELETE ON log_head
            BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
        """
}
