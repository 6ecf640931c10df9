import BenjiProtocol
import Foundation
import GRDB
import Logging
import ServerTestKit
import Store
import Testing

@testable import StoreConformance
@testable import StoreSQLite

@Suite("Who was erased is in no file of the store")
struct ErasedSubscribersTests {
    /// Returns whether a piece of `value`, eight bytes at a multiple of eight, is in the store's files.
    private static func isFound(_ value: [UInt8], _ path: String) throws -> Bool {
        for suffix in ["", "-wal"] {
            let bytes = (try? Data(contentsOf: URL(fileURLWithPath: path + suffix))) ?? Data()
            for start in stride(from: 0, to: value.count - 7, by: 8)
            where bytes.range(of: Data(value[start..<(start + 8)])) != nil { return true }
        }
        return false
    }

    private static func noise(_ count: Int, _ state: inout UInt64) -> [UInt8] {
        (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }

    /// A register whose pages were split and rewritten, as rows came and their SIMs changed.
    func fill(_ store: SQLiteStore, _ count: Int) throws -> [SubscriptionRecord] {
        var state: UInt64 = 7
        return try store.pool.write { db in
            var rows: [SubscriptionRecord] = []
            for number in 0..<count {
                var row = Scenario.newSubscription(number)
                row.numberIndex = BlindIndex(bytes: Self.noise(32, &state))
                row.sealedNumber = Sealed(bytes: Self.noise(42, &state))
                row.epochKey = Self.noise(16, &state)
                rows.append(try SubscriptionRows.insert(row, db))
                let changed = Int(state >> 33) % rows.count
                rows[changed].sealedSIM = Sealed(bytes: Self.noise(32, &state))
                try SubscriptionRows.update(rows[changed], db)
            }
            return rows
        }
    }

    @Test("of an erased row neither index, sealed number, openId key nor SIM is in any file, nor a piece of them")
    func files() async throws {
        let place = try TemporaryPlace()
        let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        try store.onWriter("PRAGMA synchronous = OFF")
        let scenario = Scenario(store: store) { store }
        let rows = try fill(store, 3000)
        #expect(try Self.isFound(rows[0].numberIndex.bytes, place.path), "the test finds what is there")
        for row in rows.prefix(40) {
            let done = try await store.eraseSubscriber(scenario.erasure(of: row))
            #expect(done.isForgotten)
            for value in [
                row.numberIndex.bytes, row.sealedNumber.ownBytes, row.epochKey, row.sealedSIM?.ownBytes ?? [],
                Scenario.erasureMark(row.id),
            ] {
                #expect(try !Self.isFound(value, place.path))
            }
        }
        #expect(try await store.subscription(rows[50].id) == rows[50], "the others are as they were")
        await store.close()
    }

    @Test("a copy that SQLite left in a page is gone after an erasure, which writes every page again")
    func copy() async throws {
        let place = try TemporaryPlace()
        let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        let scenario = Scenario(store: store) { store }
        let row = try fill(store, 50)[0]
        // A row that is deleted under `secure_delete = OFF` stays in its page, as data moved between pages does.
        try store.onWriter("PRAGMA secure_delete = OFF")
        try await store.pool.write { db in
            try db.execute(sql: "CREATE TABLE other (value BLOB) STRICT")
            try db.execute(sql: "INSERT INTO other VALUES (?)", arguments: [Data(row.numberIndex.bytes)])
            try db.execute(sql: "DELETE FROM other")
        }
        try store.onWriter("PRAGMA secure_delete = FAST")
        try store.onWriter("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(try Self.isFound(row.numberIndex.bytes, place.path), "the naive way leaves it")
        #expect(try await store.eraseSubscriber(scenario.erasure(of: row)).isForgotten)
        #expect(try !Self.isFound(row.numberIndex.bytes, place.path))
        #expect(try await store.unfinishedErasure(Scenario.erasureMark(row.id)) == nil)
        await store.close()
    }

    @Test("erased pages that a reader keeps in the log are told with what to do, and nothing is when they are gone")
    func advice() async throws {
        let place = try TemporaryPlace()
        let book = LogBook(from: .notice)
        let store = try SQLiteStore(path: place.path, logger: book.logger)
        let reader = try await OldReader(of: place.path)
        try await store.pool.write { db in try ErasedPages.note(db) }
        #expect(await !store.forgetErasedPages())
        let told = [
            "warning what was erased is still in the write-ahead log; it is tried again "
                + "advice=end whatever reads the database for long, such as a backup"
        ]
        #expect(book.lines == told)
        try await reader.end()
        #expect(await store.forgetErasedPages())
        #expect(try await store.pool.read { db in try ErasedPages.unforgotten(db) } == 0)
        #expect(book.lines == told)
        await store.close()
    }

    /// Leaves a value in a free part of a page, as a move of data between pages does.
    private func leave(_ value: [UInt8], _ store: SQLiteStore) async throws {
        try store.onWriter("PRAGMA secure_delete = OFF")
        try await store.pool.write { db in
            try db.execute(sql: "CREATE TABLE IF NOT EXISTS other (value BLOB) STRICT")
            try db.execute(sql: "INSERT INTO other VALUES (?)", arguments: [Data(value)])
            try db.execute(sql: "DELETE FROM other")
        }
        try store.onWriter("PRAGMA secure_delete = FAST")
        #expect(try Self.isFound(value, store.pool.path), "the test leaves what is found")
    }

    @Test(
        "of a row that a rotation sealed anew the former key's index is in no file either, while it runs and after it")
    func sealedAnew() async throws {
        let place = try TemporaryPlace()
        let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        let scenario = Scenario(store: store) { store }
        let rows = try fill(store, 50)
        let former = MasterKeyCheck(bytes: Array(repeating: 1, count: 32))
        let present = MasterKeyCheck(bytes: Array(repeating: 2, count: 32))
        func anew(_ row: SubscriptionRecord, _ byte: UInt8) async throws -> SubscriptionRecord {
            var state = UInt64(byte)
            var new = row
            new.numberIndex = BlindIndex(bytes: Self.noise(32, &state))
            new.sealedNumber = Sealed(bytes: Self.noise(42, &state))
            #expect(try await store.reseal([(old: row, new: new)]) == 1)
            return new
        }
        try await store.pool.write { db in
            try MasterKeyRows.insert(MasterKeyRecord(check: former, state: .current, since: Scenario.now), db)
        }
        try await store.beginRotation(from: former, to: present, at: Scenario.now, audit: nil)
        let during = try await anew(rows[0], 3)
        try await leave(rows[0].numberIndex.bytes, store)
        #expect(try await store.eraseSubscriber(scenario.erasure(of: during)).isForgotten)
        #expect(try !Self.isFound(rows[0].numberIndex.bytes, place.path), "while it runs")
        let after = try await anew(rows[1], 4)
        #expect(try await store.endRotation(at: Scenario.now, audit: nil))
        try await leave(rows[1].numberIndex.bytes, store)
        #expect(try await store.eraseSubscriber(scenario.erasure(of: after)).isForgotten)
        #expect(try !Self.isFound(rows[1].numberIndex.bytes, place.path), "after it")
        await store.close()
    }

    @Test("an erasure that a reader is in the way of is finished once the reader has gone, by whichever process")
    func reader() async throws {
        let place = try TemporaryPlace()
        let book = LogBook(from: .notice)
        let store = try SQLiteStore(path: place.path, logger: book.logger)
        let scenario = Scenario(store: store) { store }
        let row = try fill(store, 50)[0]
        let reader = try await OldReader(of: place.path)
        #expect(try await !store.eraseSubscriber(scenario.erasure(of: row)).isForgotten)
        #expect(
            book.lines == [
                "warning an erased subscriber's bytes may still be in the database's files; it is tried again "
                    + "advice=end whatever reads the database for long, such as a backup "
                    + "reason=take an erased subscriber out of the files: locked by another process for too long "
                    + "(SQLite 5)"
            ])
        #expect(try await store.subscription(row.id) == nil, "it is erased all the same")
        #expect(try Self.isFound(row.numberIndex.bytes, place.path), "the test has a reader in the way")
        for isLooking in [true, false] {
            let second =
                try isLooking
                ? SQLiteStore(lookingAt: place.path, logger: Logger(label: "test"))
                : SQLiteStore(path: place.path, logger: Logger(label: "test"))
            await second.close()
        }
        #expect(try await store.finishErasures(at: Scenario.now, patience: .zero) == 1)
        try await reader.end()
        let other = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        #expect(
            try await other.finishErasures(at: Scenario.now, patience: .seconds(60)) == 0, "it is left alone for now")
        #expect(try await other.unfinishedErasures() == 1)
        #expect(try await other.unfinishedErasure(Scenario.erasureMark(row.id)) == row.id)
        #expect(try Self.isFound(Scenario.erasureMark(row.id), place.path), "the test finds a mark that is there")
        #expect(try await other.finishErasures(at: Scenario.now + .seconds(60), patience: .seconds(60)) == 0)
        #expect(try await other.unfinishedErasures() == 0)
        #expect(try await other.unfinishedErasure(Scenario.erasureMark(row.id)) == nil)
        for value in [row.numberIndex.bytes, Scenario.erasureMark(row.id)] {
            #expect(try !Self.isFound(value, place.path))
        }
        await other.close()
        await store.close()
    }

    #if os(Linux)
    @Test(
        "erasing and opening leave the process's lock on the file, without which another would remove the log under it")
    func locks() async throws {
        let place = try TemporaryPlace()
        let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        let scenario = Scenario(store: store) { store }
        let row = try fill(store, 5)[0]
        #expect(try Self.isLocked(place.path), "the test finds a lock that is there")
        #expect(try await store.eraseSubscriber(scenario.erasure(of: row)).isForgotten)
        #expect(try Self.isLocked(place.path), "after an erasure")
        let other = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        #expect(try Self.isLocked(place.path), "when it is opened once more")
        await other.close()
        #expect(try Self.isLocked(place.path), "when that is closed")
        await store.close()
        #expect(try !Self.isLocked(place.path))
    }

    /// Whether this process has one of SQLite's locks on a file (proc_locks(5)). The list shifts while others come and
    /// go.
    private static func isLocked(_ path: String) throws -> Bool {
        let inode = try #require(FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber)
        for _ in 0..<10 {
            // FileManager's contents end after 4 KiB of such a file.
            let list = try FileHandle(forReadingAtPath: "/proc/locks")?.readToEnd() ?? Data()
            let locks = String(decoding: list, as: UTF8.self)
            for line in locks.split(separator: "\n") {
                let words = line.split(separator: " ")
                guard words.count > 5, words[1] == "POSIX", Int32(words[4]) == getpid() else { continue }
                if words[5].hasSuffix(":\(inode)") { return true }
            }
        }
        return false
    }
    #endif

    @Test("a consent can lose whom it names, and nothing else of it can be changed")
    func evidence() async throws {
        let place = try TemporaryPlace()
        let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        let scenario = Scenario(store: store) { store }
        let row = try await scenario.subscription()
        _ = try await scenario.issue(scenario.token("t", of: row))
        let nameless = "subscription = 0, epoch = 0, sim_generation = 0, token = NULL"
        for change in ["subscription = 0", "record = 'other'", "\(nameless), record = 'other'", "subscription = 9"] {
            #expect(throws: DatabaseError.self, "\(change)") {
                try store.pool.write { try $0.execute(sql: "UPDATE consent SET \(change)") }
            }
        }
        try await store.pool.write { try $0.execute(sql: "UPDATE consent SET \(nameless)") }
        await store.close()
    }
}
