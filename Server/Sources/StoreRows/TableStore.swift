package import BenjiProtocol
package import Store

/// A store that keeps its rows in tables of an SQL database.
///
/// A driver says how a statement is run and what a transaction is; extensions of this protocol are the orders that both
/// have.
package protocol TableStore: Store {
    associatedtype Transaction: StatementRunner

    /// Reads with several statements, as of one moment.
    func read<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value

    /// Reads with one statement.
    func readOne<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value

    /// Finds at most a row by its key, with one statement that does not take long.
    func look<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value

    /// A transaction, durable when this returns. `body` may run twice, the first time taken back, so it must have no
    /// effects but on the database.
    ///
    /// - Parameter locks: what it waits for where several write at once.
    @discardableResult
    func write<Value: Sendable>(
        _ name: String, locks: [StoreLock], _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value

    /// Removes the bytes of erased faces from the database's files, as far as possible. A failure is not reported.
    ///
    /// - Parameter count: The faces erased just now. Obstacles to an earlier erasure may be gone.
    func forgetErasedFaces(_ count: Int) async

    /// Removes erased data of these register rows from the database's files, as far as possible.
    ///
    /// - Returns: whether it is done. If not, it is tried again.
    func forgetErased(_ subscriptions: [Int64], at moment: Timestamp) async -> Bool

    /// The last rows that a reader may take. No row with a smaller number will be committed any more. `nil` if that
    /// holds for every row.
    func settledLogRows(for reader: LogReader) async throws(StoreError) -> [LogKind: Int64]?

    /// Writes the steps of logins that wait to go along with others.
    func flushTraces() async throws(StoreError)
}

/// The readers that take the rows of ledger and consents in their order. Each remembers the settled rows by itself.
package enum LogReader: Sendable {
    case log, marks
}

extension TableStore {
    /// As any other statement, where the database is another process.
    package func look<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await readOne(name, body)
    }
}
