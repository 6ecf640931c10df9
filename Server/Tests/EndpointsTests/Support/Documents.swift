import Foundation
import HTTPTypes

@testable import ServerHTTP

/// The repository's documents, as tests hold them to the code.
enum Documents {
    /// A file of `docs/`.
    static func text(_ path: String) throws -> String {
        // Server/Tests/EndpointsTests/Support/…, four folders below the repository.
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<5 { root.deleteLastPathComponent() }
        return try String(contentsOf: root.appendingPathComponent("docs").appendingPathComponent(path), encoding: .utf8)
    }

    /// `GET /path` for each operation of an OpenAPI document of ours.
    static func operations(_ name: String) throws -> Set<String> {
        var described: Set<String> = []
        var path = ""
        for line in try text("openapi/\(name).yaml").split(separator: "\n") {
            if line.hasPrefix("  /") { path = String(line.dropFirst(2).dropLast()) }
            if line == "    post:" || line == "    get:" {
                described.insert("\(line.dropFirst(4).dropLast().uppercased()) \(path)")
            }
        }
        return described
    }

    static func operations(_ routes: [EndpointRoute]) -> Set<String> {
        Set(routes.map { "\($0.method.rawValue) \($0.path)" })
    }
}
