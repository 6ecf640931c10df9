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

    private func pieces(_ store: SQLiteStore) async throws -> [String] {
        try await store.pool.read { db in try String.fetchAll(db, sql: "SELECT text FROM consent_content") }
    }

    @Test("consents to one page share it, and each is read back byte for byte")
    func shared() async throws {
        try await withStore { store, scenario in
            try await logIn(at: [0, 1, 2], scenario)
            #expect(try await pieces(store).count == 1)
            let piece = try #require(try await pieces(store).first.flatMap { Base64URL.decode($0) })
            #expect(#"{"texts":["{ \" }"]}"#.contains(String(decoding: piece, as: UTF8.self)) && piece.count > 16)
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

    @Test("a page in many spellings has its first four kept once, and every consent is read back")
    func spellings() async throws {
        try await withStore { store, scenario in
            let subscription = try await scenario.subscription()
            let records = (0..<6).map { number in
                Scenario.record(
                    of: Scenario.trace(number),
                    content: #"{"texts":[\#(String(repeating: " ", count: number))"long enough"]}"#)
            }
            for (number, record) in records.enumerated() {
                let token = scenario.token("t\(number)", of: subscription, trace: Scenario.trace(number))
                try await scenario.issue(token, record: record)
            }
            #expect(try await pieces(store).count == 4)
            for (number, record) in records.enumerated() {
                #expect(try await store.consents(of: Scenario.trace(number)).map(\.record) == [record])
            }
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
            #expect(try await pieces(store).count == 1)
            #expect(try await store.deleteConsents(before: last + .seconds(Self.day + 1), limit: 9) == 0)
            #expect(try await pieces(store).isEmpty)
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

@Suite("The piece of a consent that its page shares")
struct SharedPieceTests {
    private func record(_ payload: String) -> String {
        ["{}", payload, "signature"].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
    }

    @Test(
        "lies inside the content, and ends at most two bytes before the content does",
        arguments: [
            (#"{"content":{"a":"bcdef"},"a":1}"#, #"{"a":"bcdef"}"#),
            (#"{"a":1,"content":{"b":{"c":"}{"}}}"#, #"{"b":{"c":"}{"}}"#),
            (#"{"content":{"b":"\\"},"content":{}}"#, #"{"b":"\\"}"#),
            (#"{"a":"\"content\":{","content":{"b":"\"}"}}"#, #"{"b":"\"}"}"#),
            (#"{"content":{"b":"\\\"}"},"z":"}"}"#, #"{"b":"\\\"}"}"#),
        ])
    func inside(payload: String, content: String) throws {
        let whole = Data(record(payload).utf8)
        let range = try #require(SharedPiece.range(in: whole))
        let piece = try #require(Base64URL.decode(String(decoding: whole[range], as: UTF8.self)))
        #expect(content.contains(String(decoding: piece, as: UTF8.self)))
        #expect(piece.count >= content.utf8.count - 4)
    }

    @Test("begins and ends where three bytes of the content are four characters of the record", arguments: 0..<9)
    func exact(shift: Int) throws {
        let (before, after) = (String(repeating: " ", count: shift % 3), String(repeating: "g", count: shift / 3))
        let content = #"{"a":"bcdef\#(after)"}"#
        let payload = #"{\#(before)"content":\#(content),"a":1}"#
        let whole = Data(record(payload).utf8)
        let range = try #require(SharedPiece.range(in: whole))
        let piece = try #require(Base64URL.decode(String(decoding: whole[range], as: UTF8.self)))
        let start = 11 + before.utf8.count
        let end = start + content.utf8.count
        let (first, last) = ((start + 2) / 3 * 3, end / 3 * 3)
        #expect(piece == Array(payload.utf8.dropFirst(first).prefix(last - first)))
    }

    @Test(
        "is not there in a record of another form, which is kept whole",
        arguments: [
            "", "record", "a.b", "e30.e30.e30", "e30.!.e30", "e30.eyJjb250ZW50Ijp7.e30", "e30.eyJjb250ZW50Ijp7fX0.e30",
        ])
    func whole(text: String) { #expect(SharedPiece.range(in: Data(text.utf8)) == nil) }
}
