import Foundation
import Glibc

/// A PostgreSQL of our own in a scratch folder, which syncs each commit before it confirms it.
package final class PostgreSQL {
    /// The socket's folder.
    package let folder: String
    package let group: ProcessGroup
    /// Where it listens on the loopback too; `nil` for its socket alone.
    package let port: UInt16?
    private let core: Int?
    private let programs: String
    private let acting: [String]
    private var data: String { folder + "/postgresql/data" }

    /// The role that may do everything, without a password.
    package static let user = "bench"

    /// Makes an empty database; ``start(tracing:)`` starts the server.
    /// - Parameters:
    ///   - core: the core of all its processes; `nil` for those of the thread that starts it.
    ///   - acting: a command that starts each of its processes, such as `taskset`.
    ///   - group: where its processes belong.
    package convenience init(
        in scratch: Scratch, core: Int?, acting: [String] = [], port: UInt16? = nil, group: ProcessGroup
    ) throws {
        try self.init(empty: scratch, core: core, acting: acting, port: port, group: group)
        try run(
            "initdb", ["-D", data, "-A", "trust", "-U", Self.user, "--no-sync", "--no-locale", "-E", "UTF8"])
    }

    /// Makes a copy that follows another one, which runs and listens on the loopback.
    package convenience init(
        following primary: PostgreSQL, in scratch: Scratch, core: Int?, acting: [String] = [], port: UInt16,
        group: ProcessGroup
    ) throws {
        try self.init(empty: scratch, core: core, acting: acting, port: port, group: group)
        let place = "host=127.0.0.1 port=\(primary.port ?? 0) user=\(Self.user) application_name=replica"
        try run("pg_basebackup", ["-D", data, "-X", "stream", "-c", "fast", "-R", "-d", place])
    }

    private init(empty scratch: Scratch, core: Int?, acting: [String], port: UInt16?, group: ProcessGroup) throws {
        (self.core, self.port, self.group) = (core, port, group)
        folder = scratch.path
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        programs = "/usr/lib/postgresql/\(versions.max { (Int($0) ?? 0) < (Int($1) ?? 0) } ?? "15")/bin"
        try Installed.require(programs + "/initdb", package: "postgresql")
        // A socket's address has room for 107 characters.
        guard "\(folder)/.s.PGSQL.\(port ?? 5432)".utf8.count <= 107 else {
            throw BenchmarkFailure("\(folder) is too long a path for a socket: choose another with --folder or TMPDIR")
        }
        var home = [FileAttributeKey: Any]()
        var words = acting
        if geteuid() == 0 {
            // PostgreSQL refuses to run as root. Its own user may not open the folder, so it gets the right to pass.
            words +=
                ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
                + ["--inh-caps", "+dac_override", "--ambient-caps", "+dac_override", "--"]
            home = [.ownerAccountName: "postgres"]
        }
        self.acting = words
        try FileManager.default.createDirectory(
            atPath: folder + "/postgresql", withIntermediateDirectories: false, attributes: home)
    }

    /// Runs a program as the user that the server runs as.
    private func run(_ name: String, _ arguments: [String]) throws {
        let words = acting + [programs + "/" + name] + arguments
        try Child.run(words[0], Array(words.dropFirst()), log: folder + "/\(name).log")
    }

    /// Starts it, or starts it again on what it holds.
    package func start(tracing: String? = nil) throws {
        // Background work is put off, so that it does not disturb the others' rounds.
        let settings = [
            "listen_addresses=\(port == nil ? "" : "127.0.0.1")", "fsync=on", "synchronous_commit=on", "autovacuum=off",
            "checkpoint_timeout=1h", "max_wal_size=8GB", "shared_buffers=256MB", "max_connections=200",
        ]
        try group.start(
            programs + "/postgres",
            ["-D", data, "-k", folder, "-p", "\(port ?? 5432)"] + settings.flatMap { ["-c", $0] }, acting: acting,
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

    /// From now on no commit is answered before the one that follows has it on its disk.
    package func waitForReplica() throws {
        try run("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
        let end = ContinuousClock.now + .seconds(30)
        while try run("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") != "1\n" {
            guard ContinuousClock.now < end else { throw BenchmarkFailure("the replica does not follow") }
            usleep(50_000)
        }
    }

    /// Runs statements, each in a transaction of its own, and returns their rows, a line each.
    @discardableResult
    package func run(_ statements: String..., in database: String = "postgres") throws -> String {
        try client("psql", ["-qAtX", "-v", "ON_ERROR_STOP=1", "-d", database] + statements.flatMap { ["-c", $0] })
    }

    private var access: [String] { ["-h", folder, "-p", "\(port ?? 5432)", "-U", Self.user] }

    /// Runs one of its client programs to the end and returns what that said.
    @discardableResult
    package func client(_ name: String, _ arguments: [String], core: Int? = nil) throws -> String {
        try Child.run(
            programs + "/" + name, access + arguments, log: folder + "/\(name).log", core: core)
    }

    /// Starts one of its client programs.
    package func startClient(_ name: String, _ arguments: [String], core: Int?) throws -> Child {
        try Child(
            programs + "/" + name, access + arguments, log: folder + "/\(name).log", core: core)
    }
}
