internal import Authority
internal import BenjiCatalogue
internal import BenjiProtocol

/// One answer of the operator dialect: what is sent, and what the log may know of it.
struct CMPassportAnswer {
    var json: JSON
    var code: String
    var trace: TraceID?
}

/// A result code with its text, as every answer carries them.
struct CMPassportResult {
    var code: String
    var description: String

    init(_ situation: Situation, in table: CodeTable, carrier: Carrier? = nil) {
        // The tables have a code for every situation that a server's request can end in.
        code = ResultCodes.code(for: situation, in: table, carrier: carrier)?.code ?? "999"
        description = Self.documented[table]?[code] ?? Catalogue.entry(code, in: table)?.zh.meaning ?? ""
    }

    /// Texts that a document's example prints, and that callers may therefore compare.
    private static let documented: [CodeTable: [String: String]] = [
        .cmVerify: ["000": "是本机号码", "001": "非本机号码"]
    ]

    /// Documents 000 and 001 spell it `resultcode` in their tables and `resultCode` in their examples; callers read
    /// either.
    var members: [JSON.Member] {
        [
            JSON.Member("resultCode", .string(code)), JSON.Member("resultcode", .string(code)),
            JSON.Member("desc", .string(description)),
        ]
    }
}
