package import BenjiProtocol
import Synchronization

/// All events in the sandbox, in the order in which they began, for display.
package final class Timeline: Sendable {
    /// Older entries are forgotten.
    static let maximumLength = 1000
    /// Bytes of messages that are kept; those of the oldest are forgotten, and their lines stay.
    static let maximumBytes = 4 * 1024 * 1024

    private struct State {
        var entries: [TimelineEntry] = []
        var last: Int64 = 0
        var lastOrder: Int64 = 0
        /// Bytes of all messages that are kept.
        var bytes = 0
        var watchers: [Int64: AsyncStream<Void>.Continuation] = [:]
        var lastWatcher: Int64 = 0
        var isOver = false
    }

    private let clock: any WallClock
    private let state = Mutex(State())

    package init(clock: some WallClock = SystemWallClock()) { self.clock = clock }

    /// The number of the newest entry; 0 before the first.
    package var last: Int64 { state.withLock { $0.last } }

    /// Whether a reader waits for entries.
    var isAwaited: Bool { state.withLock { !$0.watchers.isEmpty } }

    /// Gives an entry its place: it begins now, and is written down later.
    package func begin(_ entry: inout TimelineEntry) {
        entry.at = clock.now
        entry.order = state.withLock { state in
            state.lastOrder += 1
            return state.lastOrder
        }
    }

    /// Writes an entry down. One that was not begun begins now.
    package func note(_ entry: TimelineEntry) { note([entry]) }

    /// Records entries in one step, so that a reader sees all of them or none.
    package func note(_ entries: [TimelineEntry]) {
        guard !entries.isEmpty else { return }
        let entries = entries.map { entry in
            var entry = entry
            if entry.order == 0 { begin(&entry) }
            return entry
        }
        let watchers = state.withLock { state in
            for var entry in entries {
                state.last += 1
                entry.number = state.last
                if entry.elapsed != nil {
                    state.lastOrder += 1
                    entry.end = state.lastOrder
                }
                state.entries.append(entry)
                state.bytes += entry.bytes?.size ?? 0
            }
            // A hundred at a time, so that a full timeline is not moved for every entry.
            if state.entries.count > Self.maximumLength + 100 {
                for entry in state.entries.prefix(100) { state.bytes -= entry.bytes?.size ?? 0 }
                state.entries.removeFirst(100)
            }
            var place = 0
            while state.bytes > Self.maximumBytes, place < state.entries.count {
                state.bytes -= state.entries[place].bytes?.size ?? 0
                state.entries[place].bytes = nil
                place += 1
            }
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher.yield() }
    }

    /// In the order in which they began.
    ///
    /// - Parameters:
    ///   - after: only entries with a greater number.
    ///   - phone: only what concerns this phone, or none.
    package func entries(after number: Int64 = 0, phone: String? = nil) -> [TimelineEntry] {
        let all = state.withLock { $0.entries }
        return all.filter { $0.number > number && (phone == nil || $0.phone == nil || $0.phone == phone) }
            .sorted { $0.order < $1.order }
    }

    /// The entry with this number, if it is kept.
    package func entry(_ number: Int64) -> TimelineEntry? {
        state.withLock { $0.entries.first { $0.number == number } }
    }

    /// The same, and if there are none yet, waits for one; empty when `patience` is over.
    package func entries(after number: Int64, phone: String?, patience: Duration) async -> [TimelineEntry] {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = continuation
            if state.isOver { continuation.finish() }
            return state.lastWatcher
        }
        defer { state.withLock { _ = $0.watchers.removeValue(forKey: id) } }
        let found = entries(after: number, phone: phone)
        guard found.isEmpty, patience > .zero else { return found }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in changes where !self.entries(after: number, phone: phone).isEmpty { return }
            }
            group.addTask { try? await Task.sleep(for: patience) }
            await group.next()
            group.cancelAll()
        }
        return entries(after: number, phone: phone)
    }

    /// Ends all waiting: the sandbox ends.
    package func end() {
        let watchers = state.withLock { state in
            state.isOver = true
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher.finish() }
    }

    package func clear() { state.withLock { ($0.entries, $0.bytes) = ([], 0) } }
}
