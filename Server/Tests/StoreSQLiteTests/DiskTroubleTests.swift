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

    @Test("a log that a crash left behind is written once more, and nothing in it is lost")
    func writtenAnew() async throws {
        try await withStore { store, scenario in
            let token = try await scenario.issue(scenario.token("t", of: try await scenario.subscription()))
            let place = try TemporaryPlace()
            for end in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: store.pool.path + end, toPath: place.path + end)
            }
            try Self.makeOld(place.path + "-wal")
            try WriteAheadLog.makeSafe(ofDatabase: place.path)
            // It may be gone instead, its content in the database file.
            #expect(try !Self.isOld(place.path + "-wal"))
            let again = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
            #expect(try await again.token(token.hash) == token)
            await again.close()
        }
    }

    private static let longAgo = Date(timeIntervalSince1970: 1_000_000_000)

    static func makeOld(_ path: String) throws {
        try FileManager.default.setAttributes([.modificationDate: longAgo], ofItemAtPath: path)
    }

    static func isOld(_ path: String) throws -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return false }
        return try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date == longAgo
    }
}
