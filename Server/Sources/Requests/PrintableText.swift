@_spi(Server) import BenjiProtocol

extension StringProtocol {
    /// The text on one line, without the characters that ``BenjiValues/TextGrammar`` refuses: for texts of
    /// unauthenticated senders, on terminals and in traces.
    package var printable: String { TextGrammar.cleaned(String(self)) }
}
