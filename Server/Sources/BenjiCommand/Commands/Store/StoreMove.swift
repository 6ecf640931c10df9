import Authority
import Foundation
import ServerRuntime
import Store
import StorePostgres
import StoreSQLite

/// An installation on its way from a file to PostgreSQL.
struct StoreMove {
    let configuration: ServerConfiguration
    /// The same installation as it was before.
    let file: ServerConfiguration
    let target: ServerConfiguration.Postgres

    /// - Throws: ``CommandFailure`` if there is nothing to copy, or no place for it.
    init(_ configuration: ServerConfiguration) throws {
        var file = configuration
        file.postgres = nil
        guard try file.hasDatabase else { throw file.noInstallation }
        guard let target = configuration.postgres else {
            throw CommandFailure(
                "store.postgres names no database; add it to the configuration, or run this with --set "
                    + "store.postgres=\"host=db.example.com dbname=benji user=benji sslrootcert=/etc/benji/db-ca.pem\"")
        }
        self.configuration = configuration
        self.file = file
        self.target = target
        guard try SQLiteStore.hasCurrentSchema(path: file.databasePath) else {
            throw CommandFailure(
                "\(file.databasePath) was written by an earlier Benji; bring it forward first: benji migrate --data "
                    + "\(file.absoluteDataDirectory)")
        }
    }

    func copy() async throws -> [TableComparison] {
        var standstill = try ExclusiveAccess.take(file)
        standstill.freeDatabase()
        defer { standstill.release() }
        try await refuseOtherKey()
        let progress = CopyProgress("done")
        defer { progress.end() }
        do {
            return try await PostgresStore.setHeartbeatAside(in: configuration.dataDirectory) {
                () async throws(StoreError) in
                try SQLiteStore.withExclusiveAccess(path: file.databasePath) { source in
                    try StoreCopy(target.parameters, servingRole: target.servingRole).make(
                        of: source, progress: progress.report)
                }
            }
        } catch {
            guard error.code == .alreadyExists else { throw CommandFailure(error.detail) }
            throw CommandFailure(
                "\(error.detail) in \(target.parameters.description); a copy is made in an empty database alone, and "
                    + "nothing was changed. If it is a "
                    + "copy of this installation, look with benji store verify\(configuration.options). If nothing in "
                    + "it is needed: "
                    + beginningAnew)
        }
    }

    func compare() async throws -> [TableComparison] {
        let progress = CopyProgress("compared")
        defer { progress.end() }
        do {
            return try SQLiteStore.look(path: file.databasePath) { source in
                try StoreCopy(target.parameters).compare(with: source, progress: progress.report)
            }
        } catch {
            throw CommandFailure(
                error.code == .notFound
                    ? "\(target.parameters.description) has no tables; copy first: benji store "
                        + "copy\(configuration.options)"
                    : error.detail)
        }
    }

    /// How a copy is taken away.
    var beginningAnew: String {
        "have nobody use it, take all of Benji's rows in it away with DROP SCHEMA benji CASCADE in psql, and copy again"
    }

    /// A copy without its key could not be read.
    private func refuseOtherKey() async throws {
        guard let key = try MasterKeySource.find(file, environment: ProcessInfo.processInfo.environment) else {
            throw MasterKeyError.missing(file.masterKeyPath, database: file.databaseName)
        }
        try await Installation.look(file, key: key) { _ in }
    }
}
