@_spi(Server) import BenjiProtocol
import Dispatch
import Foundation
import NIOConcurrencyHelpers
import ServerTestKit
import Testing

@testable import Gateway

struct SharedDirectoryTests {
    @Test("a look-up that waits comes between two events of accounting and not behind all of them")
    func between() {
        let directory = SharedDirectory(
            Directory(
                configuration: Network.configuration(), random: SeededRandom(seed: 3),
                now: Timestamp(seconds: Network.start)))
        let count = 100_000
        let applied = NIOLockedValueBox(0)
        let seen = NIOLockedValueBox<Int?>(nil)
        let ended = DispatchSemaphore(value: 0)
        let lookUp = Thread {
            directory.look { _ in seen.withLockedValue { $0 = applied.withLockedValue { $0 } } }
            ended.signal()
        }
        directory.forEach(0..<count) { _, event in
            if event == 0 {
                lookUp.start()
                while !directory.isWanted {}
            }
            applied.withLockedValue { $0 += 1 }
        }
        ended.wait()
        #expect(applied.withLockedValue { $0 } == count)
        #expect((1..<count).contains(seen.withLockedValue { $0 } ?? 0))
    }
}
