import Foundation
import GRDB
import Logging
import Store
import Testing

@testable import StoreConformance
@testable import StoreSQLite

@Suite("After a failed sync the log is not trusted")
struct DiskTroubleTests {
    private static func book(_ code: ResultCode, in trouble: inout DiskTrouble) -> Bool {
        let error = DatabaseError(resultCode: code)
        return trouble.commitFailed(StoreError(error, during: "commit"), error)
    }

    @Test("a log is distrusted after input or output failed, until it was emptied, and not because the disk is full")
    func distrust() {
        var trouble = DiskTrouble()
        _ = Self.book(.SQLITE_FULL, in: &trouble)
        #expect(!trouble.distrustsLog)
        _ = Self.book(.SQLITE_IOERR_FSYNC, in: &trouble)
        _ = Self.book(.SQLITE_FULL, in: &trouble)
        #expect(trouble.distrustsLog)
        trouble.logWasEmptied()
        #expect(!trouble.distrustsLog)
    }

    @Test("the same failure is news once, another one again, and so is the first success")
    func news() {
        var trouble = DiskTrouble()
        let first = Self.book(.SQLITE_FULL, in: &trouble)
        let second = Self.book(.SQLITE_FULL, in: &trouble)
        let other = Self.book(.SQLITE_IOERR_FSYNC, in: &trouble)
        #expect([first, second, other] == [true, false, true])
        let successes = [trouble.commitSucceeded(), trouble.commitSucceeded()]
        #expect(successes == [true, false])
    }

    @Test("a failed sync is called one")
    func words() {
        let error = StoreError(DatabaseError(resultCode: .SQLITE_IOERR_FSYNC), during: "commit")
        #expect(error.detail == "commit: the disk failed a sync (SQLite 1034)")
    }

    @Test("a log that a crash left behind is in the database file before anything is answered")
    func emptiedAtOpening() async throws {
        try await withStore { store, scenario in
            let token = try await scenario.issue(scenario.token("t", of: try await scenario.subscription()))
            let place = try TemporaryPlace()
            let crashed = place.path
            for end in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: store.pool.path + end, toPath: crashed + end)
            }
            let again = try SQLiteStore(path: crashed, logger: Logger(label: "test"))
            let size = try FileManager.default.attributesOfItem(atPath: crashed + "-wal")[.size] as? Int
            #expect(size == 0)
            #expect(try await again.token(token.hash) == token)
            await again.close()
        }
    }

    @Test("who opens a file that another process reads does not wait for it")
    func besideAnother() async throws {
        try await withStore { store, scenario in
            _ = try await scenario.subscription()
            try Self.openWhileReading(store.pool)
        }
    }

    private static func openWhileReading(_ pool: DatabasePool) throws {
        try pool.read { db in
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM subscription")
            let began = ContinuousClock.now
            let second = try SQLiteStore(path: pool.path, logger: Logger(label: "test"))
            #expect(ContinuousClock.now - began < .seconds(4), "the patience of a writer is five seconds")
            try second.pool.close()
        }
    }
}
