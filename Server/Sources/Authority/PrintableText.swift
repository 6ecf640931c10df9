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
    package var shownName: String { Self.shownName(name, of: id.rawValue) }

    /// The same of an app that is not at hand as a record.
    package static func shownName(_ name: String, of id: String) -> String {
        let name = name.printable
        return name.allSatisfy(\.isWhitespace) ? id : name
    }
}
