package import BenjiProtocol
import Metrics
package import ServiceLifecycle
import Synchronization

/// Notices sent after an answer, as long as the process runs. They are not stored, so they do not suit messages that
/// must arrive. Apps take turns, and none has more than its share, so that one app's slow receiver delays no other.
package final class NoticeQueue: Service {
    package typealias Task = @Sendable () async -> Void

    /// Tasks of one app that wait. With more, the new ones are not done.
    static let waitingPerApp = 1000
    /// Tasks that run at the same time, and of these one app's.
    static let width = 32
    static let widthPerApp = 8

    /// The waiting and the running tasks.
    private struct Turns {
        /// Apps that have tasks waiting; the first is next.
        var order: [AppID] = []
        var waiting: [AppID: [Task]] = [:]
        var running: [AppID: Int] = [:]
        var total = 0

        mutating func add(_ task: @escaping Task, of app: AppID) -> Bool {
            guard waiting[app, default: []].count < waitingPerApp else { return false }
            if waiting[app] == nil { order.append(app) }
            waiting[app, default: []].append(task)
            return true
        }

        /// The next task that may begin.
        mutating func next() -> (app: AppID, task: Task)? {
            guard total < width, let place = order.firstIndex(where: { running[$0, default: 0] < widthPerApp }) else {
                return nil
            }
            let app = order.remove(at: place)
            guard var tasks = waiting.removeValue(forKey: app), !tasks.isEmpty else { return nil }
            let task = tasks.removeFirst()
            if !tasks.isEmpty {
                waiting[app] = tasks
                order.append(app)
            }
            running[app, default: 0] += 1
            total += 1
            return (app, task)
        }

        mutating func finish(_ app: AppID) {
            running[app, default: 1] -= 1
            if running[app] == 0 { running[app] = nil }
            total -= 1
        }
    }

    private let turns = Mutex(Turns())
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let dropped = Counter(label: "benji_backchannel_notices_dropped_total")

    package init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func add(_ app: AppID, _ task: @escaping Task) {
        guard turns.withLock({ $0.add(task, of: app) }) else { return dropped.increment() }
        signal.yield()
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for await _ in self.signals {
                    while let next = self.turns.withLock({ $0.next() }) {
                        group.addTask {
                            await next.task()
                            self.turns.withLock { $0.finish(next.app) }
                            self.signal.yield()
                        }
                    }
                }
            }
        }
    }
}
