import Foundation
import HTTPTypes
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import ServerHTTP

/// The documents' promises match the code.
@Suite("The device dialect's documents")
struct DeviceDocumentsTests {
    private func document(_ path: String) throws -> String {
        // Server/Tests/EndpointsTests/Device/…, four folders below the repository.
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<5 { root.deleteLastPathComponent() }
        return try String(contentsOf: root.appendingPathComponent("docs").appendingPathComponent(path), encoding: .utf8)
    }

    private func refusals() -> [String: Int] {
        Dictionary(
            uniqueKeysWithValues: DeviceEndpoints.situations.filter { $0 != .success }
                .map { ($0.rawValue, $0.httpStatus.code) })
    }

    @Test("the OpenAPI document has exactly the paths and methods that exist")
    func paths() throws {
        var described: [String: String] = [:]
        var path = ""
        for line in try document("openapi/device.yaml").split(separator: "\n") {
            if line.hasPrefix("  /") { path = String(line.dropFirst(2).dropLast()) }
            if line == "    post:" || line == "    get:" { described[path] = line.dropFirst(4).dropLast().uppercased() }
        }
        let service = ScriptedDeviceService()
        let routes = DeviceEndpoints(service: service, sightings: service, publicURLs: []).routes
        #expect(described == Dictionary(uniqueKeysWithValues: routes.map { ($0.path, $0.method.rawValue) }))
    }

    @Test("the OpenAPI document gives each code the status that it is sent with, and names no other code")
    func codes() throws {
        let lines = try document("openapi/device.yaml").split(separator: "\n").map(String.init)
        // Statuses by the name of the response that stands for them.
        var statuses: [String: Int] = [:]
        for (line, next) in zip(lines, lines.dropFirst()) {
            guard let status = Int(line.filter(\.isNumber)), line.hasSuffix("':"),
                next.contains("#/components/responses/")
            else { continue }
            statuses[String(next.split(separator: "/").last!.dropLast())] = status
        }
        var described: [String: Int] = [:]
        var response = ""
        let start = try #require(lines.firstIndex(of: "  responses:"))
        for line in lines[start...].prefix(while: { $0 != "  schemas:" }) {
            if line.hasPrefix("    "), !line.hasPrefix("     ") { response = String(line.dropFirst(4).dropLast()) }
            if line.hasPrefix("                      - ") { described[String(line.dropFirst(24))] = statuses[response] }
        }
        #expect(described == refusals())
    }

    @Test("the page's table of codes says the same")
    func page() throws {
        var described: [String: Int] = [:]
        for line in try document("device-dialect.md").split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 2, let status = Int(cells[0]) else { continue }
            for code in cells[1].split(separator: " ") { described[String(code.dropFirst().dropLast())] = status }
        }
        #expect(described.removeValue(forKey: "success") == 200)
        #expect(described == refusals())
    }
}
