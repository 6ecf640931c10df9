import BenjiProtocol
import Store
import Testing

@testable import Authority

@Suite struct AppMemoryTests {
    private func app(_ number: Int, revision: Int64 = 1) -> RegisteredApp {
        RegisteredApp(
            record: AppRecord(
                id: AppID(rawValue: "3000000000\(10 + number)")!, name: "app", keys: [],
                capabilities: [], bundleIDs: [], serverAddresses: ["203.0.113.0/24", "no address"],
                createdAt: Timestamp(milliseconds: 0), revision: revision),
            key: AppKey("key"))
    }

    @Test("An older revision that is read late does not replace a newer one")
    func newest() {
        let memory = AppMemory()
        #expect(memory.app(app(1).record.id) == nil)
        memory.keep(app(1, revision: 2))
        memory.keep(app(1, revision: 1))
        #expect(memory.app(app(1).record.id)?.record.revision == 2)
        memory.keep(app(1, revision: 3))
        #expect(memory.app(app(1).record.id)?.record.revision == 3)
    }

    @Test("Never more apps than its capacity are kept, and the last one is")
    func capacity() {
        let memory = AppMemory(capacity: 3)
        for number in 0..<50 {
            memory.keep(app(number))
            #expect(memory.app(app(number).record.id) != nil)
            #expect((0..<50).count { memory.app(app($0).record.id) != nil } <= 3)
        }
    }

    @Test("A server address that is none lets nobody in")
    func prefixes() {
        #expect(app(1).serverPrefixes == [IPPrefix("203.0.113.0/24")!])
    }
}
