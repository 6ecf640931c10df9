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

    /// Before PostgreSQL 17 an erasure ends when the owner of the tables has vacuumed.
    private static let needsOwner = "what requests under way wrote of an erased subscriber goes with the next rounds"

    @Test("also where the user owns nothing", arguments: StoreConformance.promises)
    func keepsAsServingRole(_ promise: StorePromise) async throws {
        let database = try await TemporaryDatabase()
        let parameters = try database.parameters(user: TestServer.servingRole)
        let version = try ReadySession.make(parameters, insistsOnDurability: false).serverVersion
        func check() async throws {
            try await promise.check {
                let store = try PostgresStore(
                    parameters, insistsOnDurability: false, deadlines: .patient, logger: Logger(label: "test"))
                store.rowCodes.use { Array("secret".utf8) + $0 }
                return store
            }
        }
        guard promise.name == Self.needsOwner, version < ServingRights.maintain else { return try await check() }
        let broken = await #expect(throws: PromiseBroken.self) { try await check() }
        #expect(broken?.what.hasPrefix("left over: 1 ") == true, "\(broken?.what ?? "kept")")
    }
}
