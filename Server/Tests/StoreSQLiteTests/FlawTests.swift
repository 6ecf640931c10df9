import Logging
import StoreConformance
import Synchronization
import Testing

@testable import StoreSQLite

@Suite("Every promise of a store can be broken")
struct FlawTests {
    /// Statements that make a store wrong, and the beginning of the promise that they break.
    struct Flaw: CustomTestStringConvertible {
        let promise: String
        let sql: String
        var testDescription: String { "\(promise): \(sql)" }

        static let all: [Flaw] = String(decoding: PackageResources.flaws_sql, as: UTF8.self)
            .split(separator: "\n-- ").dropFirst().map { block in
                let parts = block.split(separator: "\n", maxSplits: 1).map(String.init)
                return Flaw(promise: parts[0], sql: parts[1])
            }
    }

    @Test("a store that a flaw makes wrong breaks the promise that is about it", arguments: Flaw.all)
    func isNoticed(_ flaw: Flaw) async throws {
        let promises = StoreConformance.promises.filter { $0.name.hasPrefix(flaw.promise) }
        try #require(promises.count == 1, "the beginning of one promise")
        let place = try TemporaryPlace()
        let isFlawed = Mutex(false)
        await #expect(throws: PromiseBroken.self) {
            try await promises[0].check {
                let store = try SQLiteStore(path: place.path, logger: Logger(label: "test"))
                let isFirst = isFlawed.withLock { isFlawed in
                    defer { isFlawed = true }
                    return !isFlawed
                }
                if isFirst { try store.onWriter("PRAGMA synchronous = OFF;" + flaw.sql) }
                return store
            }
        }
    }

    @Test("each promise has a flaw, but for the one about a closed store, which no statement opens again")
    func complete() {
        let without = StoreConformance.promises.map(\.name).filter { name in
            !Flaw.all.contains { name.hasPrefix($0.promise) }
        }
        #expect(without == ["after closing everything is unavailable, and closing again is harmless"])
    }

    @Test("every promise has a sentence of its own")
    func names() {
        #expect(Set(StoreConformance.promises.map(\.name)).count == StoreConformance.promises.count)
    }
}
