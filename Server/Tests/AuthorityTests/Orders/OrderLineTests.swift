@_spi(Server) import BenjiProtocol
import Foundation
import Store
import Testing

@testable import Authority

@Suite("What is kept of an order, and how orders are read")
struct OrderLineTests {
    private static let now = Timestamp(seconds: 1_790_000_000)
    private static let note = OrderNote(
        actor: "tester", role: "operator", origin: "a test", order: "app.change", reason: "they moved",
        request: OrderRequest(key: "key", digest: [1]))

    private func list(_ range: Range<Int>) -> JSON { .array(range.map { .integer($0) }) }

    private func line(_ before: JSON?, _ after: JSON?, _ outcome: Situation = .success) -> AuditEntry {
        Self.note.entry(
            at: Self.now, app: AppID(rawValue: "300000000001"), subject: "subscription 1", from: before, to: after,
            outcome: outcome)
    }

    @Test("a line says who, from where, why and about what, and names its request if that was carried out")
    func members() {
        let line = line(nil, nil)
        #expect(line.actor == "tester" && line.role == "operator" && line.origin == "a test")
        #expect(line.order == "app.change" && line.reason == "they moved" && line.at == Self.now)
        #expect(line.app?.rawValue == "300000000001" && line.subject == "subscription 1")
        #expect(line.before == nil && line.after == nil && line.outcome == .success)
        #expect(line.request == Self.note.request)
        let refused = self.line(nil, nil, .parameterInvalid)
        #expect(refused.request == nil && refused.outcome == .parameterInvalid)
    }

    @Test("of what was and what is, only members that differ are kept, each on its own side")
    func differences() {
        let before = JSON.object(["a": 1, "b": "x", "c": true])
        let after = JSON.object(["a": 1, "b": "y", "d": false])
        let line = line(before, after)
        #expect(line.before == #"{"b":"x","c":true}"# && line.after == #"{"b":"y","d":false}"#)
        let same = self.line(before, before)
        #expect(same.before == nil && same.after == nil)
        #expect(self.line(nil, after).after == after.text && self.line(before, nil).before == before.text)
        #expect(self.line("text", "other").before == nil, "no object has members")
    }

    @Test("a list of twenty is kept whole, and of one more the elements that the other lacks, with its length")
    func longLists() {
        func sides(_ before: JSON, _ after: JSON) -> [String?] {
            let line = line(.object(["l": before]), .object(["l": after]))
            return [line.before, line.after]
        }
        let twenty = sides(list(0..<20), list(1..<20))
        #expect(twenty == [JSON.object(["l": list(0..<20)]).text, JSON.object(["l": list(1..<20)]).text])
        let cut = [#"{"l":{"only":[0],"count":21}}"#, #"{"l":{"only":[21,22],"count":22}}"#]
        #expect(sides(list(0..<21), list(1..<23)) == cut)
        #expect(sides(list(0..<1), list(0..<21))[0] == #"{"l":{"only":[],"count":1}}"#, "whichever is the long one")
        #expect(sides("none", list(0..<30))[1] == JSON.object(["l": list(0..<30)]).text, "a list that is new stays")
    }

    private struct Order: Decodable {
        var app: AppID
        var carrier: Carrier?
        var day: CalendarDay?
        var capability: Capability?

        enum CodingKeys: CodingKey { case app, carrier, day, capability }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            app = try container.decode(AppID.self, forKey: .app)
            carrier = try container.decodeIfPresent(Carrier.self, forKey: .carrier)
            day = try container.decodeIfPresent(CalendarDay.self, forKey: .day)
            capability = try container.decodeIfPresent(Capability.self, forKey: .capability)
        }
    }

    @Test("what is no value of its type is refused with the rule that it breaks, and never repeated; null is nothing")
    func decoding() throws {
        func order(_ members: String) throws -> Order {
            try JSONDecoder().decode(Order.self, from: Data("{\(members)}".utf8))
        }
        let app = #""app":"300000000001""#
        let full = try order(app + #","carrier":"mobile","day":"2026-11-21","capability":"login""#)
        #expect(full.app.rawValue == "300000000001" && full.carrier == .mobile && full.capability == .login)
        #expect(full.day?.number == 20_261_121)
        for bare in [try order(app), try order(app + #","carrier":null,"day":null"#)] {
            #expect(bare.carrier == nil && bare.day == nil && bare.capability == nil)
        }
        for (members, words) in [
            (#""app":"secret!""#, AppID.rule), (app + #","carrier":"Secret!""#, Carrier.rule),
            (app + #","day":"secret""#, CalendarDay.rule),
            (
                app + #","capability":"secret""#,
                "must be one of: \(Capability.allCases.map(\.rawValue).joined(separator: ", "))"
            ),
        ] {
            let error = #expect(throws: DecodingError.self, "\(members)") { try order(members) }
            guard case .dataCorrupted(let context)? = error else {
                Issue.record("another error: \(members)")
                continue
            }
            #expect(context.debugDescription == words)
        }
    }

    private enum Listed: String, CaseIterable, Decodable {
        case a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x
    }

    private enum Many: String, CaseIterable, Decodable {
        case a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y
    }

    /// A text of no grammar and of no list.
    private struct Odd: RawRepresentable, Decodable {
        var rawValue: String
        init?(rawValue: String) { return nil }
    }

    private struct Choice<Value: Decodable & RawRepresentable<String>>: Decodable {
        var value: Value
        enum CodingKeys: CodingKey { case value }

        init(from decoder: any Decoder) throws {
            value = try decoder.container(keyedBy: CodingKeys.self).decode(Value.self, forKey: .value)
        }
    }

    @Test("the values that there are are listed where they are twenty-four at the most")
    func lists() {
        func told<Value: Decodable & RawRepresentable<String>>(_ type: Value.Type) -> String {
            do {
                _ = try JSONDecoder().decode(Choice<Value>.self, from: Data(#"{"value":"secret"}"#.utf8))
            } catch DecodingError.dataCorrupted(let context) { return context.debugDescription } catch {}
            return "taken"
        }
        #expect(told(Listed.self) == "must be one of: " + Listed.allCases.map(\.rawValue).joined(separator: ", "))
        #expect(told(Many.self) == "is none of those that there are")
        #expect(told(Odd.self) == "is no value that there is")
        #expect(told(TraceID.self) == "must be 32 lower-case hexadecimal digits")
    }

    @Test("an overlap is a number of days or a word, as it is written")
    func overlaps() throws {
        let written: [(KeyOverlap, String)] = [
            (.days(30), "[30]"), (.untilRetired, #"["until-retired"]"#), (.none, #"["none"]"#),
        ]
        for (overlap, text) in written {
            #expect(try String(decoding: JSONEncoder().encode([overlap]), as: UTF8.self) == text)
            #expect(try JSONDecoder().decode([KeyOverlap].self, from: Data(text.utf8)) == [overlap])
        }
        for text in [#"["soon"]"#, "[true]", "[1.5]", "[[]]"] {
            #expect(throws: DecodingError.self, "\(text)") {
                try JSONDecoder().decode([KeyOverlap].self, from: Data(text.utf8))
            }
        }
    }
}
