import Logging
import Store
import StoreConformance
import Testing

@testable import StorePostgres

/// One after the other, so that they take turns at few databases; most race with themselves.
@Suite("The PostgreSQL store keeps every promise of a store", .serialized)
struct PostgresConformanceTests {
    @Test(arguments: StoreConformance.promises)
    func keeps(_ promise: StorePromise) async throws {
        let database = try await TemporaryDatabase()
        try await promise.check {
            try PostgresStore(
                database.parameters, insistsOnDurability: false, deadlines: .patient,
                logger: Logger(label: "test"))
        }
    }

    @Test("also where rows have codes", arguments: StoreConformance.promises)
    func keepsWithCodes(_ promise: StorePromise) async throws {
        let database = try await TemporaryDatabase()
        try await promise.check {
            let store = try PostgresStore(
                database.parameters, insistsOnDurability: false, deadlines: .patient, logger: Logger(label: "test"))
            store.rowCodes.use { Array("secret".utf8) + $0 }
            return store
        }
    }
}
