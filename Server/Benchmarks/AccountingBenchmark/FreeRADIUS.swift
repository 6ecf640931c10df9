import BenchmarkSupport
import Foundation

/// A FreeRADIUS that answers accounting when it has kept what it shall, and does nothing else: no log line.
final class FreeRADIUS {
    /// The way in which it keeps the packets.
    enum Keeping: String, CaseIterable {
        case nothing, detail, sqlite, postgresql

        var name: String {
            switch self {
            case .nothing: "FreeRADIUS"
            case .detail: "FreeRADIUS with detail"
            case .sqlite: "FreeRADIUS with SQLite"
            case .postgresql: "FreeRADIUS with PostgreSQL"
            }
        }

        /// Worker threads; 0 for none, which is the fastest on one core, unless commits of several can be one.
        var threads: Int { self == .postgresql ? 32 : 0 }
    }

    let keeping: Keeping
    let port: UInt16
    private let scratch: Scratch
    private let folder: String
    private let core: Int
    private let threads: Int
    private let group = ProcessGroup()
    private let database: PostgreSQL?

    init(_ keeping: Keeping, in scratch: Scratch, core: Int, threads: Int? = nil) throws {
        (self.keeping, self.scratch, self.core, self.threads) = (keeping, scratch, core, threads ?? keeping.threads)
        try Installed.require("freeradius", package: "freeradius")
        if keeping == .postgresql {
            try Installed.require("/usr/lib/freeradius/rlm_sql_postgresql.so", package: "freeradius-postgresql")
        }
        port = try Loopback.freeDatagramPort()
        folder = scratch.file("freeradius-\(keeping)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        database = try keeping == .postgresql ? PostgreSQL(in: scratch, core: core, group: group) : nil
        try configuration.write(toFile: folder + "/radiusd.conf", atomically: true, encoding: .utf8)
        try "".write(toFile: folder + "/dictionary", atomically: true, encoding: .utf8)
        try database?.start()
        try makeTable()
    }

    func contestant(_ sending: Contestant.Sending) throws -> Contestant {
        try Contestant(keeping.name, group, port: port, sending: sending) { [self] tracing in
            if group.processes.isEmpty { try database?.start(tracing: tracing) }
            let log = scratch.file("freeradius-\(keeping).log")
            try? FileManager.default.removeItem(atPath: log)
            // Debian keeps it where an ordinary user's PATH does not look.
            let process = try group.start(
                "/usr/sbin/freeradius",
                [threads > 0 ? "-f" : "-s", "-l", "stdout", "-d", folder, "-D", "/usr/share/freeradius"], log: log,
                core: core, tracing: tracing)
            try process.wait(for: "Ready to process requests")
        }
    }

    /// The sessions that it has kept, by name.
    func kept() throws -> Set<String> {
        switch keeping {
        case .nothing: []
        case .detail:
            Set(
                try Child.run(
                    "awk", ["-F\"", "/^\tAcct-Session-Id = / && !seen[$2]++ {print $2}", folder + "/detail"],
                    log: folder + "/awk.log"
                ).split(separator: "\n").map(String.init))
        case .sqlite: Set(try sqlite("print('\\n'.join(row[0] for row in base.execute('SELECT id FROM session')))"))
        case .postgresql: Set(try database?.run("SELECT id FROM session").split(separator: "\n").map(String.init) ?? [])
        }
    }

    /// Deletes files that only grow.
    func shorten() { try? FileManager.default.removeItem(atPath: folder + "/detail") }

    private func makeTable() throws {
        let table = """
            CREATE TABLE session (id TEXT PRIMARY KEY, nas TEXT NOT NULL, number TEXT NOT NULL, imsi TEXT NOT NULL,
                address TEXT NOT NULL, changed BIGINT NOT NULL, ended BIGINT NOT NULL)
            """
        if keeping == .sqlite { _ = try sqlite("base.executescript('''PRAGMA journal_mode = wal; \(table)''')") }
        try database?.run(table)
    }

    /// Runs Python with its database open, and returns the output.
    private func sqlite(_ script: String) throws -> [String] {
        let opened = "import sqlite3; base = sqlite3.connect('\(folder)/accounting.sqlite'); \(script)"
        return try Child.run("python3", ["-c", opened], log: folder + "/python.log").split(separator: "\n").map(
            String.init)
    }

    private var configuration: String {
        """
        prefix = /usr
        libdir = /usr/lib/freeradius
        logdir = \(folder)
        run_dir = \(folder)
        raddbdir = \(folder)
        name = radiusd
        max_request_time = 30
        cleanup_delay = 0
        max_requests = 65536
        hostname_lookups = no
        proxy_requests = no
        log {
            destination = stdout
        }
        security {
            allow_vulnerable_openssl = yes
        }
        thread pool {
            start_servers = \(threads)
            max_servers = \(threads)
            min_spare_servers = \(threads)
            max_spare_servers = \(threads)
            max_queue_size = 65536
        }
        client packet-core {
            ipaddr = 127.0.0.1
            secret = \(Installation.secret)
        }
        modules {
            always ok {
                rcode = ok
            }
            \(module)
        }
        server default {
            listen {
                type = acct
                ipaddr = 127.0.0.1
                port = \(port)
                recv_buff = 4194304
            }
            accounting {
                \(keeping == .nothing ? "ok" : keeping == .detail ? "detail" : "sql")
            }
        }
        """
    }

    private var module: String {
        switch keeping {
        case .nothing: ""
        case .detail:
            """
            detail {
                filename = "\(folder)/detail"
                permissions = 0600
            }
            """
        case .sqlite:
            sql(
                """
                driver = "rlm_sql_sqlite"
                dialect = "sqlite"
                sqlite {
                    filename = "\(folder)/accounting.sqlite"
                    busy_timeout = 5000
                }
                """)
        case .postgresql:
            sql(
                """
                driver = "rlm_sql_postgresql"
                dialect = "postgresql"
                radius_db = "host=\(scratch.path) user=\(PostgreSQL.user) dbname=postgres"
                """)
        }
    }

    /// One statement for each packet: a session has one row, as it has one record of ours.
    private func sql(_ driver: String) -> String {
        let connections = max(threads, 1)
        func query(ended: Int) -> String {
            "INSERT INTO session (id, nas, number, imsi, address, changed, ended) VALUES ('%{Acct-Session-Id}', "
                + "'%{NAS-Identifier}', '%{Calling-Station-Id}', '%{3GPP-IMSI}', '%{Framed-IP-Address}', "
                + "%{%{integer:Event-Timestamp}:-0}, \(ended)) "
                + "ON CONFLICT (id) DO UPDATE SET changed = excluded.changed, ended = excluded.ended"
        }
        return """
            sql {
                \(driver)
                delete_stale_sessions = no
                acct_table1 = session
                acct_table2 = session
                pool {
                    start = \(connections)
                    min = \(connections)
                    max = \(connections)
                    spare = 0
                    uses = 0
                    lifetime = 0
                    idle_timeout = 0
                }
                accounting {
                    reference = "type.%{Acct-Status-Type}.query"
                    type {
                        Start {
                            query = "\(query(ended: 0))"
                        }
                        Interim-Update {
                            query = "\(query(ended: 0))"
                        }
                        Stop {
                            query = "\(query(ended: 1))"
                        }
                    }
                }
            }
            """
    }
}
