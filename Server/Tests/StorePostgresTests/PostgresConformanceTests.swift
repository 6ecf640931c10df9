import Logging
import Store
import StoreConformance
import Testing

@testable import StorePostgres

/// One after the other, so that they take turns at few databases; most race with themselves.
@Suite("The PostgreSQL store keeps every promise of a store", .serialized)
struct PostgresConformanceTests {
    private func check(_ promise: StorePromise, as user: String = "benji", hasCodes: Bool) async throws {
        let database = try await TemporaryDatabase()
        try await promise.check {
            let store = try PostgresStore(
                database.parameters(user: user), insistsOnDurability: false, deadlines: .patient,
                logger: Logger(label: "test"))
            if hasCodes { store.rowCodes.use { Array("secret".utf8) + $0 } }
            return store
        }
    }

    @Test(arguments: StoreConformance.promises)
    func keeps(_ promise: StorePromise) async throws { try await check(promise, hasCodes: false) }

    /// Before PostgreSQL 17 an erasure ends when the owner of the tables has vacuumed.
    private static let needsOwner = "what requests under way wrote of an erased subscriber goes with the next rounds"

    @Test("also where the user owns nothing, and rows have codes", arguments: StoreConformance.promises)
    func keepsAsServingRole(_ promise: StorePromise) async throws {
        func check() async throws { try await self.check(promise, as: TestServer.servingRole, hasCodes: true) }
        guard promise.name == Self.needsOwner else { return try await check() }
        let database = try await TemporaryDatabase()
        let session = try ReadySession.make(database.parameters, insistsOnDurability: false)
        guard session.serverVersion < ServingRights.maintain else { return try await check() }
        let broken = await #expect(throws: PromiseBroken.self) { try await check() }
        #expect(broken?.what.hasPrefix("left over: 1 ") == true, "\(broken?.what ?? "kept")")
        try await self.check(promise, hasCodes: true)
    }
}
