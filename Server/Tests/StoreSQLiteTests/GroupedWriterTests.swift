import BenjiProtocol
import Dispatch
import Foundation
import GRDB
import Logging
import ServerTestKit
import Sightings
import Store
import StoreRows
import Synchronization
import Testing

@testable import StoreConformance
@testable import StoreSQLite

@Suite("Many durable writes share one commit")
struct GroupedWriterTests {
    @Test("200 redemptions that wait together cost one commit, and the store is synchronous = FULL")
    func oneCommit() async throws {
        try await withStore { store, scenario in
            let tokens = try await scenario.tokens(200)
            let watch = store.watch()
            let outcomes = try await store.gathering(200) {
                try await race(200) { position in
                    try await scenario.redeem(tokens[position], message: "m\(position)").word
                }
            }
            #expect(outcomes.allSatisfy { $0 == "spent" })
            #expect(watch.commits == 1)
            let synchronous = try await store.pool.writeWithoutTransaction {
                try Int.fetchOne($0, sql: "PRAGMA synchronous")
            }
            #expect(synchronous == 2)
        }
    }

    @Test(
        """
        no answer is given before the commit: if it fails, all fail as unavailable, nothing was changed, and later \
        writes work
        """
    )
    func failedCommit() async throws {
        try await withStore { store, scenario in
            let tokens = try await scenario.tokens(20)
            let watch = store.watch()
            watch.forbid(true)
            let outcomes = try await store.gathering(20) {
                try await race(20) { position -> StoreError.Code? in
                    do {
                        _ = try await scenario.redeem(tokens[position], message: "m\(position)")
                        return nil
                    } catch let error as StoreError {
                        return error.code
                    }
                }
            }
            #expect(outcomes.allSatisfy { $0 == .unavailable })
            #expect(watch.commits == 0)
            watch.forbid(false)
            try await scenario.expectNothingBilled()
            for (index, token) in tokens.enumerated() {
                try await scenario.expectUnspent(token, message: "m\(index)", after: "a failed commit")
            }
        }
    }

    @Test("an operation that fails takes back its own changes and not its neighbours'")
    func ownSavepoint() async throws {
        struct Broken: Error {}
        try await withStore { store, scenario in
            let tokens = try await scenario.tokens(10)
            let outcomes = try await store.gathering(11) {
                try await race(11) { position -> String in
                    if position < 10 {
                        return try await scenario.redeem(tokens[position], message: "m\(position)").word
                    }
                    do {
                        try await store.writer.perform("broken") { db in
                            try db.execute(sql: "UPDATE token SET spent_at = 1")
                            throw Broken()
                        }
                        return "done"
                    } catch let error as StoreError {
                        return error.code.rawValue
                    }
                }
            }
            #expect(outcomes == Array(repeating: "spent", count: 10) + ["unavailable"])
        }
    }

    @Test("when SQLite takes a whole group back in the middle, nothing of it is done and all of it fails")
    func wholeGroupTakenBack() async throws {
        try await withStore { store, scenario in
            let tokens = try await scenario.tokens(2)
            let event = TraceEvent(
                trace: Scenario.trace(1), at: Scenario.now, party: .device, step: "prefetch", situation: .success,
                detail: "")
            // As SQLite does where a disk is full.
            try await store.pool.writeWithoutTransaction {
                try $0.execute(
                    sql: """
                        CREATE TRIGGER full BEFORE INSERT ON trace_event
                        BEGIN SELECT RAISE(ROLLBACK, 'the disk is full'); END
                        """)
            }
            let outcomes = try await store.gathering(2) {
                // So many that they do not wait.
                try await store.appendTraceEvents([TraceEvent](repeating: event, count: 512))
                return try await race(2) { position -> StoreError.Code? in
                    do {
                        _ = try await scenario.redeem(tokens[position], message: "m\(position)")
                        return nil
                    } catch let error as StoreError { return error.code }
                }
            }
            #expect(outcomes == [.unavailable, .unavailable])
            try await scenario.expectNothingBilled()
            try await store.pool.writeWithoutTransaction { try $0.execute(sql: "DROP TRIGGER full") }
            for (position, token) in tokens.enumerated() {
                #expect(try await scenario.redeem(token, message: "m\(position)").word == "spent")
            }
        }
    }

    @Test("readiness, a pair's record and revocations are vital, but not for a caller who has proved nothing")
    func vitalOperations() {
        let vital = ["check", "claim pair", "record for pair", "release pair", "revoke credentials"]
        let subject = RequestSubject(listener: "device")
        RequestSubject.$current.withValue(subject) {
            for name in vital { #expect(Urgency(of: name) == .unproven(listener: "device")) }
            subject.prove()
            for name in vital { #expect(Urgency(of: name) == .vital) }
            #expect(Urgency(of: "redeem") == .other)
        }
    }

    /// The 600th write of a flood of 1,000 blocks the writer, in a later group than the first.
    ///
    /// - Parameter isUnproven: `false` is a naive writer that treats all callers alike. The flood is then work like any
    ///   other, and the honest write waits behind it.
    @Test(
        "1,000 writes of unproven callers delay neither readiness, pairs and revocations nor a proven caller's write",
        arguments: [true, false])
    func flood(isUnproven: Bool) async throws {
        try await withStore { store, _ in
            let standing = try await store.claimPair("west", by: "gateway-1", seen: PairStanding())
            let west = PairFence(pair: "west", owner: "gateway-1", fence: standing.fence)
            let blocked = DispatchSemaphore(value: 0)
            let begin = DispatchSemaphore(value: 0)
            defer { for gate in [begin, blocked] { gate.signal() } }
            let written = Mutex(0)
            let answered = Names()
            store.pool.asyncWriteWithoutTransaction { _ in begin.wait() }
            let subject = isUnproven ? RequestSubject(listener: "device") : nil
            let flood = Self.write(1000, as: subject, on: store) {
                let count = written.withLock { count in
                    count += 1
                    return count
                }
                if count == 600 { blocked.wait() }
            }
            try await until { store.writer.waitingJobs == 1000 }
            let proven = RequestSubject(listener: "device")
            proven.prove()
            let others: [Task<Void, any Error>] = [
                Task {
                    try await store.check()
                    answered.insert("check")
                },
                Task {
                    _ = try await store.claimPair("east", by: "gateway-1", seen: PairStanding())
                    answered.insert("claim")
                },
                Task {
                    _ = try await store.recordForPair([], under: west, after: standing.sequence, at: Scenario.now)
                    answered.insert("record")
                },
                Task {
                    try await store.revokeCredentials(bindings: [BindingID(rawValue: 1)], at: Scenario.now)
                    answered.insert("revoke")
                },
                Task {
                    try await RequestSubject.$current.withValue(proven) {
                        try await store.writer.perform("honest") { _ in }
                    }
                    answered.insert("honest")
                },
            ]
            try await until { store.writer.waitingJobs == 1005 }
            begin.signal()
            try await until { written.withLock { $0 == 600 } }
            let vital: Set = ["check", "claim", "record", "revoke"]
            try await until { answered.all.isSuperset(of: isUnproven ? vital.union(["honest"]) : vital) }
            #expect(answered.all.contains("honest") == isUnproven)
            blocked.signal()
            for task in others { try await task.value }
            try await flood.value
        }
    }

    @Test("a stranger's write beyond 1,024 that wait is refused at once as too many, and a proven caller's is done")
    func refusedFlood() async throws {
        try await withStore { store, _ in
            let begin = DispatchSemaphore(value: 0)
            defer { begin.signal() }
            store.pool.asyncWriteWithoutTransaction { _ in begin.wait() }
            let stranger = RequestSubject(listener: "device")
            let flood = Self.write(1024, as: stranger, on: store) {}
            try await until { store.writer.waitingJobs == 1024 }
            let error = await #expect(throws: StoreError.self) {
                try await RequestSubject.$current.withValue(stranger) {
                    try await store.writer.perform("one more") { _ in }
                }
            }
            #expect(error?.code == .unavailable && error?.detail.contains("too many wait for it") == true)
            let honest = Task { try await store.writer.perform("honest") { _ in } }
            try await until { store.writer.waitingJobs == 1025 }
            begin.signal()
            try await honest.value
            try await flood.value
        }
    }

    private final class Names: Sendable {
        private let names = Mutex<Set<String>>([])

        var all: Set<String> { names.withLock { $0 } }

        func insert(_ name: String) { names.withLock { _ = $0.insert(name) } }
    }

    /// Writes of `count` requests with a subject; `nil` is the installation itself.
    private static func write(
        _ count: Int, as subject: RequestSubject?, on store: SQLiteStore, _ body: @escaping @Sendable () -> Void
    ) -> Task<Void, any Error> {
        Task {
            try await RequestSubject.$current.withValue(subject) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<count {
                        group.addTask { try await store.writer.perform("flood") { _ in body() } }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    private static let event = TraceEvent(
        trace: Scenario.trace(1), at: Scenario.now, party: .device, step: "prefetch", situation: .success, detail: "")

    @Test("trace events that nobody asks for are written after a while all the same")
    func flushedEvents() async throws {
        try await withStore { store, _ in
            try await store.appendTraceEvents([Self.event])
            try await until {
                try await store.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM trace_event") } == 1
            }
        }
    }

    @Test("a failure is told once with what to do, and so is the first write that succeeds again")
    func told() async throws {
        let place = try TemporaryPlace()
        let book = LogBook(from: .notice)
        let store = try SQLiteStore(path: place.path, logger: book.logger)
        let scenario = Scenario(store: store) { store }
        let tokens = try await scenario.tokens(2)
        let watch = store.watch()
        watch.forbid(true)
        for _ in 0..<2 {
            await #expect(throws: StoreError(.unavailable, "")) { try await scenario.redeem(tokens[0], message: "m") }
        }
        watch.forbid(false)
        // A commit without changes does not show whether the disk works.
        try await store.writer.perform("nothing") { _ in }
        #expect(
            book.lines == [
                "error writes fail; nothing is answered that is not safe "
                    + "advice=nothing was answered that is not safe; the next write tries again "
                    + "reason=commit: Forbidden"
            ])
        for token in tokens { #expect(try await scenario.redeem(token, message: nil).word == "spent") }
        #expect(book.lines.dropFirst() == ["notice writes succeed again"])
        await store.close()
    }

    @Test("trace events that the file does not take are dropped and counted, and the group's operations are done")
    func droppedEvents() async throws {
        let place = try TemporaryPlace()
        let book = LogBook(from: .notice)
        let store = try SQLiteStore(path: place.path, logger: book.logger)
        let scenario = Scenario(store: store) { store }
        let token = try await scenario.tokens(1)[0]
        try store.onWriter(
            "CREATE TRIGGER none BEFORE INSERT ON trace_event BEGIN SELECT RAISE(ABORT, 'not these'); END")
        let word = try await store.gathering(1) {
            // So many that they do not wait.
            try await store.appendTraceEvents([TraceEvent](repeating: Self.event, count: 512))
            return try await scenario.redeem(token, message: "m").word
        }
        #expect(word == "spent")
        #expect(
            book.lines == [
                "error trace events dropped events=512 "
                    + "reason=write trace events: against the rules of the schema (SQLite 1811)"
            ])
        #expect(try await store.traceEvents(Self.event.trace).isEmpty)
        await store.close()
    }

    @Test("whoever closes a store that is being closed or is closed returns when it is")
    func closedTwice() async throws {
        let place = try TemporaryPlace()
        let store = try SQLiteStore(path: place.path, logger: .init(label: "test"))
        async let both: (Void, Void) = (store.close(), store.close())
        _ = await both
        await store.close()
        let log = (try? Data(contentsOf: URL(fileURLWithPath: place.path + "-wal"))) ?? Data()
        #expect(log.isEmpty, "everything is in the file itself")
    }

    @Test("trace events that wait are there when they are asked for")
    func ridingEvents() async throws {
        try await withStore { store, scenario in
            let event = TraceEvent(
                trace: Scenario.trace(1), at: Scenario.now, party: .device, step: "prefetch", situation: .success,
                detail: "")
            try await store.appendTraceEvents([event])
            #expect(try await store.traceEvents(event.trace) == [event])
        }
    }
}

extension Scenario {
    func tokens(_ count: Int) async throws -> [TokenRecord] {
        let subscription = try await subscription()
        var tokens: [TokenRecord] = []
        for index in 0..<count { tokens.append(try await issue(token("token \(index)", of: subscription))) }
        return tokens
    }
}
