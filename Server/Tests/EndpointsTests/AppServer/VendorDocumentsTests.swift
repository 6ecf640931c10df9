import HTTPTypes
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints

/// What the documents promise is what the code does.
@Suite("The vendors' dialects' documents")
struct VendorDocumentsTests {
    private func codes(_ table: CodeTable) -> Set<String> {
        Set(Situation.allCases.compactMap { ResultCodes.code(for: $0, in: table)?.code })
    }

    @Test("the OpenAPI document has exactly the paths that exist")
    func paths() throws {
        let described = try Documents.text("openapi/vendors.yaml").split(separator: "\n").filter { $0.hasPrefix("  /") }
            .map { String($0.dropFirst(2).dropLast()) }
        let desk = ScriptedServerDesk()
        let routes = OneLoginEndpoints(desk: desk).routes + GeYanEndpoints(desk: desk).routes
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

    @Test("each page's table of codes names each of them")
    func pages() throws {
        let pages = [
            ("onelogin-dialect.md", [CodeTable.oneLoginServer, .onePassServer]), ("geyan-dialect.md", [.geyanServer]),
        ]
        for (page, tables) in pages {
            let words = Set(try Documents.text(page).split { !$0.isNumber }.map(String.init))
            for code in tables.flatMap(codes) { #expect(words.contains(code), "\(page): \(code)") }
        }
    }

    @Test("every code that an answer can carry has a text")
    func texts() {
        for table in [CodeTable.oneLoginServer, .onePassServer, .geyanServer] {
            for situation in Situation.allCases where ResultCodes.code(for: situation, in: table) != nil {
                let result = ServerResult(situation, in: table, fallback: "")
                #expect(!result.description.isEmpty, "\(result.code) in \(table.rawValue)")
            }
        }
    }
}
