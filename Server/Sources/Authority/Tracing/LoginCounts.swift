package import BenjiProtocol
package import Logging
package import Store
import Synchronization

/// Counts steps of logins by app and hour, for charts, and writes the counts down now and then. A login waits for none
/// of it.
///
/// Counted is what requests about registered apps came to, refusals that no trace keeps among them.
package final class LoginCounts: Sendable {
    /// Different counts that wait to be written. Beyond them new ones are lost, so that a store that is away for long
    /// fills no memory.
    static let limit = 50_000

    /// Counts in one commit.
    private static let slice = 500

    private struct Waiting {
        var counts: [LoginCount: Int] = [:]
        var lost = 0
        /// The write that was begun last.
        var writing: Task<Result<Void, StoreError>, Never>?
        var writes = 0
    }

    private let waiting = Mutex(Waiting())

    package init() {}

    /// How many writes were begun.
    package var writes: Int { waiting.withLock { $0.writes } }

    /// Counts a step of the login whose request this task answers.
    package func count(_ event: TraceEvent) {
        guard let subject = RequestSubject.current, let app = subject.app else { return }
        add(
            LoginCount(
                app: app, hour: LoginCount.hour(of: event.at), carrier: subject.carrier, party: event.party,
                step: event.step, situation: event.situation, count: 1))
    }

    private func add(_ count: LoginCount) {
        var key = count
        key.count = 0
        waiting.withLock { waiting in
            if waiting.counts.count >= Self.limit, waiting.counts[key] == nil {
                waiting.lost += count.count
            } else {
                waiting.counts[key, default: 0] += count.count
            }
        }
    }

    /// Writes the counts since the last time, and keeps those that could not be written. When it returns, all earlier
    /// counts are in the store, also those that another task was writing.
    package func write(to store: any LoginCountStore, _ logger: Logger) async throws(StoreError) {
        let writing = waiting.withLock { waiting in
            let earlier = waiting.writing
            let task = Task { [self] () -> Result<Void, StoreError> in
                _ = await earlier?.value
                do throws(StoreError) { return .success(try await writeWaiting(to: store, logger)) } catch {
                    return .failure(error)
                }
            }
            waiting.writing = task
            waiting.writes += 1
            return task
        }
        try await writing.value.get()
    }

    private func writeWaiting(to store: any LoginCountStore, _ logger: Logger) async throws(StoreError) {
        let (taken, lost) = waiting.withLock { waiting in
            defer { (waiting.counts, waiting.lost) = ([:], 0) }
            return (waiting.counts, waiting.lost)
        }
        if lost > 0 {
            logger.warning("steps of logins were not counted for charts", metadata: ["steps": "\(lost)"])
        }
        let counts = taken.map { key, count in
            var full = key
            full.count = count
            return full
        }
        // A few at a time, so that logins get their turn in between.
        for begin in stride(from: 0, to: counts.count, by: Self.slice) {
            let rest = counts[begin...]
            do throws(StoreError) { try await store.addLoginCounts(Array(rest.prefix(Self.slice))) } catch {
                // A count that a lost connection committed is counted twice. Charts may be wrong; bills never use it.
                for count in rest { add(count) }
                throw error
            }
        }
    }
}
