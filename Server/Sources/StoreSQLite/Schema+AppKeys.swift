extension Schema {
    /// Several keys of an app and several secrets of a client at once, with the day of each one's last use. The
    /// revision that a change of a client is made from. Conventions as in ``version1``.
    static let appKeys = """
        CREATE TABLE app_key (
            app TEXT NOT NULL REFERENCES app (id),
            use TEXT NOT NULL,
            version INTEGER NOT NULL,
            sealed_key BLOB NOT NULL,
            created_at INTEGER,
            accepted_until INTEGER,
            in_package INTEGER NOT NULL CHECK (in_package IN (0, 1)),
            PRIMARY KEY (app, use, version)
        ) STRICT, WITHOUT ROWID;
        -- The first key is as old as its app; of a later one nobody noted it.
        INSERT INTO app_key (app, use, version, sealed_key, created_at, in_package)
            SELECT id, 'package', key_version, sealed_key, CASE key_version WHEN 1 THEN created_at END, 0 FROM app;
        ALTER TABLE app DROP COLUMN sealed_key;
        ALTER TABLE app DROP COLUMN key_version;

        -- Until now an empty list let a client's server in from everywhere.
        ALTER TABLE app ADD COLUMN openid_from_anywhere INTEGER NOT NULL DEFAULT 0
            CHECK (openid_from_anywhere IN (0, 1));
        UPDATE app SET openid_from_anywhere = 1 WHERE server_addresses = '[]';

        -- Apart from the keys: a use must not count as a change of the app.
        CREATE TABLE app_key_usage (
            app TEXT NOT NULL,
            use TEXT NOT NULL,
            version INTEGER NOT NULL,
            day INTEGER NOT NULL,
            PRIMARY KEY (app, use, version)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE openid_client_secret (
            app TEXT NOT NULL REFERENCES openid_client (app),
            version INTEGER NOT NULL,
            hash BLOB NOT NULL,
            created_at INTEGER,
            accepted_until INTEGER,
            PRIMARY KEY (app, version)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO openid_client_secret (app, version, hash)
            SELECT app, 1, secret_hash FROM openid_client WHERE secret_hash IS NOT NULL;
        ALTER TABLE openid_client DROP COLUMN secret_hash;
        ALTER TABLE openid_client ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
        """
}
