package import BenjiProtocol
package import Store

/// A store that keeps its rows in tables of an SQL database.
///
/// A driver says how a statement is run and what a transaction is; extensions of this protocol are the orders that both have.
package protocol TableStore: Store {
    associatedtype Transaction: StatementRunner

    /// What several statements read, as of one moment.
    func read<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value

    /// What one statement reads.
    func readOne<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value

    /// What one statement finds by its key: at most a row, and nothing that takes long.
    func look<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value

    /// A transaction, durable when this returns. `body` may run twice, the first time taken back, so it must have no effects but on
    /// the database.
    ///
    /// - Parameter locks: what it waits for where several write at once.
    @discardableResult
    func write<Value: Sendable>(
        _ name: String, locks: [StoreLock], _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value

    /// Takes the bytes of erased faces out of the database's files, as far as it can, and says nothing if it cannot yet.
    ///
    /// - Parameter count: how many were erased just now. What was in the way of an earlier erasure may be gone.
    func forgetErasedFaces(_ count: Int) async

    /// Takes what was erased of these rows of the register out of the database's files, as far as it can.
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
