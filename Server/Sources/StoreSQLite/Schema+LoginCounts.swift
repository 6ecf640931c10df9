extension Schema {
    /// Version 6: how many steps of logins ended alike, for charts. Conventions as in ``version1``.
    static let loginCounts = """
        CREATE TABLE login_count (
            app TEXT NOT NULL,
            -- Hours since 1970, UTC.
            hour INTEGER NOT NULL,
            -- Empty where it was not known.
            carrier TEXT NOT NULL,
            party TEXT NOT NULL,
            step TEXT NOT NULL,
            situation TEXT NOT NULL,
            steps INTEGER NOT NULL,
            PRIMARY KEY (app, hour, carrier, party, step, situation)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX login_count_by_hour ON login_count (hour);
        """
}
