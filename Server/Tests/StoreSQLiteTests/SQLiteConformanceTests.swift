import Logging
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
}
