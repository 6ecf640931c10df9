import Authority
import BenjiProtocol
import Catalogue

extension ServerResult {
    init(operator situation: Situation, in table: CodeTable, carrier: Carrier? = nil) {
        self.init(situation, in: table, carrier: carrier, fallback: "999")
        if let text = Self.documented[table]?[code] { description = text }
    }

    /// Texts that a document's example prints, and that callers may therefore compare.
    private static let documented: [CodeTable: [String: String]] = [
        .cmVerify: ["000": "是本机号码", "001": "非本机号码"]
    ]

    /// TYRZSDK's and TYRZLogin's documents spell it `resultcode` in their tables and `resultCode` in their examples;
    /// callers read either.
    var operatorMembers: [JSON.Member] {
        [
            JSON.Member("resultCode", .string(code)), JSON.Member("resultcode", .string(code)),
            JSON.Member("desc", .string(description)),
        ]
    }
}
