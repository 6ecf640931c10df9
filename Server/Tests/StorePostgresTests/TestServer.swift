import Foundation
import ServerTestKit
import Synchronization

@testable import StorePostgres

/// The tests' PostgreSQL: one for the whole run, in a temporary folder. It listens on a socket there and, with TLS, on
/// a port of 127.0.0.1. It does not wait for the disk. Unless a database sets otherwise, it does not wait for its
/// standby either, which does not exist. It ends with the test process, however that ends. Its functions block, so
/// ``TemporaryDatabase`` calls them on threads of their own.
final class TestServer: Sendable {
    static let shared = TestServer()
    /// A role that owns nothing, and has the rights of a serving role in databases with tables.
    static let servingRole = "benji_serving"

    /// Its port on 127.0.0.1, which a socket of this process keeps from others.
    let port: UInt16
    /// The file of its certificate, which names db.example.com and signs itself.
    var certificate: String { folder + "/server.pem" }
    private let folder: String
    private let databases = Mutex<(made: Int, free: [String])>((0, []))
    /// The user that PostgreSQL runs as: it refuses to run as root.
    private let prefix: [String]

    private init() {
        folder = FileManager.default.temporaryDirectory.path + "/benji-pg-\(ProcessInfo.processInfo.processIdentifier)"
        prefix = getuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        guard let bound = try? LoopbackSocket.bound() else { fatalError("127.0.0.1 has no free port for PostgreSQL") }
        port = bound.port
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            if getuid() == 0 { try Self.run(["chown", "postgres:postgres", folder]) }
            try Self.run(
                prefix + [
                    Self.program("initdb"), "-D", folder + "/data", "-A", "trust", "-U", "benji", "-N", "--locale=C",
                    "-E", "UTF8",
                ])
            try Self.run(
                prefix + [
                    "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-days", "397", "-subj", "/CN=db.example.com", "-addext", "subjectAltName=DNS:db.example.com",
                    "-keyout", folder + "/server.key", "-out", certificate,
                ])
            // Its parent's end is its own: the shell reads until this process is gone, and removes the folder.
            let script = """
                \(prefix.joined(separator: " ")) \(Self.program("postgres")) -D \(folder)/data -k \(folder) -p \(port) \
                -c listen_addresses=127.0.0.1 -c ssl=on -c ssl_cert_file=\(certificate) \
                -c ssl_key_file=\(folder)/server.key \
                -c fsync=off -c full_page_writes=off -c max_connections=400 -c shared_buffers=32MB -c autovacuum=off \
                -c synchronous_standby_names=nobody -c synchronous_commit=local \
                >\(folder)/log 2>&1 &
                read -r line; kill -QUIT $!; sleep 1; rm -rf \(folder)
                """
            // Its standard input is open as long as this process lives.
            guard popen(script, "we") != nil else { throw Failed(command: "postgres", output: "errno \(errno)") }
            // The runner's limit ends a hang.
            while (try? Self.run([Self.program("pg_isready"), "-q", "-h", folder, "-p", "\(port)"])) == nil {
                usleep(50_000)  // gate: PostgreSQL offers no event
            }
            // With the tables, so that each test's database is a copy.
            try sql("CREATE DATABASE template_benji")
            try sql("CREATE ROLE \(Self.servingRole) LOGIN")
            try Schema.bringForward(
                ReadySession.make(parameters("template_benji"), insistsOnDurability: false),
                servingRole: Self.servingRole)
        } catch {
            fatalError("PostgreSQL cannot be started (\(error)); scripts/setup.sh installs it")
        }
    }

    func parameters(_ database: String, user: String = "benji") throws -> ConnectionParameters {
        try ConnectionParameters("host=\(folder) port=\(port) user=\(user) dbname=\(database)")
    }

    /// A database with the newest tables and nothing in them, or without tables.
    ///
    /// Making one takes longer than most tests, so those with tables are used again (``giveBack(_:)``).
    ///
    /// - Parameter options: of CREATE DATABASE, for one without tables.
    func database(isEmpty: Bool, options: String = "") throws -> String {
        let (known, number) = databases.withLock { databases in
            if !isEmpty, let known = databases.free.popLast() { return (known as String?, 0) }
            databases.made += 1
            return (nil, databases.made)
        }
        if let known { return known }
        try sql("CREATE DATABASE test_\(number) TEMPLATE \(isEmpty ? "template0" : "template_benji") \(options)")
        return "test_\(number)"
    }

    /// Empties a database for the next test, without the triggers that refuse it. A database that cannot be emptied is
    /// not used again.
    func giveBack(_ database: String) {
        let emptying = """
            SET session_replication_role = replica;
            DO $$ BEGIN EXECUTE (SELECT 'TRUNCATE ' || string_agg(format('benji.%I', tablename), ', ') || ' RESTART \
            IDENTITY'
                FROM pg_tables WHERE schemaname = 'benji' AND tablename <> 'schema_version'); END $$;
            INSERT INTO benji.heartbeat (id, beats) VALUES (1, 0); INSERT INTO benji.ledger_begin (id, day) VALUES (1, \
            0);
            INSERT INTO benji.database_history (id, number) VALUES (1, 0)
            """
        guard (try? sql(emptying, in: database)) != nil else { return }
        databases.withLock { $0.free.append(database) }
    }

    /// Returns the output of `psql`.
    @discardableResult
    func sql(_ text: String, in database: String = "postgres") throws -> String {
        try Self.run([
            Self.program("psql"), "-h", folder, "-p", "\(port)", "-U", "benji", "-d", database, "-qAt", "-v",
            "ON_ERROR_STOP=1", "-c", text,
        ])
    }

    private static func program(_ name: String) -> String {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let newest = folders.compactMap(Int.init).max().map { "/usr/lib/postgresql/\($0)/bin/" }
        return (newest ?? "") + name
    }

    struct Failed: Error {
        var command: String
        var output: String
    }

    /// Returns a command's output and errors. Foundation's `Process` ends a program with more than 1,023 descriptors.
    @discardableResult
    private static func run(_ command: [String]) throws -> String {
        let words = command.map { "'\($0.replacing("'", with: #"'\''"#))'" }.joined(separator: " ")
        let name = command.joined(separator: " ")
        guard let stream = popen("exec \(words) 2>&1", "re") else {
            throw Failed(command: name, output: "errno \(errno)")
        }
        var said: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            errno = 0
            let count = fread(&buffer, 1, buffer.count, stream)
            said += buffer[..<count]
            if count == buffer.count { continue }
            guard ferror(stream) != 0, errno == EINTR else { break }
            clearerr(stream)
        }
        let text = String(decoding: said, as: UTF8.self)
        guard pclose(stream) == 0 else { throw Failed(command: name, output: text) }
        return text
    }
}

/// A database of its own for one test; another test may use it afterwards.
final class TemporaryDatabase: Sendable {
    let name: String
    private let isUsedAgain: Bool

    /// - Parameters:
    ///   - isEmpty: without the tables.
    ///   - isUsedAgain: whether nothing but rows is changed in it.
    ///   - options: of CREATE DATABASE, for one without tables.
    init(isEmpty: Bool = false, isUsedAgain: Bool = true, options: String = "") async throws {
        name = try await onOwnThread { try TestServer.shared.database(isEmpty: isEmpty, options: options) }
        self.isUsedAgain = isUsedAgain && !isEmpty
    }

    var parameters: ConnectionParameters {
        get throws { try TestServer.shared.parameters(name) }
    }

    func parameters(user: String) throws -> ConnectionParameters {
        try TestServer.shared.parameters(name, user: user)
    }

    /// Returns the output of `psql`.
    @discardableResult
    func sql(_ text: String) async throws -> String {
        try await onOwnThread { [name] in try TestServer.shared.sql(text, in: name) }
    }

    deinit {
        if isUsedAgain { Thread.detachNewThread { [name] in TestServer.shared.giveBack(name) } }
    }
}
