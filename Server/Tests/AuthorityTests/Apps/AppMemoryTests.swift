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
        let memory = AppMemory(capacity: 3 * app(0).size)
        for number in 0..<50 {
            memory.keep(app(number))
            #expect(memory.app(app(number).record.id) != nil)
            #expect((0..<50).count { memory.app(app($0).record.id) != nil } <= 3)
        }
    }

    @Test("With one app more than fits, all others but one are still remembered")
    func oneMore() {
        let memory = AppMemory(capacity: 20 * app(0).size)
        for number in 0...20 { memory.keep(app(number)) }
        for _ in 0..<3 {
            let kept = (0...20).filter { memory.app(app($0).record.id) != nil }
            #expect(kept.count == 20)
            #expect(kept.allSatisfy { memory.app(app($0).record.id)?.record == app($0).record })
            for number in 0...20 where !kept.contains(number) { memory.keep(app(number)) }
        }
    }

    @Test("An app that grows takes the place of others, and one that is larger than all is remembered alone")
    func weight() {
        let memory = AppMemory(capacity: 20 * app(0).size)
        for number in 0..<20 { memory.keep(app(number)) }
        var large = app(7, revision: 2)
        large = RegisteredApp(
            record: {
                var record = large.record
                record.approvedContent = Array(repeating: String(repeating: "d", count: 43), count: 100)
                return record
            }(), key: large.key)
        let fits = 20 - large.size / app(0).size
        memory.keep(large)
        let kept = (0..<20).filter { memory.app(app($0).record.id) != nil }
        #expect(kept.contains(7) && (2...fits).contains(kept.count))
        let narrow = AppMemory(capacity: 1)
        for number in 0..<2 { narrow.keep(app(number)) }
        #expect(narrow.app(app(0).record.id) == nil && narrow.app(app(1).record.id) != nil)
    }

    @Test("What is forgotten, or replaced by a later revision, is that app alone, wherever it lies")
    func places() {
        for forgotten in 0..<3 {
            let memory = AppMemory(capacity: 3 * app(0).size)
            for number in 0..<3 { memory.keep(app(number)) }
            for number in 0..<3 { memory.keep(app(number, revision: 2)) }
            memory.forget(app(forgotten).record.id)
            memory.forget(app(9).record.id)
            func revisions(_ numbers: Range<Int>) -> [Int64?] {
                numbers.map { memory.app(app($0).record.id)?.record.revision }
            }
            #expect(revisions(0..<3) == (0..<3).map { $0 == forgotten ? nil : 2 })
            memory.keep(app(3))
            #expect(revisions(0..<4) == (0..<3).map { $0 == forgotten ? nil : 2 } + [1], "there is room for it")
            #expect(memory.app(app(3).record.id)?.record.id == app(3).record.id)
        }
    }

    @Test("A server address that is none lets nobody in")
    func prefixes() {
        #expect(app(1).serverPrefixes == [IPPrefix("203.0.113.0/24")!])
    }
}
