// The store that needs nothing started: SQLite in one file. Many writes share one durable commit. It knows no rule of a
// login beyond what a statement compares. Begin with `SQLiteStore.swift`, then `GroupedWriter.swift`.

// The users of such a store need the functions of `StoreRows`.
@_exported public import StoreRows
