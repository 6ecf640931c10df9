extension Schema {
    /// Version 6: the policies that servers started with, each from when on. Conventions as in ``version1``.
    static let policies = """
        CREATE TABLE policy (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            digest TEXT NOT NULL,
            version TEXT NOT NULL,
            text TEXT NOT NULL,
            since INTEGER NOT NULL,
            recorded_by TEXT NOT NULL,
            origin TEXT NOT NULL
        ) STRICT;
        """
}
