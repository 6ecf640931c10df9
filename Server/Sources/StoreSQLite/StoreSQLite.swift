// The store that needs nothing started: SQLite in one file. Many writes share one durable commit. It knows no rule of a login
// beyond what a statement compares. Begin with `SQLiteStore.swift`, then `GroupedWriter.swift`.

// Whoever has a store of this kind gives it the orders that are written there.
@_exported public import StoreRows
