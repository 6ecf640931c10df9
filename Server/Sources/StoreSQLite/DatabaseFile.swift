import CSQLite
import Foundation
import GRDB
import Store

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Opens the database file so that it is private, durable and ours.
enum DatabaseFile {
    /// - Parameter bringingForward: whether an earlier schema is brought forward; if not, it is refused.
    static func open(_ path: String, bringingForward: Bool) throws(StoreError) -> DatabasePool {
        try prepare(path)
        var attempts = 0
        while true {
            do {
                return try openPrepared(path, bringingForward: bringingForward)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && attempts < 20 {
                // Two processes that open a new file at once: SQLite does not wait while the other turns on its
                // write-ahead log.
                attempts += 1
                Thread.sleep(forTimeInterval: 0.05)
            } catch {
                throw StoreError(error, during: "open \(path)")
            }
        }
    }

    /// Whether the file has the newest schema; a look that brings nothing forward.
    static func isCurrent(_ path: String) throws(StoreError) -> Bool {
        let look = try look(at: path)
        do {
            defer { try? look.close() }
            return try look.read { db in
                try Schema.refuseForeign(db)
                try refuseOtherSettings(db, only: "encoding")
                return try Schema.migrator.hasCompletedMigrations(db)
            }
        } catch { throw StoreError(error, during: "look") }
    }

    /// Connections that change nothing.
    static func look(at path: String) throws(StoreError) -> DatabasePool {
        var readOnly = configuration
        readOnly.readonly = true
        // Without companions no process has the file open, and a look need not make any.
        let place = place(of: path)
        let isAtRest = ["-wal", "-shm"].allSatisfy { !FileManager.default.fileExists(atPath: place + $0) }
        if isAtRest, let name = place.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed),
            let look = try? DatabasePool(path: "file:\(name)?immutable=1", configuration: readOnly)
        {
            return look
        }
        do { return try DatabasePool(path: path, configuration: readOnly) } catch {
            throw StoreError(error, during: "look at \(path)")
        }
    }

    /// Where the file itself is, if the path is a link to it: SQLite has its companions there, and not beside the link.
    static func place(of path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

    /// The damage of the file's pages, in SQLite's words, which hold no values; `nil` if there is none.
    static func damage(_ path: String) throws(StoreError) -> String? {
        let look = try look(at: path)
        defer { try? look.close() }
        do {
            let lines = try look.read { try String.fetchAll($0, sql: "PRAGMA quick_check(1)") }
            return lines == ["ok"] ? nil : lines.first?.split(separator: "\n").last.map(String.init) ?? "no answer"
        } catch {
            let problem = StoreError(error, during: "look at \(path)")
            guard problem.code == .corrupt else { throw problem }
            return problem.detail
        }
    }

    private static func openPrepared(_ path: String, bringingForward: Bool) throws -> DatabasePool {
        // A look before anything is written: turning on the write-ahead log would already change a file that is not
        // ours.
        if try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0 > 0 {
            var readOnly = configuration
            readOnly.readonly = true
            let look = try DatabaseQueue(path: path, configuration: readOnly)
            do {
                defer { try? look.close() }
                try look.read { db in
                    try Schema.refuseForeign(db)
                    guard try bringingForward || Schema.migrator.hasCompletedMigrations(db) else {
                        throw StoreError(
                            .outdated,
                            "\(path) was written by an earlier Benji, and a server of that may be using it. Stop that, "
                                + "then run benji "
                                + "migrate or start benji serve, and run this again. Nothing was changed")
                    }
                }
            }
            try WriteAheadLog.makeSafe(ofDatabase: path)
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        do {
            try pool.writeWithoutTransaction(makeDurable)
            try migrate(pool)
        } catch {
            try? pool.close()
            throw error
        }
        return pool
    }

    /// One more connection that changes nothing. Closes the pool if it cannot be had.
    static func looks(beside pool: DatabasePool) throws(StoreError) -> DatabaseQueue {
        var readOnly = configuration
        readOnly.readonly = true
        do { return try DatabaseQueue(path: pool.path, configuration: readOnly) } catch {
            try? pool.close()
            throw StoreError(error, during: "open \(pool.path)")
        }
    }

    /// Set once, before the first connection.
    private static let withoutMemoryCount = benji_sqlite_without_memory_count()

    static var configuration: Configuration {
        _ = withoutMemoryCount
        var configuration = Configuration()
        configuration.label = "benji.store"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 4
        return configuration
    }

    /// A DatabasePool sets `synchronous = NORMAL` on its writer while it opens; with it a power cut could take back a
    /// spent token that was answered. So it is set afterwards, and believed only once read back.
    private static func makeDurable(_ db: Database) throws {
        try db.execute(
            sql: """
                PRAGMA synchronous = FULL;
                PRAGMA fullfsync = ON;
                PRAGMA checkpoint_fullfsync = ON;
                PRAGMA secure_delete = FAST;
                PRAGMA wal_autocheckpoint = 8192;
                PRAGMA cache_size = -65536;
                """)
        // FAST: deleted content is overwritten wherever the page is written anyway. Pages that become free keep their
        // content. No secret is in clear here, and the keys of faces never leave their pages (`face_key` in
        // tables.sql). Many commits change a page until its rows are issued and spent. A longer log (32 MiB) writes it
        // back once for many of them, and 64 MiB of pages stay in memory.
        try refuseOtherSettings(db)
    }

    private static func migrate(_ pool: DatabasePool) throws {
        let migrator = Schema.migrator
        while true {
            let made = try pool.read(migrator.appliedIdentifiers)
            do {
                try migrator.migrate(pool)
                break
            } catch {
                // Another process may have made the very same step between our look and our turn, and be at the next
                // one. The remaining steps are tried again.
                guard try pool.read(migrator.appliedIdentifiers) != made else { throw error }
            }
        }
        // And a newer process may have made a later one.
        try pool.read(Schema.refuseForeign)
    }

    /// Makes the folder (0700) and the file (0600) if they are missing, and takes others' rights from a file that is
    /// there. SQLite gives its companions, `-wal` and `-shm`, the rights of the file.
    private static func prepare(_ path: String) throws(StoreError) {
        let folder = (path as NSString).deletingLastPathComponent
        if !folder.isEmpty, !FileManager.default.fileExists(atPath: folder) {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw StoreError(.unavailable, "open: \(folder) cannot be made: \(reason())")
            }
        }
        if let problem = problem(of: path) { throw StoreError(.unavailable, "open: \(problem)") }
        // An existing file is not opened. Closing it would drop every lock that SQLite has on it in this process
        // (POSIX; "How To Corrupt An SQLite Database File", 2.2).
        if access(path, F_OK) == 0 {
            guard access(path, W_OK) == 0 else {
                throw StoreError(.unavailable, "open: \(path) cannot be opened for writing: \(reason())")
            }
        } else {
            let descriptor = openFile(path)
            guard descriptor >= 0 || errno == EEXIST else {
                throw StoreError(.unavailable, "open: \(path) cannot be opened for writing: \(reason())")
            }
            if descriptor >= 0 { close(descriptor) }
        }
        guard chmod(path, 0o600) == 0 else {
            throw StoreError(.unavailable, "open: the rights of \(path) cannot be set: \(reason())")
        }
    }

    /// Why the last call of the system failed, and what to do.
    static func reason() -> String {
        let code = errno
        let words = String(cString: strerror(code)).lowercased()
        return code == EACCES || code == EPERM ? "\(words); run this as its owner" : words
    }

    /// Makes it; -1 with `EEXIST` if another process was quicker.
    private static func openFile(_ path: String) -> Int32 {
        #if canImport(Glibc)
        Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        #elseif canImport(Musl)
        Musl.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        #else
        Darwin.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        #endif
    }
}
