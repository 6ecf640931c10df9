import BenchmarkSupport
import Foundation

/// Notes how large the process becomes.
final class MemoryWatch: @unchecked Sendable {
    // Unchecked: `highest` and `isOver` are touched under the lock alone.
    private let lock = NSLock()
    private var highest = 0
    private var isOver = false

    init() {
        Thread.detachNewThread { [self] in
            while lock.withLock({
                highest = max(highest, ProcessUsage.own.memory)
                return !isOver
            }) { usleep(2000) }
        }
    }

    func stop() -> Int {
        lock.withLock {
            isOver = true
            return highest
        }
    }
}
