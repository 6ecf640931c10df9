import ServerRuntime
import Store
import StorePostgres

extension ServerConfiguration {
    /// A PostgreSQL database.
    struct Postgres: Sendable {
        var parameters: ConnectionParameters
        /// How many at once.
        var connections: Int
        /// The role that servers connect as, for them and for the tables' owner; `nil` if servers may own the tables.
        var servingRole: String?
        var deadlines = PostgresDeadlines()
    }

    /// The database's name, for people.
    var databaseName: String { postgres?.parameters.description ?? databasePath }

    /// How PostgreSQL is reached and verified; `nil` without it.
    var databaseProtection: String? { postgres?.parameters.protection }

    /// Why another machine could pose as PostgreSQL, with the remedy; `nil` if none can.
    var databaseWeakness: String? { postgres?.parameters.weakness }

    static func postgres(_ settings: Settings) throws(ConfigurationError) -> Postgres? {
        let connections = try settings.number("store.connections", default: 10)
        var deadlines = PostgresDeadlines()
        deadlines.queue = try settings.seconds("store.queue-timeout", default: deadlines.queue)
        deadlines.answer = try settings.seconds("store.answer-timeout", default: deadlines.answer)
        guard let text = settings.string("store.postgres") else { return nil }
        do throws(StoreError) {
            return Postgres(
                parameters: try ConnectionParameters(text), connections: connections,
                servingRole: settings.string("store.serving-role"), deadlines: deadlines)
        } catch {
            throw ConfigurationError(key: "store.postgres", problem: error.detail)
        }
    }

    /// Refuses what works on the files of SQLite alone.
    ///
    /// - Parameter instead: what does the same for PostgreSQL.
    func refusePostgres(_ command: String, instead: String) throws(CommandFailure) {
        guard let postgres else { return }
        throw CommandFailure(
            "\(command) works on benji.sqlite, and this installation is in \(postgres.parameters.description) "
                + "(store.postgres); \(instead)"
        )
    }
}
