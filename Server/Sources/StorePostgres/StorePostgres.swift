// The store in a PostgreSQL database, over libpq. `Connection` sends statements and waits for answers, and `Batched`
// runs operations in groups. `Rows` has the other differences from SQLite, table by table, and `Schema` the tables.
// `Copying` fills them from another store. Begin with `PostgresStore.swift`.

// A user of this store gets the orders written there.
@_exported public import StoreRows
