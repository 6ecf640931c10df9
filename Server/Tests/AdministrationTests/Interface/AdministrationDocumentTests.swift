import Administration
import BenjiProtocol
import Foundation
import Testing
import Yams

/// docs/openapi/admin.yaml beside the orders that there are.
@Suite("The admin interface's document")
struct AdministrationDocumentTests {
    private func document() throws -> [String: Any] {
        // Server/Tests/AdministrationTests/Interface/…, four folders below the repository.
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<5 { root.deleteLastPathComponent() }
        let text = try String(contentsOf: root.appending(path: "docs/openapi/admin.yaml"), encoding: .utf8)
        return try #require(try Yams.load(yaml: text) as? [String: Any])
    }

    private func operations() throws -> [String: [String: Any]] {
        let paths = try #require(try document()["paths"] as? [String: [String: [String: Any]]])
        var operations: [String: [String: Any]] = [:]
        for (path, methods) in paths {
            for (method, operation) in methods { operations["\(method.uppercased()) \(path)"] = operation }
        }
        return operations
    }

    @Test("the document has the address of each order and no other")
    func addresses() throws {
        let routes = Orders.all.map { "\($0.route.method.rawValue) \($0.route.path)" }
        #expect(Set(try operations().keys) == Set(routes))
    }

    @Test("the document has the members of each order: in the path, the query or the body")
    func members() throws {
        let operations = try operations()
        for order in RoleTests.samples(try #require(AppID(rawValue: "300000000001"))) {
            let route = type(of: order).route
            let operation = try #require(operations["\(route.method.rawValue) \(route.path)"])
            var described: Set<String> = []
            for parameter in operation["parameters"] as? [[String: Any]] ?? [] {
                if let name = parameter["name"] as? String { described.insert(name) }
            }
            let content = (operation["requestBody"] as? [String: Any])?["content"] as? [String: [String: [String: Any]]]
            let schema = content?["application/json"]?["schema"]
            if let properties = schema?["properties"] as? [String: Any] { described.formUnion(properties.keys) }
            guard case .object(let members) = try OrderForm.write(order) else { continue }
            let usual = type(of: order).usual.map(\.name)
            for name in members.map(\.name) + usual {
                #expect(described.contains(name), "\(type(of: order).name): \(name)")
            }
            #expect(described.contains("reason") == (route.method != .get), "\(type(of: order).name)")
        }
    }
}
