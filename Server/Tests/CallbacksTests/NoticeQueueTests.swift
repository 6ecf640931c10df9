import BenjiProtocol
import ServerTestKit
import Synchronization
import Testing

@testable import Callbacks

struct NoticeQueueTests {
    private func app(_ number: Int) -> AppID { AppID(rawValue: "3000000000" + String(10 + number))! }

    /// Receivers that do not answer until they are let go.
    private final class SlowReceiver: Sendable {
        private let (gate, open) = AsyncStream<Void>.makeStream()
        func wait() async { for await _ in gate {} }
        func answer() { open.finish() }
    }

    @Test("a receiver that never answers has a share of the queue, and keeps no other app's waiting")
    func shares() async throws {
        let queue = NoticeQueue()
        let running = Task { try await queue.run() }
        let slow = (0..<100).map { _ in SlowReceiver() }
        for receiver in slow { queue.add(app(1)) { await receiver.wait() } }
        let (told, tell) = AsyncStream<Int>.makeStream()
        for number in 2...40 { queue.add(app(number)) { tell.yield(number) } }
        var heard: Set<Int> = []
        for await number in told {
            heard.insert(number)
            if heard.count == 39 { break }
        }
        #expect(heard == Set(2...40))
        for receiver in slow { receiver.answer() }
        running.cancel()
        try? await running.value
    }

    @Test("of one app a thousand wait at most, whatever the others have, and all that were taken are done")
    func limits() async throws {
        let queue = NoticeQueue()
        let done = Mutex<[Int]>([])
        let (ended, end) = AsyncStream<Void>.makeStream()
        for number in 0..<1200 {
            queue.add(app(1)) {
                done.withLock { $0.append(number) }
            }
        }
        queue.add(app(2)) { done.withLock { $0.append(-1) } }
        queue.add(app(3)) { end.finish() }
        let running = Task { try await queue.run() }
        for await _ in ended {}
        try await until { done.withLock { $0.count } >= 1001 }
        #expect(done.withLock { Set($0) } == Set(-1..<1000))
        running.cancel()
        try? await running.value
    }
}
