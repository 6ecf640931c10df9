import Foundation
import GRDB
import Logging
import Processes
import Store
import Testing

@testable import StoreConformance
@testable import StoreSQLite

@Suite("Opening the file")
struct DatabaseFileTests {
    private func open(_ path: String) throws -> SQLiteStore {
        try SQLiteStore(path: path, logger: Logger(label: "test"))
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("a new store's folder is its owner's alone, and so are the file and its companions, even if the file was not")
    func rights() async throws {
        let place = try TemporaryPlace()
        let path = place.folder + "/a/b/store.sqlite"
        let store = try open(path)
        try await store.check()
        #expect(try mode(place.folder + "/a/b") == 0o700)
        for suffix in ["", "-wal", "-shm"] { #expect(try mode(path + suffix) == 0o600, "\(suffix)") }
        await store.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        await (try open(path)).close()
        #expect(try mode(path) == 0o600)
    }

    @Test("through a link to the file a look sees what is in the log beside the file")
    func links() async throws {
        let place = try TemporaryPlace()
        let store = try open(place.path)
        let subscription = try await Scenario(store: store) { store }.subscription()
        let link = place.folder + "/link.sqlite"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: place.path)
        let look = try SQLiteStore(lookingAt: link, logger: Logger(label: "test"))
        #expect(try await look.subscription(subscription.id) == subscription)
        await look.close()
        await store.close()
    }

    @Test("a draft is not filled from a file that is locked, by whatever name")
    func lockedSource() throws {
        let place = try TemporaryPlace()
        try Data("database".utf8).write(to: URL(fileURLWithPath: place.path))
        let link = place.folder + "/link.sqlite"
        try FileManager.default.linkItem(atPath: place.path, toPath: link)
        let draft = try AtomicFileWriter.begin(place.folder + "/draft", for: place.folder + "/target")
        defer { draft.discard() }
        #expect(throws: StoreError.self) { try draft.fill(from: link, except: FileIdentity(place.path)) }
        try draft.fill(from: link)
        #expect(FileIdentity(link) == FileIdentity(place.path) && FileIdentity(draft.path) != FileIdentity(link))
        #expect(FileIdentity(place.folder + "/none") == nil)
    }

    @Test("closing leaves one complete file behind")
    func completeFile() async throws {
        let place = try TemporaryPlace()
        let store = try open(place.path)
        let subscription = try await Scenario(store: store) { store }.subscription()
        #expect(try await store.subscription(subscription.id) == subscription)
        await store.close()
        let copy = place.folder + "/copy.sqlite"
        try FileManager.default.copyItem(atPath: place.path, toPath: copy)
        let other = try open(copy)
        #expect(try await other.subscription(subscription.id) == subscription)
        await other.close()
    }

    @Test("a store that was closed reads and writes nothing more, and says so")
    func closed() async throws {
        let place = try TemporaryPlace()
        let store = try open(place.path)
        await store.close()
        for step in ["read", "write"] {
            do throws(StoreError) {
                if step == "read" { _ = try await store.apps() } else { try await store.check() }
                Issue.record("\(step) after closing")
            } catch { #expect("\(error)".contains("closed"), "\(step): \(error)") }
        }
    }

    @Test("a file of a newer version is refused and left alone")
    func newer() async throws {
        let place = try TemporaryPlace()
        await (try open(place.path)).close()
        let queue = try DatabaseQueue(path: place.path)
        try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('v99')") }
        try queue.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: place.path))
        let error = #expect(throws: StoreError.self) { try open(place.path) }
        #expect(error?.code == .corrupt)
        #expect(error?.detail.contains("newer Benji") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)) == before)
    }

    @Test("somebody else's database is refused and left alone")
    func foreign() async throws {
        let place = try TemporaryPlace()
        let queue = try DatabaseQueue(path: place.path)
        try await queue.write { try $0.execute(sql: "CREATE TABLE theirs (value)") }
        try queue.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: place.path))
        let error = #expect(throws: StoreError.self) { try open(place.path) }
        #expect(error?.detail.contains("not one of Benji's") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: place.path)) == before)
    }

    @Test("a file that is no database is corrupt")
    func noDatabase() throws {
        let place = try TemporaryPlace()
        try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: place.path))
        let error = #expect(throws: StoreError.self) { try open(place.path) }
        #expect(error == StoreError(.corrupt, ""))
        #expect(error?.detail.contains("not a database") == true)
    }

    @Test("a file whose pages are damaged is corrupt to whoever reads them")
    func damagedPages() async throws {
        let place = try TemporaryPlace()
        let store = try open(place.path)
        try await store.check()
        await store.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: place.path))
        // Everything behind the first two pages, which hold the header and the schema's root.
        for index in 8192..<bytes.count { bytes[index] = 0x5a }
        try bytes.write(to: URL(fileURLWithPath: place.path))
        let error = await #expect(throws: StoreError.self) {
            let store = try open(place.path)
            do {
                _ = try await store.apps()
                try await store.check()
            } catch {
                await store.close()
                throw error
            }
            await store.close()
        }
        #expect(error == StoreError(.corrupt, ""))
    }

    @Test("a folder in the file's place is unavailable")
    func folder() throws {
        let place = try TemporaryPlace()
        try FileManager.default.createDirectory(atPath: place.path, withIntermediateDirectories: true)
        #expect(throws: StoreError(.unavailable, "")) { try open(place.path) }
    }

    @Test("a connection waits five seconds for others, one of four that read, and checks what rows refer to")
    func configuration() {
        let usual = DatabaseFile.configuration
        #expect(usual.label == "benji.store" && usual.maximumReaderCount == 4)
        #expect(usual.foreignKeysEnabled && !usual.readonly)
        guard case .timeout(5) = usual.busyMode else { return #expect(Bool(false), "\(usual.busyMode)") }
    }

    @Test("the writer syncs each commit, overwrites what it deletes, and has a log of 32 MiB and pages of 64 MiB")
    func settings() async throws {
        try await withStore { store, _ in
            let expected = [
                "journal_mode wal", "synchronous 2", "fullfsync 1", "checkpoint_fullfsync 1", "secure_delete 2",
                "wal_autocheckpoint 8192", "cache_size -65536", "foreign_keys 1", "encoding UTF-8",
            ]
            let found = try await store.pool.writeWithoutTransaction { db in
                try expected.map { setting in
                    let name = String(setting.prefix { $0 != " " })
                    return "\(name) \(try String.fetchOne(db, sql: "PRAGMA \(name)") ?? "unknown")"
                }
            }
            #expect(found == expected)
        }
    }

    @Test("a path that cannot be had is refused with what is in the way")
    func refusals() throws {
        let place = try TemporaryPlace()
        try Data("file".utf8).write(to: URL(fileURLWithPath: place.folder + "/file"))
        let error = #expect(throws: StoreError.self) { try open(place.folder + "/file/store.sqlite") }
        #expect(error?.code == .unavailable)
        #expect(error?.detail.contains("\(place.folder)/file") == true, "\(error?.detail ?? "")")
    }

    @Test("who looks at a store writes nothing, whether a server has it open or nobody")
    func looking() async throws {
        let place = try TemporaryPlace()
        let store = try open(place.path)
        // One file without companions, in a folder of its own.
        let rest = try TemporaryPlace()
        try SQLiteStore.copy(place.path, to: rest.path)
        for path in [place.path, rest.path] {
            let look = try SQLiteStore(lookingAt: path, logger: Logger(label: "test"))
            let error = await #expect(throws: StoreError.self) { try await look.check() }
            #expect(error?.code == .unavailable && error?.detail.contains("read-only") == true)
            #expect(try await look.apps().isEmpty)
            await look.close()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: rest.folder) == ["store.sqlite"])
        await store.close()
    }

    @Test("eight that open one new file at once all get the same store")
    func together() async throws {
        let place = try TemporaryPlace()
        let path = place.path
        let stores = try await race(8) { _ in try SQLiteStore(path: path, logger: Logger(label: "test")) }
        let rows = try await race(8) { position in
            let store = stores[position]
            return try await Scenario(store: store) { store }.subscription().id
        }
        #expect(Set(rows).count == 1)
        for store in stores { await store.close() }
    }
}

@Suite("Keeping others out of a file")
struct DatabaseLockTests {
    #if os(Linux)
    /// F_OFD_GETLK and F_OFD_SETLK (fcntl(2)): locks of a descriptor. They meet the process's own as another's do.
    private let asking: Int32 = 36
    private let taking: Int32 = 37

    private func range(_ type: Int32, _ first: off_t, _ count: off_t) -> flock {
        var range = flock()
        range.l_type = Int16(type)
        range.l_whence = Int16(SEEK_SET)
        (range.l_start, range.l_len) = (first, count)
        return range
    }

    @Test("whoever keeps others out has all of SQLite's bytes locked for himself until he lets them go")
    func taken() throws {
        let place = try TemporaryPlace()
        try Data("database".utf8).write(to: URL(fileURLWithPath: place.path))
        let probe = open(place.path, O_RDWR | O_CLOEXEC)
        defer { close(probe) }
        /// The lock that keeps another process from locking the whole file: its type, start and length.
        func found() -> [Int64] {
            var all = range(F_WRLCK, 0, 0)
            guard fcntl(probe, asking, &all) == 0 else { return [] }
            return Int32(all.l_type) == F_UNLCK
                ? [] : [Int64(all.l_type), Int64(all.l_start), Int64(all.l_len), Int64(all.l_pid)]
        }
        let lock = try DatabaseLock.take(place.path)
        #expect(found() == [Int64(F_WRLCK), 0x4000_0000, 512, Int64(getpid())])
        lock.release()
        #expect(found().isEmpty)
    }

    @Test("a file that somebody reads or writes is in use, and one that is not there cannot be locked")
    func inUse() throws {
        let place = try TemporaryPlace()
        try Data("database".utf8).write(to: URL(fileURLWithPath: place.path))
        let other = open(place.path, O_RDWR | O_CLOEXEC)
        // One who reads, one who writes, one who will.
        for (type, first, count) in [(F_RDLCK, 2, 510), (F_WRLCK, 0, 512), (F_RDLCK, 0, 1)] {
            var lock = range(type, 0x4000_0000 + off_t(first), off_t(count))
            try #require(fcntl(other, taking, &lock) == 0)
            // The system names no process for a lock of a descriptor.
            #expect(throws: DatabaseLock.InUse(process: nil)) { try DatabaseLock.take(place.path) }
            lock.l_type = Int16(F_UNLCK)
            try #require(fcntl(other, taking, &lock) == 0)
        }
        close(other)
        try DatabaseLock.take(place.path).release()
        let none = place.folder + "/none"
        let error = #expect(throws: StoreError.self) { try DatabaseLock.take(none) }
        #expect(error?.detail == "lock: \(none) cannot be opened for writing: no such file or directory")
        let list = "/proc/self/fd"
        let left = try FileManager.default.contentsOfDirectory(atPath: list).filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(list)/\($0)")) == place.path
        }
        #expect(left.isEmpty)
    }
    #endif
}
