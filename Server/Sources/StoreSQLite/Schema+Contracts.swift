extension Schema {
    /// Version 6: what apps' owners and the operator agreed on, and tokens by number and day. Conventions as in
    /// ``version1``.
    static let contracts = """
        -- Rows are only ever added.
        CREATE TABLE app_contract (
            app TEXT NOT NULL REFERENCES app (id),
            number INTEGER NOT NULL,
            -- Days as in 20261121, UTC+8.
            from_day INTEGER NOT NULL,
            -- NULL, as all that follows, where no contract holds from that day on.
            reference TEXT,
            until_day INTEGER,
            currency TEXT,
            -- A JSON object: millionths of the currency's unit by the ledger's result.
            rates TEXT,
            daily_limit INTEGER,
            monthly_limit INTEGER,
            number_limit INTEGER,
            added_at INTEGER NOT NULL,
            PRIMARY KEY (app, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER app_contract_is_never_changed BEFORE UPDATE ON app_contract
            BEGIN SELECT RAISE(ABORT, 'a contract is append-only'); END;
        CREATE TRIGGER app_contract_is_never_shortened BEFORE DELETE ON app_contract
            BEGIN SELECT RAISE(ABORT, 'a contract is append-only'); END;

        -- Of numbers whose app has a limit for each. The register's row stands for the number.
        CREATE TABLE number_day (
            subscription INTEGER NOT NULL,
            app TEXT NOT NULL,
            day INTEGER NOT NULL,
            tokens INTEGER NOT NULL,
            PRIMARY KEY (subscription, app, day)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX number_day_by_day ON number_day (day);
        """
}
