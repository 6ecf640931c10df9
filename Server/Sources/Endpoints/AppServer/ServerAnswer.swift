import Authority
import BenjiProtocol
import Catalogue

/// One answer to an app's server, with the values that the log may contain.
struct ServerAnswer {
    var json: JSON
    var code: String
    var trace: TraceID?
}

/// A result code with its text, as every answer carries them.
struct ServerResult {
    var code: String
    var description: String

    /// - Parameter fallback: the code where the table has none for the situation; each covers what a server's request
    ///   can end in.
    init(_ situation: Situation, in table: CodeTable, carrier: Carrier? = nil, fallback: String) {
        code = ResultCodes.code(for: situation, in: table, carrier: carrier)?.code ?? fallback
        description = Catalogue.entry(code, in: table)?.meaning.simplifiedChinese ?? ""
    }
}
