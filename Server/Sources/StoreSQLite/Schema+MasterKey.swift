extension Schema {
    /// Version 6: which master key the secrets are sealed under. One row at most, never changed.
    static let masterKey = """
        CREATE TABLE master_key (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            check_value BLOB NOT NULL
        ) STRICT
        """
}
