import Logging
import ServerTestKit
import Store
import Testing

@testable import StoreConformance
@testable import StoreSQLite

@Suite("An erasure that a reader is in the way of keeps no process waiting", .serialized)
struct ErasedSubscribersTimingTests {
    @Test("closing does not wait for the reader, whether the store was opened for work or for a look")
    func closing() async throws {
        let place = try TemporaryPlace()
        let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
        let scenario = Scenario(store: store) { store }
        let row = try ErasedSubscribersTests().fill(store, 50)[0]
        let reader = try await OldReader(of: place.path)
        #expect(try await !store.eraseSubscriber(scenario.erasure(of: row)).isForgotten)
        for isLooking in [true, false] {
            let second =
                try isLooking
                ? SQLiteStore(lookingAt: place.path, logger: Logger(label: "test"))
                : SQLiteStore(path: place.path, logger: Logger(label: "test"))
            let time = await ContinuousClock().measure { await second.close() }
            // SQLite's own patience is five seconds, in which no process could write.
            #expect(time < .seconds(4), "closing waits for the reader: \(time)")
        }
        try await reader.end()
        await store.close()
    }
}
