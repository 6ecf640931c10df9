import BenjiProtocol
import Store
import Synchronization

/// Which refused orders get a line of the audit log: at most ``maximumLines`` an hour for one caller and one order.
/// Further ones are counted, and get one line when the hour has ended. So refused orders cannot fill a log that is
/// never shortened. Counts what this process refuses.
final class RefusalLogLimiter: Sendable {
    /// Lines of one caller and one order in an hour.
    static let maximumLines = 30
    static let span: Duration = .seconds(3600)

    private struct Kind: Hashable {
        var actor: String
        var order: String
    }

    /// A line to be written, and what it stands for.
    struct Line {
        var entry: AuditEntry
        fileprivate(set) var refusals = 1
        /// When the first of them was refused, or the hour in which it was began.
        fileprivate var since: Timestamp
    }

    private struct Count {
        var since: Timestamp
        var written = 0
        /// The refusals without a line, under the newest of them.
        var leftOut: Line?
        var end: Timestamp { since + RefusalLogLimiter.span }

        mutating func leaveOut(_ line: Line) {
            guard let before = leftOut else {
                leftOut = line
                return
            }
            leftOut = Line(
                entry: line.entry.at < before.entry.at ? before.entry : line.entry,
                refusals: before.refusals + line.refusals, since: min(before.since, line.since))
        }

        /// The line that sums up the refusals without a line.
        func line(at now: Timestamp) -> Line? {
            guard var line = leftOut else { return nil }
            (line.entry.at, line.entry.app, line.entry.subject, line.entry.reason) = (now, nil, nil, nil)
            line.entry.after =
                JSON.object(["leftOut": .integer(Int64(line.refusals)), "since": .integer(line.since.milliseconds)])
                .text
            return line
        }
    }

    private let counts = Mutex<[Kind: Count]>([:])

    /// The lines to write for a refusal, in this order.
    func lines(for refusal: AuditEntry) -> [Line] {
        counts.withLock { counts in
            let kind = Kind(actor: refusal.actor, order: refusal.order)
            var lines: [Line] = []
            var count = counts[kind] ?? Count(since: refusal.at)
            // Also when the clock was put back.
            if refusal.at >= count.end || refusal.at < count.since {
                lines += [count.line(at: refusal.at)].compactMap(\.self)
                count = Count(since: refusal.at)
            }
            var line = Line(entry: refusal, since: count.since)
            if count.written < Self.maximumLines {
                count.written += 1
                if count.written == Self.maximumLines {
                    // Read also when the process ends before the hour does.
                    line.entry.after = JSON.object(["noLinesUntil": .integer(count.end.milliseconds)]).text
                }
                lines.append(line)
            } else {
                count.leaveOut(line)
            }
            counts[kind] = count
            return lines
        }
    }

    /// Returns the sums of hours that have ended, or of all when the process ends, and forgets these hours.
    func ended(at now: Timestamp, isEnd: Bool) -> [Line] {
        counts.withLock { counts in
            let ended = counts.filter { isEnd || now >= $0.value.end }
            for kind in ended.keys { counts[kind] = nil }
            return ended.values.compactMap { $0.line(at: now) }
        }
    }

    /// Adds a line that could not be written to the next sum.
    func keep(_ line: Line) {
        counts.withLock { counts in
            let kind = Kind(actor: line.entry.actor, order: line.entry.order)
            counts[kind, default: Count(since: line.since)].leaveOut(line)
        }
    }
}
