import BenchmarkSupport

/// A PostgreSQL that clusters keep everything in, with a replica that each commit waits for or without.
///
/// Both listen on the loopback, so that what a network's protocol costs is in their figures. They sync as in
/// production.
final class Database {
    /// The primary with its backends, and the replica.
    let groups = (primary: ProcessGroup(), replica: ProcessGroup())
    let hasReplica: Bool
    let primary: PostgreSQL
    private let replica: PostgreSQL?
    private let folders: [Scratch]
    private var names = 0

    init(_ place: Place, hasReplica: Bool) throws {
        self.hasReplica = hasReplica
        folders = try (0..<(hasReplica ? 2 : 1)).map { _ in try Scratch("cluster", in: place.folder) }
        primary = try PostgreSQL(
            in: folders[0], core: place.core, acting: place.acting, port: try Loopback.freePort(), group: groups.primary
        )
        try primary.start()
        guard hasReplica else {
            replica = nil
            return
        }
        let replica = try PostgreSQL(
            following: primary, in: folders[1], core: place.core, acting: place.acting, port: try Loopback.freePort(),
            group: groups.replica)
        try replica.start()
        try primary.waitForReplica()
        self.replica = replica
    }

    /// Makes an empty database.
    /// - Returns: its name, and how libpq is told of it.
    func create() throws -> (name: String, connection: String) {
        names += 1
        let name = "benji\(names)"
        try primary.run("CREATE DATABASE \(name)")
        return (
            name,
            "host=127.0.0.1 port=\(primary.port ?? 0) dbname=\(name) user=\(PostgreSQL.user) sslmode=disable"
        )
    }

    /// A number that a statement finds.
    func number(_ statement: String, in database: String = "postgres") throws -> Double {
        let said = try primary.run(statement, in: database).split(separator: "\n").first ?? ""
        guard let number = Double(said) else {
            throw BenchmarkFailure("PostgreSQL says \(said) where a number belongs")
        }
        return number
    }

    /// Bytes of the write-ahead log so far.
    func logged() throws -> Double { try number("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')") }

    /// Bytes that a table takes, with its indexes and its other files.
    func size(of table: String, in database: String) throws -> Double {
        try number("SELECT pg_total_relation_size('benji.\(table)')", in: database)
    }
}
