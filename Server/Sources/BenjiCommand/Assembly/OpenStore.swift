import Logging
import Store
import StorePostgres
import StoreSQLite

/// An installation's store, by its settings. Nothing above knows which engine it is.
struct OpenStore: Closable {
    let store: any Store

    /// Opens it for work. Blocks while it does.
    ///
    /// - Parameter beginning: whether tables are made, and those of an earlier version brought forward.
    static func forWork(
        _ configuration: ServerConfiguration, beginning: Bool, logger: Logger
    ) throws(StoreError) -> OpenStore {
        guard let postgres = configuration.postgres else {
            return OpenStore(
                store: try SQLiteStore(path: configuration.databasePath, bringingForward: beginning, logger: logger))
        }
        // A command asks for one thing after the other.
        return OpenStore(
            store: try PostgresStore(
                postgres.parameters, connections: beginning ? postgres.connections : 1, bringingForward: beginning,
                servingRole: postgres.servingRole, deadlines: postgres.deadlines,
                dataDirectory: configuration.dataDirectory, logger: logger))
    }

    /// Opens it for a look: nothing is made or brought forward.
    static func forLooking(_ configuration: ServerConfiguration, logger: Logger) throws(StoreError) -> OpenStore {
        guard configuration.postgres == nil else {
            return try forWork(configuration, beginning: false, logger: logger)
        }
        return OpenStore(store: try SQLiteStore(lookingAt: configuration.databasePath, logger: logger))
    }

    /// Whether its tables are of this version. Changes nothing.
    static func isCurrent(_ configuration: ServerConfiguration) throws(StoreError) -> Bool {
        guard let postgres = configuration.postgres else {
            return try SQLiteStore.hasCurrentSchema(path: configuration.databasePath)
        }
        return try PostgresStore.hasCurrentSchema(postgres.parameters)
    }

    /// Examines the database for an operator. Changes and creates nothing.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` with the remedy if a store cannot work there.
    static func examine(_ configuration: ServerConfiguration) throws(StoreError) -> StoreExamination {
        if let postgres = configuration.postgres {
            return try PostgresStore.examine(postgres.parameters, servingRole: postgres.servingRole)
        }
        if let problem = SQLiteStore.problem(path: configuration.databasePath) {
            throw StoreError(.unavailable, problem)
        }
        return StoreExamination()
    }

    func close() async { await store.close() }
}
