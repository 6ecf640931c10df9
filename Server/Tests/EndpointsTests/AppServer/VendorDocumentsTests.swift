import Catalogue
import HTTPTypes
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import ServerHTTP

/// The documents' promises match the code.
@Suite("The vendors' dialects' documents")
struct VendorDocumentsTests {
    private func codes(_ table: CodeTable) -> Set<String> {
        Set(Situation.all.compactMap { ResultCodes.code(for: $0, in: table)?.code })
    }

    @Test("the OpenAPI document has exactly the paths that exist")
    func paths() throws {
        let described = try Documents.text("openapi/vendors.yaml").split(separator: "\n").filter { $0.hasPrefix("  /") }
            .map { String($0.dropFirst(2).dropLast()) }
        let service = ScriptedServerService()
        let routes = OneLoginEndpoints(service: service).routes + GeYanEndpoints(service: service).routes
        #expect(described.sorted() == routes.map(\.path).sorted())
        #expect(routes.allSatisfy { $0.method == .post })
    }

    @Test("the OpenAPI document names exactly the codes that each interface can answer")
    func codes() throws {
        let lists = try Documents.text("openapi/vendors.yaml").split(separator: "\n").filter { $0.contains("enum: [") }
            .map { line in Set(line.split { !$0.isNumber }.map(String.init)) }
        for table in [CodeTable.oneLoginServer, .onePassServer, .geyanServer] {
            #expect(lists.contains(codes(table)), "\(table.rawValue): \(codes(table).sorted())")
        }
    }

    /// Returns the cells under `title` in the page's one table that has such a column, one code each.
    private func column(_ title: String, of page: String) throws -> Set<String> {
        func cells(_ line: Substring) -> [String] {
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.split(separator: " ").joined(separator: " ") }
        }
        // A table is a run of lines that begin with a bar; its first line is the heading, its second the rule.
        let lines = try Documents.text(page).split(separator: "\n", omittingEmptySubsequences: false)
        let tables = lines.split { !$0.hasPrefix("|") }.map { $0.map(cells) }.filter { $0[0].contains(title) }
        #expect(tables.count == 1, "\(page): tables with a column \(title)")
        let table = try #require(tables.first)
        let place = try #require(table[0].firstIndex(of: title))
        let rows = table.dropFirst(2)
        #expect(rows.allSatisfy { $0.count == table[0].count }, "\(page): a row has other cells than the heading")
        return Set(
            rows.filter { $0.indices.contains(place) }.flatMap { $0[place].split(separator: ",") }
                .map { String($0.filter { $0 != " " }) })
    }

    @Test(
        "under its own heading in the page's table stands each code that a call can answer, and no other",
        arguments: [
            ("onelogin-dialect.md", "check_phone", CodeTable.oneLoginServer),
            ("onelogin-dialect.md", "check_gateway", .onePassServer), ("geyan-dialect.md", "code", .geyanServer),
        ])
    func pages(page: String, title: String, table: CodeTable) throws {
        #expect(try column(title, of: page) == codes(table))
    }

    @Test("every code that an answer can carry has a text")
    func texts() {
        for table in [CodeTable.oneLoginServer, .onePassServer, .geyanServer] {
            for situation in Situation.all where ResultCodes.code(for: situation, in: table) != nil {
                let result = ServerResult(situation, in: table, fallback: "")
                #expect(!result.description.isEmpty, "\(result.code) in \(table.rawValue)")
            }
        }
    }
}
