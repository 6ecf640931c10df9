import BenjiProtocol
import Foundation
import GRDB
import Store
import Testing

@testable import StoreConformance
@testable import StoreSQLite

@Suite("A disk that fails stops answers, never the store")
struct FailingDiskTests {
    @Test("on a full disk writes are unavailable, reads go on, and when there is room again so do writes")
    func full() async throws {
        try await withStore { store, scenario in
            let subscription = try await scenario.subscription()
            let token = try await scenario.issue(scenario.token("t", of: subscription))
            try store.onWriter("PRAGMA max_page_count = 1")
            var stored = 0
            var failure: StoreError?
            for index in 0..<5000 where failure == nil {
                do {
                    try await store.insertScrip(scenario.scrip("s\(index)", of: subscription))
                    stored += 1
                } catch { failure = error as? StoreError }
            }
            let full = try #require(failure, "the file never filled up")
            #expect(full.code == .unavailable)
            #expect(full.detail.contains("full"))
            #expect(try await store.token(token.hash) == token)
            #expect(try await store.scrip(Scenario.hash("s\(stored)")) == .unknown)
            try store.onWriter("PRAGMA max_page_count = 1073741823")
            try await store.insertScrip(scenario.scrip("s\(stored)", of: subscription))
            try await scenario.expectUnspent(token, message: "m", after: "a full disk")
        }
    }

    @Test("on a read-only disk writes and the check are unavailable, and recover with it")
    func readOnly() async throws {
        try await withStore { store, scenario in
            let token = try await scenario.issue(scenario.token("t", of: try await scenario.subscription()))
            try store.onWriter("PRAGMA query_only = 1")
            await #expect(throws: StoreError(.unavailable, "")) { try await store.check() }
            await #expect(throws: StoreError(.unavailable, "")) { try await scenario.redeem(token, message: "m") }
            try store.onWriter("PRAGMA query_only = 0")
            try await store.check()
            try await scenario.expectUnspent(token, message: "m", after: "a read-only disk")
        }
    }

    @Test("trace events that could not be written are written later")
    func tracesWait() async throws {
        try await withStore { store, scenario in
            let event = TraceEvent(
                trace: Scenario.trace(1), at: Scenario.now, party: .gateway, step: "prefetch", situation: .success,
                detail: "")
            try store.onWriter("PRAGMA query_only = 1")
            try await store.appendTraceEvents([event])
            await #expect(throws: StoreError(.unavailable, "")) { try await store.traceEvents(event.trace) }
            try store.onWriter("PRAGMA query_only = 0")
            #expect(try await store.traceEvents(event.trace) == [event])
        }
    }

    @Test("an error names the operation and SQLite's code, and no value")
    func noValues() async throws {
        try await withStore { store, scenario in
            var app = AppRecord(
                id: Scenario.app, name: "secret name", keys: [], capabilities: [], bundleIDs: [],
                serverAddresses: [], sourceIDs: ["secret source"], createdAt: Scenario.now)
            try await store.createApp(app)
            app.id = Scenario.otherApp
            let second = app
            let error = await #expect(throws: StoreError.self) { try await store.createApp(second) }
            #expect(error?.detail == "create app: exists already (SQLite 1555)")
        }
    }

    @Test("a text that is no value of its type makes its own reads corrupt, not the process stop")
    func damagedValue() async throws {
        try await withStore { store, scenario in
            let subscription = try await scenario.subscription()
            let good = try await scenario.issue(scenario.token("good", of: subscription))
            let bad = try await scenario.issue(scenario.token("bad", of: subscription))
            try await store.pool.write { db in
                try db.execute(
                    sql: "UPDATE token SET trace = 'not a trace' WHERE hash = ?", arguments: [Data(bad.hash.bytes)])
            }
            let error = await #expect(throws: StoreError.self) { try await store.token(bad.hash) }
            #expect(error == StoreError(.corrupt, ""))
            #expect(error?.detail == "read token: token.trace cannot be read")
            #expect(try await store.token(good.hash) == good)
        }
    }

    @Test("no contract, leaf, node, head or first day of the ledger is changed or removed, even by SQL")
    func appendOnlyTables() async throws {
        try await withStore { store, _ in
            for sql in [
                "PRAGMA foreign_keys = OFF",
                "INSERT INTO app_contract (app, number, from_day, added_at) VALUES ('a', 1, 20261118, 1)",
                "PRAGMA foreign_keys = ON",
                "INSERT INTO log_leaf (leaf, hash, kind, source) VALUES (0, zeroblob(32), 'release', 1)",
                "INSERT INTO log_node (place, hash) VALUES (1, zeroblob(32))",
                "INSERT INTO log_head (hour, size, root, at, text) VALUES (1, 1, zeroblob(32), 1, 't')",
            ] {
                try store.onWriter(sql)
            }
            for sql in [
                "UPDATE app_contract SET daily_limit = 1", "DELETE FROM app_contract",
                "UPDATE ledger_begin SET day = -1", "DELETE FROM ledger_begin",
                "UPDATE log_leaf SET hash = randomblob(32)", "UPDATE log_leaf SET source = 2", "DELETE FROM log_leaf",
                "UPDATE log_node SET hash = randomblob(32)", "DELETE FROM log_node", "UPDATE log_head SET size = 0",
                "UPDATE log_head SET at = 0", "DELETE FROM log_head",
            ] {
                #expect(throws: DatabaseError.self, "\(sql)") { try store.onWriter(sql) }
            }
            // The log itself writes an hour's heads over one another, and begins each hour with one more.
            try store.onWriter(
                """
                INSERT INTO log_head (hour, size, root, at, text) VALUES (1, 2, zeroblob(32), 2, 't')
                ON CONFLICT (hour) DO UPDATE SET size = excluded.size, root = excluded.root, at = excluded.at
                """)
            try store.onWriter("INSERT INTO log_head (hour, size, root, at, text) VALUES (2, 2, zeroblob(32), 3, 't')")
        }
    }

    @Test("the ledger and consents cannot be changed, nor the ledger shortened, even by SQL")
    func appendOnly() async throws {
        try await withStore { store, scenario in
            let token = try await scenario.issue(scenario.token("t", of: try await scenario.subscription()))
            _ = try await scenario.redeem(token, message: "m")
            for sql in [
                "UPDATE ledger SET result = 'other'", "DELETE FROM ledger", "UPDATE consent SET record = ''",
                "UPDATE consent SET content = 2", "UPDATE consent_content SET text = ''",
            ] {
                #expect(throws: DatabaseError.self, "\(sql)") { try store.onWriter(sql) }
            }
            #expect(try await store.ledgerEntries(app: Scenario.app, limit: 9).map(\.result) == ["released"])
        }
    }
}
