import Foundation
import HTTPTypes
import Testing

@testable import Authority
@testable import Endpoints

/// What the documents promise is what the code does.
@Suite("OpenID Connect's documents")
struct OpenIDDocumentsTests {
    @Test("the OpenAPI document has exactly the paths and methods that exist")
    func paths() async throws {
        // Server/Tests/EndpointsTests/OpenID/…, four folders below the repository.
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<5 { root.deleteLastPathComponent() }
        let document = try String(contentsOf: root.appendingPathComponent("docs/openapi/openid.yaml"), encoding: .utf8)
        var described: Set<String> = []
        var path = ""
        for line in document.split(separator: "\n") {
            if line.hasPrefix("  /") { path = String(line.dropFirst(2).dropLast()) }
            if line == "    post:" || line == "    get:" {
                described.insert("\(line.dropFirst(4).dropLast().uppercased()) \(path)")
            }
        }
        try await OpenIDWorld.visit { world in
            let routes =
                OpenIDEndpoints(provider: world.provider, sightings: world).browserRoutes
                + OpenIDEndpoints.serverRoutes(world.provider)
            #expect(described == Set(routes.map { "\($0.method.rawValue) \($0.path)" }))
        }
    }
}
