import StoreConformance
import Testing

@Suite("The promises tell good stores from bad ones")
struct StoreConformanceTests {
    @Test("a store in memory without a flaw keeps them all", arguments: StoreConformance.promises)
    func keepable(_ promise: StorePromise) async throws {
        let place = MemoryPlace(flaw: nil)
        try await promise.check { MemoryStore(place) }
    }

    @Test("each flaw breaks the promise that is about it", arguments: Flaw.allCases)
    func catches(_ flaw: Flaw) async throws {
        let promise = try #require(StoreConformance.promises.first { $0.name.contains(flaw.noticedBy) })
        let place = MemoryPlace(flaw: flaw)
        // A flawed store may also fail by itself where the promise expects an answer: either way it is noticed.
        await #expect(throws: (any Error).self) { try await promise.check { MemoryStore(place) } }
    }

    @Test("every promise has a sentence of its own")
    func names() {
        #expect(Set(StoreConformance.promises.map(\.name)).count == StoreConformance.promises.count)
    }
}
