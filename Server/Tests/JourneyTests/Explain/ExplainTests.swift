import ArgumentParser
import BenjiProtocol
import Catalogue
import Endpoints
import Testing

@testable import BenjiCommand
@testable import ServerRuntime

@Suite("What `benji explain` says")
struct ExplainTests {
    @Test("A situation is found under its name in Swift too")
    func camelCase() throws {
        #expect(try ExplainCommand.entries(for: "userCancelled").map(\.code) == ["user_cancelled"])
        #expect(try ExplainCommand.entries(for: "cellularDataOff") == ExplainCommand.entries(for: "cellular_data_off"))
    }

    private let plain = Terminal(isColoured: false)

    private func text(_ code: String, _ language: ReportLanguages = .english) throws -> String {
        CodeReport(try ExplainCommand.entries(for: code), language).lines(plain).joined(separator: "\n")
    }

    @Test("a code that begins with a dash is a code, and what is no option is refused")
    func dashes() throws {
        #expect(try ExplainCommand.parse(["-20102"]).codes == ["-20102"])
        #expect(try ExplainCommand.parse(["--", "-20102"]).codes == ["-20102"])
        let command = try ExplainCommand.parse(["--json", "-64", "103000", "--language", "zh"])
        #expect(command.codes == ["-64", "103000"] && command.json && command.language == .chinese)
        #expect(throws: (any Error).self) { try ExplainCommand.parse(["--jsno", "103000"]) }
        #expect(throws: (any Error).self) { try ExplainCommand.parse([]) }
        #expect(throws: (any Error).self) { try ExplainCommand.parse(["--all", "103000"]) }
    }

    @Test("-20102 is shown with every dialect and version that uses it, each under its dialect")
    func everyDialect() throws {
        let lines = try text("-20102").split(separator: "\n")
        let heads = lines.filter { !$0.hasPrefix("    ") }.map { $0.trimmingPrefix("  ").prefix { $0 != "," } }
        #expect(
            heads == [
                "onelogin", "-20102  onelogin", "-20102  onelogin_2", "geyan", "-20102  geyan_biz",
                "-20102  geyan_ct", "-20102  geyan_3_biz",
            ])
    }

    @Test("what Benji answers with a code is told with carrier, step and why it stands in")
    func uses() throws {
        let business = try text("-40299")
        #expect(business.contains("network_failure"))
        #expect(business.contains("(unicom; authorize, verify)"))
        #expect(try text("-20102").contains("(prefetch; nearest: a second call while one runs)"))
        #expect(try text("-720001").contains("Benji never answers it"))
        #expect(try text("-50102").contains("carrier not known yet"))
    }

    @Test("a situation's name and what it means stand apart, however long the name is")
    func nameAndMeaning() throws {
        #expect(try text("30004").contains("remembered_account_invalid  "))
    }

    @Test("a language leaves the other one out")
    func languages() throws {
        #expect(try !text("103902", .chinese).contains("means"))
        #expect(try !text("103902", .english).contains("含义"))
        let both = try text("103902", .both)
        #expect(both.contains("means") && both.contains("含义"))
    }

    @Test("a code that no table has brings those that may have been meant")
    func unknown() {
        func failure(_ code: String) -> String? {
            do { _ = try ExplainCommand.entries(for: code) } catch { return "\(error)" }
            return nil
        }
        #expect(failure("20405")?.hasPrefix("no table has the code 20405; did you mean -20405, ") == true)
        #expect(failure("x") == "no table has the code x; `benji explain --all` lists them all")
        #expect(failure("103902") == nil)
    }

    @Test("the JSON of every entry names its table, its situations and, where they depend on something, on what")
    func json() throws {
        for entry in Catalogue.entries {
            let situations = ResultCodes.situations(for: entry.code, in: entry.table)
            let json = entry.json
            #expect(json["situations"] == .array(situations.map { .string($0.rawValue) }))
            #expect(json["table"] == .string(entry.table.rawValue))
            #expect(json["zh"]?["meaning"] == .string(entry.meaning.simplifiedChinese))
        }
        let entry = try #require(Catalogue.entry("-40299", in: .oneLogin))
        let use = try #require(entry.json["uses"]?.arrayValue?.first { $0["situation"] == "network_failure" })
        #expect(use["carriers"] == .array([.string("unicom")]))
        #expect(use["steps"] == .array([.string("authorize"), .string("verify")]))
    }
}
