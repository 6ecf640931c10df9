@_spi(Server) package import BenjiProtocol

/// A text for one phone.
package struct ShortMessage: Hashable, Sendable {
    package var to: PhoneNumber
    package var text: String
    /// Who it comes from, as the phone shows it: a number, a short code, or up to eleven letters and digits. The sender's
    /// usual one if `nil`.
    package var from: String?
    /// From then on nobody need deliver it.
    package var expiresAt: Timestamp

    /// - Parameter text: without the characters that ``BenjiValues/TextGrammar`` refuses, which are left out, so that
    ///   no message has any, wherever its text is from.
    package init(to: PhoneNumber, text: String, from: String? = nil, expiresAt: Timestamp) {
        self.to = to
        self.text = TextGrammar.cleaned(text, keepsLineFeeds: true)
        self.from = from
        self.expiresAt = expiresAt
    }
}

extension ShortMessage: CustomStringConvertible, CustomDebugStringConvertible {
    /// Without number and text: the text of a code's message is the code.
    package var description: String { "ShortMessage(expiresAt: \(expiresAt))" }
    package var debugDescription: String { description }
}
