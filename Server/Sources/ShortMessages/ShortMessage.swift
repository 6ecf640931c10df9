@_spi(Server) package import BenjiProtocol

/// A text for one phone.
package struct ShortMessage: Hashable, Sendable {
    package var to: PhoneNumber
    package var text: String
    /// The source that the phone shows: a number, a short code, or up to eleven letters and digits. If `nil`, the
    /// sender uses its default.
    package var from: String?
    /// After this moment the message need not be delivered.
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
