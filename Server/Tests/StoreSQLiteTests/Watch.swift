import Foundation
import GRDB
import Logging
import ServerTestKit
import Synchronization

@testable import StoreConformance
@testable import StoreSQLite

/// Counts the commits that SQLite makes on the writer, and can forbid them.
final class CommitWatch: TransactionObserver, Sendable {
    struct Forbidden: Error {}

    private let state = Mutex((commits: 0, forbidden: false))

    var commits: Int { state.withLock { $0.commits } }
    func forbid(_ forbidden: Bool) { state.withLock { $0.forbidden = forbidden } }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseWillCommit() throws { if state.withLock({ $0.forbidden }) { throw Forbidden() } }
    func databaseDidCommit(_ db: Database) { state.withLock { $0.commits += 1 } }
    func databaseDidRollback(_ db: Database) {}
}

extension SQLiteStore {
    /// Keeps the writer busy while `body` starts, until `count` operations wait: so they form one group for sure.
    func gathering<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let gate = DispatchSemaphore(value: 0)
        // Wait until the writer is at the gate. A group that was just committed is still on the writer's thread, and
        // would take the first operations of the next one.
        await withCheckedContinuation { reached in
            pool.asyncWriteWithoutTransaction { _ in
                reached.resume()
                gate.wait()
            }
        }
        async let value = body()
        // The gate opens in any case: the writer's thread waits at it.
        let gathered = Task { try await until { writer.waitingJobs >= count } }
        let outcome = await gathered.result
        gate.signal()
        try outcome.get()
        return try await value
    }

    func watch() -> CommitWatch {
        let watch = CommitWatch()
        pool.add(transactionObserver: watch, extent: .databaseLifetime)
        return watch
    }

    func onWriter(_ sql: String) throws { try pool.writeWithoutTransaction { try $0.execute(sql: sql) } }
}

/// An open store in a folder of its own, with the conformance suite's short ways to use it.
func withStore(_ body: (SQLiteStore, Scenario) async throws -> Void) async throws {
    let place = try TemporaryPlace()
    let store = try SQLiteStore(path: place.path, logger: .init(label: "test"))
    do {
        try await body(store, Scenario(store: store) { store })
    } catch {
        await store.close()
        throw error
    }
    await store.close()
}
