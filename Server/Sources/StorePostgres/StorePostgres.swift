// The store in a PostgreSQL database, over libpq. `Connection` sends statements and waits for answers, `Gathered` has what is gathered into
// groups, `Rows` what else differs from SQLite, table by table, `Schema` the tables, `Copying` fills them from another store. Begin with `PostgresStore.swift`.

// Whoever has a store of this kind gives it the orders that are written there.
@_exported public import StoreRows
