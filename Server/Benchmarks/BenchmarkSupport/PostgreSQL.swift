import Foundation
import Glibc

/// A PostgreSQL of our own in a scratch folder, which syncs what it has committed before it says so.
package final class PostgreSQL {
    /// The socket's folder.
    package let folder: String
    package let group: ProcessGroup
    private let core: Int
    private let programs: String
    private let acting: [String]

    /// The role that may do everything, without a password.
    package static let user = "bench"

    /// Makes an empty database; ``start(tracing:)`` starts the server.
    /// - Parameter group: where its processes belong.
    package init(in scratch: Scratch, core: Int, group: ProcessGroup) throws {
        (self.core, self.group) = (core, group)
        folder = scratch.path
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        programs = "/usr/lib/postgresql/\(versions.max { (Int($0) ?? 0) < (Int($1) ?? 0) } ?? "15")/bin"
        try Installed.require(programs + "/initdb", package: "postgresql")
        // A socket's address has room for 107 characters.
        guard "\(folder)/.s.PGSQL.5432".utf8.count <= 107 else {
            throw BenchmarkFailure("\(folder) is too long a path for a socket: choose another with --folder or TMPDIR")
        }
        var home = [FileAttributeKey: Any]()
        if geteuid() == 0 {
            // PostgreSQL refuses to run as root. Its own user may not open the folder, so it gets the right to pass.
            acting =
                ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
                + ["--inh-caps", "+dac_override", "--ambient-caps", "+dac_override", "--"]
            home = [.ownerAccountName: "postgres"]
        } else {
            acting = []
        }
        let data = scratch.file("postgresql")
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false, attributes: home)
        let words = acting + [programs + "/initdb", "-D", data + "/data", "-A", "trust", "-U", Self.user]
        try Child.run(
            words[0], words.dropFirst() + ["--no-sync", "--no-locale", "-E", "UTF8"], log: scratch.file("initdb.log"))
    }

    /// Starts it, or starts it again on what it holds.
    package func start(tracing: String? = nil) throws {
        // What works in the background is put off, so that it does not disturb the others' rounds.
        let settings = [
            "listen_addresses=", "fsync=on", "synchronous_commit=on", "autovacuum=off", "checkpoint_timeout=1h",
            "max_wal_size=8GB", "shared_buffers=256MB",
        ]
        try group.start(
            programs + "/postgres",
            ["-D", folder + "/postgresql/data", "-k", folder] + settings.flatMap { ["-c", $0] }, acting: acting,
            log: folder + "/postgresql.log", core: core, tracing: tracing)
        let end = ContinuousClock.now + .seconds(30)
        while true {
            do {
                _ = try run("SELECT 1")
                return
            } catch { guard ContinuousClock.now < end else { throw error } }
            usleep(50_000)
        }
    }

    /// Runs statements, each in a transaction of its own, and returns their rows, a line each.
    @discardableResult
    package func run(_ statements: String...) throws -> String {
        try client("psql", ["-qAtX", "-v", "ON_ERROR_STOP=1", "-d", "postgres"] + statements.flatMap { ["-c", $0] })
    }

    /// Runs one of its client programs to the end and returns what that said.
    @discardableResult
    package func client(_ name: String, _ arguments: [String], core: Int? = nil) throws -> String {
        try Child.run(
            programs + "/" + name, ["-h", folder, "-U", Self.user] + arguments, log: folder + "/\(name).log", core: core
        )
    }

    /// Starts one of its client programs.
    package func startClient(_ name: String, _ arguments: [String], core: Int?) throws -> Child {
        try Child(
            programs + "/" + name, ["-h", folder, "-U", Self.user] + arguments, log: folder + "/\(name).log", core: core
        )
    }
}
