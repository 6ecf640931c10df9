import BenjiCatalogue
import BenjiProtocol
import Testing

@Suite("Catalogue")
struct CatalogueTests {
    /// Tables that the catalogue does not explain yet.
    private let unexplained = Set(CodeTable.allCases.filter { $0.dialect != .device && $0.dialect != .cmpassport })
        .union([.cmSDKLater])

    @Test("A table is explained or named as not explained yet, never both")
    func gaps() {
        let explained = Set(Catalogue.entries.map(\.table))
        #expect(explained.isDisjoint(with: unexplained))
        #expect(explained.union(unexplained) == Set(CodeTable.allCases))
    }

    @Test("Every code that a document prints has exactly one entry in its table, in the document's order")
    func documentedCodes() {
        for (table, documented) in DocumentedCodes.all {
            let ours = Catalogue.entries.filter { $0.table == table && $0.version != "benji" }
            #expect(ours.map(\.code) == documented, "\(table.rawValue)")
            #expect(Set(ours.map(\.version)) == [table.rawValue.hasPrefix("cm") ? "000" : "001"])
        }
        let documents = Set(CodeTable.allCases).subtracting([.device])
        #expect(Set(DocumentedCodes.all.keys) == documents.subtracting(unexplained))
    }

    @Test("No table lists a code twice")
    func uniqueCodes() {
        for table in CodeTable.allCases {
            let codes = Catalogue.entries.filter { $0.table == table }.map(\.code)
            #expect(Set(codes).count == codes.count, "\(table.rawValue)")
        }
    }

    @Test("The device table explains every situation, in the order of the situations")
    func deviceCodes() {
        let codes = Catalogue.entries.filter { $0.table == .device }.map(\.code)
        #expect(codes == Situation.allCases.map(\.rawValue))
    }

    @Test("Every code that an answer can carry is explained in the table it is taken from")
    func sentCodes() {
        for situation in Situation.allCases {
            for table in CodeTable.allCases where !unexplained.contains(table) {
                for carrier in [nil] + Carrier.allCases.map(Optional.some) {
                    guard let code = ResultCodes.code(for: situation, in: table, carrier: carrier) else { continue }
                    let place = "\(situation) in \(table.rawValue): \(code.code)"
                    #expect(Catalogue.entry(code.code, in: table) != nil, "\(place)")
                }
            }
        }
    }

    @Test("A look-up returns every meaning of a code and keeps the tables apart")
    func lookUp() throws {
        let tables = Catalogue.entries(for: "103114").map(\.table)
        #expect(tables == [.tyrzPlatform])
        #expect(Catalogue.entries(for: "103902").map(\.table) == [.cmPhone, .tyrzPlatform])
        let phone = try #require(Catalogue.entry("103106", in: .cmPhone))
        let platform = try #require(Catalogue.entry("103106", in: .tyrzPlatform))
        #expect(phone.en != platform.en)
        #expect(Catalogue.entry("103106", in: .cmSDK) == nil)
        #expect(Catalogue.entries(for: "no such code").isEmpty)
        for entry in Catalogue.entries {
            #expect(Catalogue.entry(entry.code, in: entry.table) == entry)
        }
    }
}
