import Store
import StorePostgres

extension ServerConfiguration {
    /// A PostgreSQL database.
    struct Postgres: Sendable {
        var parameters: ConnectionParameters
        /// How many at once.
        var connections: Int
        var deadlines = PostgresDeadlines()
    }

    /// What people know the database by.
    var databaseName: String { postgres?.parameters.description ?? databasePath }

    static func postgres(_ settings: Settings) throws(ConfigurationError) -> Postgres? {
        let connections = try settings.value("store.connections", default: 4, "from 1 to 64") {
            Int($0).flatMap { (1...64).contains($0) ? $0 : nil }
        }
        func seconds(_ key: String, _ fallback: Duration, _ range: ClosedRange<Int64>) throws(ConfigurationError)
            -> Duration
        {
            try settings.value(key, default: fallback, "seconds, \(range.lowerBound) to \(range.upperBound)") {
                Int64($0).flatMap { range.contains($0) ? .seconds($0) : nil }
            }
        }
        var deadlines = PostgresDeadlines()
        deadlines.queue = try seconds("store.queue-timeout", deadlines.queue, 1...600)
        deadlines.answer = try seconds("store.answer-timeout", deadlines.answer, 6...600)
        guard let text = settings.string("store.postgres") else { return nil }
        do throws(StoreError) {
            return Postgres(parameters: try ConnectionParameters(text), connections: connections, deadlines: deadlines)
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
            "\(command) works on benji.sqlite, and this installation is in \(postgres.parameters.description) (store.postgres); \(instead)"
        )
    }
}
