import Administration
import Authority
import BenjiProtocol
import Foundation
import Requests
import Testing
import Yams

/// docs/openapi/admin.yaml beside the orders' descriptions.
@Suite("The admin interface's document")
struct AdministrationDocumentTests {
    private static var file: URL {
        // Server/Tests/AdministrationTests/Interface/…, five folders below the repository.
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<5 { root.deleteLastPathComponent() }
        return root.appending(path: "docs/openapi/admin.yaml")
    }

    @Test("the document is the one that the descriptions of all orders give")
    func document() throws {
        if ProcessInfo.processInfo.environment["BENJI_RENEW"] == "write" {
            try Data(OrderDocument.text.utf8).write(to: Self.file)
        }
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        #expect(text == OrderDocument.text, "renew docs/openapi/admin.yaml with: make renew ARGS=--all")
        _ = try #require(try Yams.load(yaml: text) as? [String: Any])
    }

    @Test("each member that an order's description names is read and written as it was given, and no other is")
    func members() throws {
        for order in Orders.all { try check(order) }
    }

    @Test("the words that the document's schemas list are those of the orders")
    func words() throws {
        let document = try #require(try Yams.load(yaml: OrderDocument.text) as? [String: Any])
        let schemas = try #require((document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]])
        for shape in Orders.all.flatMap({ order in order.fields.map { $0.shape } }).flatMap(Self.parts) {
            guard case .words(let words, let name?) = shape else { continue }
            #expect(schemas[name]?["enum"] as? [String] == words, "\(name)")
        }
    }

    private static func parts(_ shape: OrderShape) -> [OrderShape] {
        switch shape {
        case .list(let element, _): parts(element)
        case .map(let value, let names): parts(value) + (names.map(parts) ?? [])
        default: [shape]
        }
    }

    private func check<Asked: Order>(_ order: Asked.Type) throws {
        let needed = order.fields.filter { $0.isRequired || order.route.names.contains($0.name) }
        let required = needed.map { JSON.Member($0.name, Self.example($0)) }
        for field in order.fields {
            let given = required.filter { $0.name != field.name } + [JSON.Member(field.name, Self.example(field))]
            let written = try OrderForm.write(OrderForm.read(order, given))
            #expect(written[field.name] == Self.example(field), "\(order.name): \(field.name)")
            guard case .object(let members) = written else { continue }
            for member in members {
                #expect(order.fields.contains { $0.name == member.name }, "\(order.name): \(member.name)")
            }
        }
        #expect(throws: Refusal.self, "\(order.name)") {
            try OrderForm.read(order, required + [JSON.Member("surplus", 1)])
        }
        for field in needed {
            #expect(throws: Refusal.self, "\(order.name) without \(field.name)") {
                try OrderForm.read(order, required.filter { $0.name != field.name })
            }
        }
        for member in order.usual {
            #expect(order.fields.contains { $0.name == member.name }, "\(order.name): \(member.name)")
        }
    }

    /// A value that a member may have.
    private static func example(_ field: OrderField) -> JSON {
        switch (field.name, field.shape) {
        case ("number", _): "+8613900000009"
        case ("carrier", _): .string(Carrier.unicom.rawValue)
        case ("rates", _): .object([JSON.Member("released", "0.02")])
        default: example(field.shape)
        }
    }

    private static func example(_ shape: OrderShape) -> JSON {
        switch shape {
        case .flag: true
        case .bytes: "AAAA"
        case .integer(let least, _): .integer(least ?? 7)
        case .text(_, let pattern?): .string(examples[pattern] ?? "no example of \(pattern)")
        case .text: "some text"
        case .words(let words, _): .string(words[0])
        case .list(let element, _): .array([example(element)])
        case .map(let value, _): .object([JSON.Member("one", example(value))])
        case .change(let element): .array([example(element)])
        case .either(let one, _): example(one)
        case .schema("AppID"): "300000000001"
        case .schema("TraceID"): .string(String(repeating: "0", count: 32))
        case .schema("Day"): "2026-11-28"
        case .schema(let name): .string("no example of \(name)")
        }
    }

    private static let examples = [
        "^[0-9A-Z]{10}$": "ABCDE12345", "^[a-z0-9._-]{1,64}$": "ana", "^[a-z0-9._-]{1,58}$": "ana",
        "^[0-9A-Fa-f]{64}$": String(repeating: "0", count: 64), "^[0-9a-f]{32}$": String(repeating: "0", count: 32),
        "^#[0-9A-Fa-f]{6}$": "#112233", "^[A-Z]{3}$": "CNY", "^evt_[0-9A-Za-z]{1,60}$": "evt_1",
    ]
}
