@_spi(Server) import BenjiProtocol
package import Store

extension StringProtocol {
    /// The text on one line, without the characters that ``BenjiValues/TextGrammar`` refuses: for texts of
    /// unauthenticated senders, on terminals and in traces.
    package var printable: String { TextGrammar.cleaned(String(self)) }
}

extension AppRecord {
    /// The name as people read it; the id if the name shows nothing. A name that an earlier version took may hold
    /// characters that are refused now.
    package var shownName: String {
        let name = name.printable
        return name.allSatisfy(\.isWhitespace) ? id.rawValue : name
    }
}
