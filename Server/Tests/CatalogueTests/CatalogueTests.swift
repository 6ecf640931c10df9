import BenjiFaceProtocol
import BenjiProtocol
import Catalogue
import Endpoints
import Testing

@Suite("Catalogue")
struct CatalogueTests {
    /// The vendor of each numbered document.
    private static let vendors = [
        "000": "TYRZSDK", "001": "TYRZLogin", "002": "GeYan", "003": "SuperID", "004": "OneLogin",
    ]

    @Test("Every code that a document prints has exactly one entry in its table, in the document's order")
    func documentedCodes() {
        for (table, documented) in DocumentedCodes.documents {
            let ours = Catalogue.entries.filter { $0.table == table && $0.version.hasPrefix("00") }
            #expect(ours.map(\.code) == documented, "\(table.rawValue)")
            #expect(Set(ours.map(\.version)).count == 1)
            #expect(
                table.source[.english].hasPrefix("\(Self.vendors[ours[0].version] ?? "nobody")'s document"),
                "\(table.rawValue)")
        }
    }

    @Test("Every code that a vendor added later has its version, and nothing has a version that nobody listed")
    func laterCodes() {
        // OpenID's codes are held to the provider's own list (`CodePageTests`).
        let later = Catalogue.entries.filter {
            !$0.version.hasPrefix("00") && $0.version != "benji" && $0.table != .openID
        }
        for (table, entries) in Dictionary(grouping: later, by: \.table) {
            let versions = Dictionary(grouping: entries, by: \.version).mapValues { $0.map(\.code) }
            #expect(versions == DocumentedCodes.later[table], "\(table.rawValue)")
        }
        #expect(Set(later.map(\.table)) == Set(DocumentedCodes.later.keys))
    }

    @Test("Every table is a document's, a later one, OpenID's or Benji's own")
    func tables() {
        let listed = Set(DocumentedCodes.documents.keys).union(DocumentedCodes.later.keys).union([.device, .openID])
        #expect(listed == Set(CodeTable.allCases))
        #expect(Set(Catalogue.entries.map(\.table)) == listed)
    }

    @Test("No table lists a code twice")
    func uniqueCodes() {
        for table in CodeTable.allCases {
            let codes = Catalogue.entries.filter { $0.table == table }.map(\.code)
            #expect(Set(codes).count == codes.count, "\(table.rawValue)")
        }
    }

    @Test("The device table explains every situation and nothing else, in the order of the situations")
    func deviceCodes() {
        let faces = Set(Situation.ofFaceLogin)
        #expect(Situation.all.filter { !faces.contains($0) } == Situation.ofNumberLogin)
        #expect(Situation.all.filter(faces.contains) == Situation.ofFaceLogin)
    }

    @Test("Every code that an answer can carry is explained in the table it is taken from")
    func sentCodes() {
        for situation in Situation.all {
            for table in CodeTable.allCases {
                for place in CodeColumn.Circumstances.all {
                    let code = ResultCodes.code(
                        for: situation, in: table, carrier: place.carrier, step: place.step)
                    guard let code else { continue }
                    let name = "\(situation) in \(table.rawValue): \(code.code)"
                    #expect(Catalogue.entry(code.code, in: table) != nil, "\(name)")
                }
            }
        }
    }

    @Test("A look-up returns every meaning of a code and keeps the tables apart")
    func lookUp() throws {
        let tables = Catalogue.entries(for: "103114").map(\.table)
        #expect(tables == [.tyrzPlatform])
        #expect(Catalogue.entries(for: "103902").map(\.table) == [.cmPhone, .tyrzPlatform, .cmSDKLater, .geyanMobile])
        let phone = try #require(Catalogue.entry("103106", in: .cmPhone))
        let platform = try #require(Catalogue.entry("103106", in: .tyrzPlatform))
        #expect(phone[.english] != platform[.english])
        #expect(Catalogue.entry("103106", in: .cmSDK) == nil)
        #expect(Catalogue.entries(for: "no such code").isEmpty)
        for entry in Catalogue.entries {
            #expect(Catalogue.entry(entry.code, in: entry.table) == entry)
        }
    }
}
