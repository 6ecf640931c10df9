import BenjiProtocol
import GRDB
import Store
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
        "no answer is given before the commit: if it fails, all fail as unavailable, nothing was changed, and later writes work"
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
