import Logging
import Store
import StoreConformance
import StoreSQLite
import Testing

@Suite("The SQLite store keeps every promise of a store")
struct SQLiteConformanceTests {
    @Test(arguments: StoreConformance.promises)
    func keeps(_ promise: StorePromise) async throws {
        let place = try TemporaryPlace()
        try await promise.check { try SQLiteStore(path: place.path, logger: Logger(label: "test")) }
    }

    @Test("also where rows have codes", arguments: StoreConformance.promises)
    func keepsWithCodes(_ promise: StorePromise) async throws {
        let place = try TemporaryPlace()
        try await promise.check {
            let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
            store.rowCodes.use { Array("secret".utf8) + $0 }
            return store
        }
    }
}
