import GRDB
import Testing

@testable import StoreConformance
@testable import StoreSQLite

@Suite("Opening a file beside another process is quick", .serialized)
struct DiskTroubleTimingTests {
    @Test("who opens a file that another process works on leaves its log alone and does not wait for it")
    func besideAnother() async throws {
        try await withStore { store, scenario in
            _ = try await scenario.subscription()
            try DiskTroubleTests.makeOld(store.pool.path + "-wal")
            let began = ContinuousClock.now
            try WriteAheadLog.makeSafe(ofDatabase: store.pool.path)
            #expect(ContinuousClock.now - began < .seconds(4), "the patience of a writer is five seconds")
            #expect(try DiskTroubleTests.isOld(store.pool.path + "-wal"))
        }
    }
}
