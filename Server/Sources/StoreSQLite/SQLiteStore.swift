package import GRDB
package import Logging
package import Store
package import StoreRows

/// A store in one SQLite file: the default, which needs nothing started (decision 9).
///
/// Writes are durable when they are answered, and many of them share one commit (``GroupedWriter``). Reads run at the
/// same time on connections of their own; reads of single rows run on one in the caller's thread. Several processes may
/// use one file. A full, read-only or failing disk makes operations fail as ``StoreError/Code/unavailable`` and nothing
/// else. Once the disk works again, so does the store.
package final class SQLiteStore: TableStore {
    let pool: DatabasePool
    /// Reads the committed state. A separate connection, so that a look never waits for a long read.
    private let looks: any DatabaseReader
    let writer: GroupedWriter
    package let rowCodes = RowCodes()
    let logger: Logger

    /// Opens the file, or makes it (mode 0600, a missing folder 0700), and brings an older schema forward. Blocks
    /// while it does.
    ///
    /// - Parameter bringingForward: `false` for a caller that may run with a server of an earlier version.
    /// - Throws: ``StoreError/Code/corrupt`` if the file is damaged, not a store of Benji's, or written by a newer
    ///   version. ``StoreError/Code/outdated`` if it has an older schema and must keep it.
    ///   ``StoreError/Code/unavailable`` if it cannot be opened for writing.
    package init(path: String, bringingForward: Bool = true, logger: Logger) throws(StoreError) {
        pool = try DatabaseFile.open(path, bringingForward: bringingForward)
        looks = try DatabaseFile.looks(beside: pool)
        writer = GroupedWriter(pool: pool, looks: looks, logger: logger)
        self.logger = logger
    }

    /// Opens the file for looking: nothing is made, changed or brought forward, and every write fails. While a server
    /// uses the file this sees what it has committed.
    ///
    /// - Throws: as ``init(path:logger:)``, without any need to write.
    package init(lookingAt path: String, logger: Logger) throws(StoreError) {
        pool = try DatabaseFile.look(at: path)
        looks = pool
        writer = GroupedWriter(pool: pool, logger: logger)
        self.logger = logger
    }

    /// The damage that SQLite's `quick_check` finds in the file and its log; `nil` if it finds none. It reads all of
    /// the file, and changes nothing.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if the file cannot be read now.
    package static func damage(path: String) throws(StoreError) -> String? { try DatabaseFile.damage(path) }

    /// Why a store cannot work in a file at a path, with the remedy; `nil` if nothing is known against it. Makes
    /// nothing: neither the file nor its folder need be there.
    package static func problem(path: String) -> String? { DatabaseFile.problem(of: path) }

    /// Whether the file has this version's schema, so that ``init(path:logger:)`` would bring nothing forward. For a
    /// caller that looks at a database that another version may be using. Writes nothing.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` and ``StoreError/Code/unavailable`` as ``init(path:logger:)``.
    package static func hasCurrentSchema(path: String) throws(StoreError) -> Bool { try DatabaseFile.isCurrent(path) }

    /// A write, and a look at what it left. The write is vital (``StoreRows/Urgency``).
    package func check() async throws(StoreError) {
        try await write("check") { db in
            try db.run("UPDATE heartbeat SET beats = beats + 1 WHERE id = 1")
        }
        try await look("check") { db in _ = try db.hasRow("SELECT beats FROM heartbeat") }
    }

    package func close() async { await writer.close() }

    package func read<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        guard writer.isOpen else { throw .closed(during: name) }
        do {
            return try await pool.read(body)
        } catch {
            throw StoreError(error, during: name)
        }
    }

    package func readOne<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await read(name, body)
    }

    /// Runs on the caller's thread, without a transaction. Switching threads takes many times as long as the look
    /// itself, which reads a few pages, waits for no writer and never syncs.
    package func look<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try lookAtOnce(name, body)
    }

    /// GRDB takes the caller's thread where it cannot wait.
    private func lookAtOnce<Value>(
        _ name: String, _ body: (Database) throws -> Value
    ) throws(StoreError) -> Value {
        guard writer.isOpen else { throw .closed(during: name) }
        do { return try looks.unsafeRead(body) } catch { throw StoreError(error, during: name) }
    }

    @discardableResult
    func write<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await writer.perform(name, body)
    }

    /// There is one writer, which waits for no lock.
    @discardableResult
    package func write<Value: Sendable>(
        _ name: String, locks: [StoreLock], _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await write(name, body)
    }
}
