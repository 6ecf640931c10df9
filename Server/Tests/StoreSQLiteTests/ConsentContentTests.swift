import BenjiProtocol
import Foundation
import GRDB
import Store
import Testing

@testable import StoreConformance
@testable import StoreSQLite

@Suite("What a page showed is kept once")
struct ConsentContentTests {
    private static let day: Int64 = 86_400

    /// A login each, so many seconds after the first.
    private func logIn(at seconds: [Int64], _ scenario: Scenario) async throws {
        let subscription = try await scenario.subscription()
        for (number, seconds) in seconds.enumerated() {
            let moment = Scenario.now + .seconds(seconds)
            try await scenario.issue(
                scenario.token(
                    "t\(number)", of: subscription, issuedAt: moment, expiresAt: moment + .seconds(60),
                    trace: Scenario.trace(number)))
        }
    }

    private func contents(_ store: SQLiteStore) async throws -> [String] {
        try await store.pool.read { db in
            try Data.fetchAll(db, sql: "SELECT content FROM consent_content").map {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }

    @Test("consents to one page share it, and each is read back byte for byte")
    func shared() async throws {
        try await withStore { store, scenario in
            try await logIn(at: [0, 1, 2], scenario)
            #expect(try await contents(store) == [#"{"texts":["{ \" }"]}"#])
            for number in 0..<3 {
                let trace = Scenario.trace(number)
                #expect(try await store.consents(of: trace).map(\.record) == [Scenario.record(of: trace)])
            }
            let kept = try await store.pool.read { db in
                try String.fetchAll(db, sql: "SELECT record FROM consent")
            }
            #expect(kept.allSatisfy { $0.utf8.count < Scenario.record(of: Scenario.trace(0)).utf8.count - 20 })
        }
    }

    @Test("it stays as long as a consent needs it, and goes a day after the last one")
    func retention() async throws {
        try await withStore { store, scenario in
            try await logIn(at: [0, Self.day / 2, 3 * Self.day], scenario)
            let last = Scenario.now + .seconds(3 * Self.day)
            #expect(try await store.deleteConsents(before: last, limit: 9) == 2)
            #expect(
                try await store.consents(of: Scenario.trace(2)).map(\.record) == [
                    Scenario.record(of: Scenario.trace(2))
                ])
            #expect(try await store.deleteConsents(before: last + .seconds(1), limit: 1) == 1)
            #expect(try await store.deleteConsents(before: last + .seconds(Self.day), limit: 9) == 0)
            #expect(try await contents(store).count == 1)
            #expect(try await store.deleteConsents(before: last + .seconds(Self.day + 1), limit: 9) == 0)
            #expect(try await contents(store).isEmpty)
        }
    }

    @Test("a batch that leaves older consents leaves what they need")
    func batches() async throws {
        try await withStore { store, scenario in
            try await logIn(at: [0, 1], scenario)
            let later = Scenario.now + .seconds(9 * Self.day)
            #expect(try await store.deleteConsents(before: later, limit: 1) == 1)
            #expect(
                try await store.consents(of: Scenario.trace(1)).map(\.record) == [
                    Scenario.record(of: Scenario.trace(1))
                ])
        }
    }

    @Test("a consent whose page is missing is told as damage, and not as another consent")
    func missing() async throws {
        try await withStore { store, scenario in
            try await logIn(at: [0], scenario)
            try store.onWriter("DELETE FROM consent_content")
            await #expect(throws: StoreError(.corrupt, "")) { try await store.consents(of: Scenario.trace(0)) }
        }
    }
}

@Suite("A consent is split and joined")
struct SplitConsentTests {
    private func record(_ payload: String) -> String {
        ["{}", payload, "signature"].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
    }

    @Test(
        "the parts make the record again, wherever the content stands and whatever it holds",
        arguments: [
            #"{"content":{},"a":1}"#, #"{"a":1,"content":{"b":{"c":"}{"}}}"#, #"{"content":{"b":"\\"},"content":{}}"#,
            #"{"a":"\"content\":{","content":{"b":"\"}"}}"#, #"{"content":{"b":"\\\"}"},"z":"}"}"#, #""content":{}"#,
        ])
    func joined(payload: String) throws {
        let whole = record(payload)
        let split = try #require(SplitConsent(whole))
        #expect(split.record == whole)
        #expect(split.rest.utf8.count < whole.utf8.count)
    }

    @Test("the page is cut out whole and alone")
    func content() throws {
        let split = try #require(SplitConsent(record(#"{"a":1,"content":{"b":["}"]},"z":2}"#)))
        #expect(String(decoding: split.content, as: UTF8.self) == #"{"b":["}"]}"#)
        #expect(split.rest == record(#"{"a":1,"content":,"z":2}"#))
    }

    @Test(
        "another form is kept whole",
        arguments: ["", "record", "a.b", "a.b.c.d", "e30.e30.e30", "e30.!.e30", "e30.eyJjb250ZW50Ijp7.e30"])
    func whole(text: String) { #expect(SplitConsent(text) == nil) }

    @Test("parts that do not belong together make no record")
    func foreign() {
        #expect(SplitConsent(content: [], rest: record("{}"), position: 7).record == nil)
        #expect(SplitConsent(content: [], rest: "record", position: 0).record == nil)
    }
}
