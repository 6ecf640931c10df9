package import Dispatch
import Foundation
package import Logging
package import ServerHTTP
import Synchronization

/// The destination of log lines, which are gathered for a moment and written together. A system call for each line
/// takes as long as the rest of a small request.
///
/// Notices, warnings and errors are written at once, after the lines before them. A process that is killed or crashes
/// loses the lines at level info and below of the last ``delay``. One that ends in order loses none
/// (``flush(within:)``).
///
/// A thread that logs never waits for the reader of the log. Lines that the reader does not take wait here, up to
/// ``bound`` bytes. Further lines are dropped and counted until all that wait are written. So the count is reported
/// where the lines are missing.
package final class LogOutput: Sendable {
    package static let standardError = LogOutput(sink: .standardError)

    /// How long a line waits, at most, before it is written.
    package static let delay = DispatchTimeInterval.milliseconds(50)
    /// With so many bytes waiting, the logging thread writes them itself: more is logged than a moment should gather.
    package static let capacity = 1 << 16
    /// So many bytes wait at most for what reads the log.
    package static let bound = 1 << 20

    package typealias Schedule = @Sendable (DispatchTimeInterval, @escaping @Sendable () -> Void) -> Void

    private struct Waiting {
        var lines: [UInt8] = []
        /// Bytes that were taken to be written, and are not yet.
        var held = 0
        /// Lines that were left out since all was written.
        var leftOut = 0
        /// Whether a writer is on his way who waits for the reader.
        var isRetrying = false
        /// Whether dropped lines are being reported just now.
        var isTelling = false
        /// The number of dropped lines that a waiting line reports.
        var told = 0
        /// Whether the last write was lost.
        var isBroken = false
        /// Whether nothing is left to do, or nothing of it would reach anybody.
        var isDone: Bool { isBroken || lines.isEmpty && held == 0 && leftOut == 0 && !isTelling }
    }

    /// The number of dropped lines that the present line reports.
    @TaskLocal private static var told: Int?
    /// Where writes are lost, one is tried so often.
    package static let retryOfLost = DispatchTimeInterval.milliseconds(500)

    private struct Writing {
        var bytes: [UInt8] = []
        var written = 0
    }

    private let waiting = Mutex(Waiting())
    /// Held while lines are written, so that they keep their order.
    private let writing = Mutex(Writing())
    private let tell = Mutex<(@Sendable (Int) -> Void)?>(nil)
    private let schedule: Schedule
    private let sink: LogSink

    /// - Parameter schedule: runs something later, on no thread of who logs.
    package init(schedule: @escaping Schedule = runLater, sink: LogSink) {
        self.schedule = schedule
        self.sink = sink
    }

    /// Says how many lines were left out, as a line of the log, when what reads it has read the others.
    package func whenLeftOut(_ tell: @escaping @Sendable (Int) -> Void) { self.tell.withLock { $0 = tell } }

    private enum Next {
        case nothing, later, now, retry, retryLost
        case tell(Int)
    }

    /// - Parameter line: with its end.
    package func append(_ line: [UInt8], at level: Logger.Level) {
        let next = waiting.withLock { waiting -> Next in
            let count = waiting.lines.count + waiting.held
            guard waiting.leftOut == 0, count == 0 || count + line.count <= Self.bound else {
                // If the line that reports lost lines is dropped itself, add its number back to the count; do not count
                // the line.
                waiting.leftOut += Self.told ?? 1
                return .nothing
            }
            waiting.lines += line
            waiting.told += Self.told ?? 0
            // It is written with what the reader did not take.
            guard !waiting.isRetrying else { return .nothing }
            if level > .info || waiting.lines.count >= Self.capacity { return .now }
            // The first that waits; the others are written with it.
            return waiting.lines.count == line.count ? .later : .nothing
        }
        perform(next)
    }

    /// Writes what waits, as far as it can within a time. Call it before the process ends.
    package func flush(within patience: Duration = .seconds(2)) {
        let end = ContinuousClock.now + patience
        repeat {
            if sink.mayBlock { retry() } else { write() }
            if waiting.withLock({ $0.isDone }) { return }
            sink.wait(.milliseconds(10))
        } while ContinuousClock.now < end
    }

    private func perform(_ next: Next) {
        switch next {
        case .nothing: break
        case .later: schedule(Self.delay) { self.write() }
        case .now: if sink.mayBlock { retry(after: .zero) } else { write() }
        case .retry: retry()
        case .retryLost: retry(at: Self.retryOfLost, after: .zero)
        case .tell(let count):
            let tell = tell.withLock { $0 }
            Self.$told.withValue(count) { tell?(count) }
            waiting.withLock { $0.isTelling = false }
        }
    }

    /// Writes what waits as far as the reader takes it.
    private func write() {
        // If another thread is writing and may have to wait for the reader, it will write these lines too.
        let next = sink.mayBlock ? writing.withLockIfAvailable { write(&$0) } : writing.withLock { write(&$0) }
        perform(next ?? .nothing)
    }

    private func write(_ writing: inout Writing) -> Next {
        writing.bytes.removeFirst(writing.written)
        writing.written = 0
        waiting.withLock { waiting in
            if writing.bytes.isEmpty { swap(&writing.bytes, &waiting.lines) } else { writing.bytes += waiting.lines }
            waiting.lines = []
            waiting.held = writing.bytes.count
        }
        let (written, lost) = writing.bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = sink.write(UnsafeRawBufferPointer(rebasing: bytes[written...]))
                guard count != LogSink.lost else {
                    return (bytes.count, bytes[written...].count { $0 == 0x0a })
                }
                guard count > 0 else { break }
                written += count
            }
            return (written, 0)
        }
        let left = writing.bytes.count - written
        if left == 0 { writing.bytes = [] } else { writing.written = written }
        return waiting.withLock { waiting in
            waiting.held = left
            if lost > 0 {
                // If the line that reported lost lines is lost itself, add its number back; do not count the line.
                waiting.leftOut += waiting.told > 0 ? lost - 1 + waiting.told : lost
                (waiting.told, waiting.isBroken) = (0, true)
                return .retryLost
            }
            if written > 0 { waiting.isBroken = false }
            if left == 0, waiting.lines.isEmpty { waiting.told = 0 }
            if left > 0 || sink.mayBlock && !waiting.lines.isEmpty { return .retry }
            guard waiting.leftOut > 0, waiting.lines.isEmpty else { return .nothing }
            defer { (waiting.leftOut, waiting.isTelling) = (0, true) }
            return .tell(waiting.leftOut)
        }
    }

    /// Has what waits written when the reader takes something again, on a thread that may wait for it.
    private func retry(
        at delay: DispatchTimeInterval = .seconds(0), after patience: Duration = .milliseconds(500)
    ) {
        let isFirst = waiting.withLock { waiting in
            defer { waiting.isRetrying = true }
            return !waiting.isRetrying
        }
        guard isFirst else { return }
        schedule(delay) {
            if patience > .zero { self.sink.wait(patience) }
            self.waiting.withLock { $0.isRetrying = false }
            self.write()
        }
    }

    static let runLater: Schedule = { delay, work in
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay, execute: work)
    }
}

extension SecondText {
    /// In the machine's time zone: `2026-11-22T15:00:00+0800`.
    package static func local() -> SecondText { SecondText(as: "%Y-%m-%dT%H:%M:%S%z", isLocal: true) }
    /// In UTC, without the zone: `2026-11-22T07:00:00`.
    package static func universal() -> SecondText { SecondText(as: "%Y-%m-%dT%H:%M:%S") }
}
