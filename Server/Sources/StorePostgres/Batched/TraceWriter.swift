import Dispatch
import Logging
import Store
import StoreRows
import Synchronization

/// Events of traces, which need not be durable. They are gathered for a moment and written in transactions that do not
/// wait for the disk. A crash may lose the last ones.
final class TraceWriter: Sendable {
    /// As many go at once.
    private static let enough = 512
    /// More are not held back: the database is too slow for them.
    private static let maximumWaiting = 100_000
    private static let delay: DispatchTimeInterval = .milliseconds(200)

    private struct State {
        var waiting: [TraceEvent] = []
        var isDue = false
        var isWriting = false
        var isClosed = false
        var isComplaining = false
        /// Callers that wait until all earlier events are written.
        var flushing: [CheckedContinuation<StoreError?, Never>] = []
    }

    private let pool: ConnectionPool
    private let logger: Logger
    private let state = Mutex(State())

    init(pool: ConnectionPool, logger: Logger) {
        self.pool = pool
        self.logger = logger
    }

    func append(_ events: [TraceEvent]) throws(StoreError) {
        enum Admission { case starts, flushesLater, waits, isClosed, isFull }
        let admission: Admission = state.withLock { state in
            if state.isClosed { return .isClosed }
            guard state.waiting.count + events.count <= Self.maximumWaiting else { return .isFull }
            state.waiting += events
            if state.isWriting { return .waits }
            if state.waiting.count >= Self.enough {
                state.isWriting = true
                return .starts
            }
            if state.isDue { return .waits }
            state.isDue = true
            return .flushesLater
        }
        switch admission {
        case .starts: start()
        case .flushesLater:
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.delay) { [weak self] in self?.startIfIdle() }
        case .waits: break
        case .isClosed: throw .closed(during: "append trace events")
        case .isFull: throw StoreError(.unavailable, "append trace events: too many wait for PostgreSQL")
        }
    }

    /// Returns when the earlier events are written.
    func flush() async throws(StoreError) {
        let failure: StoreError? = await withCheckedContinuation { continuation in
            let isToStart = state.withLock { state in
                state.flushing.append(continuation)
                defer { state.isWriting = true }
                return !state.isWriting
            }
            if isToStart { start() }
        }
        if let failure { throw failure }
    }

    func close() async {
        state.withLock { $0.isClosed = true }
        try? await flush()
    }

    private func startIfIdle() {
        let isToStart = state.withLock { state in
            state.isDue = false
            guard !state.isWriting, !state.waiting.isEmpty else { return false }
            state.isWriting = true
            return true
        }
        if isToStart { start() }
    }

    private func start() { Task { await write() } }

    private func write() async {
        while true {
            let (events, flushing) = state.withLock { state in
                defer { (state.waiting, state.flushing) = ([], []) }
                return (state.waiting, state.flushing)
            }
            if events.isEmpty, flushing.isEmpty {
                let isDone = state.withLock { state in
                    guard state.waiting.isEmpty, state.flushing.isEmpty else { return false }
                    state.isWriting = false
                    return true
                }
                if isDone { return }
                continue
            }
            var failure: StoreError?
            do throws(StoreError) {
                if events.isEmpty, !pool.isOpen { throw .closed(during: "write trace events") }
                if !events.isEmpty { try await insert(events) }
            } catch {
                failure = error
                if !events.isEmpty { complain(error) }
            }
            for continuation in flushing { continuation.resume(returning: failure) }
        }
    }

    /// Once, until events are written again.
    private func complain(_ error: StoreError) {
        let isNew = state.withLock { state in
            defer { state.isComplaining = true }
            return !state.isComplaining
        }
        if isNew {
            logger.error(
                "steps of logins are lost until they can be written again", metadata: ["reason": "\(error.detail)"])
        }
    }

    private func insert(_ events: [TraceEvent]) async throws(StoreError) {
        try await pool.perform("write trace events", isBatched: true) { connection in
            // In pieces that a message can carry.
            for start in stride(from: 0, to: events.count, by: Self.enough * 8) {
                let some = Array(events[start..<min(start + Self.enough * 8, events.count)])
                try connection.inTransaction("BEGIN") { db in
                    try db.commit(after: [
                        Statement("SET LOCAL synchronous_commit = off"), TraceRows.inserting(some),
                    ])
                }
            }
        }
        state.withLock { $0.isComplaining = false }
    }
}
