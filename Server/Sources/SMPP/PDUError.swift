/// Why bytes are not a PDU, or values cannot be written as one: what, and at which byte.
///
/// It never quotes the bytes: they may be a phone number, a text or a password.
package struct PDUError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Problem: String, Sendable, Hashable, CaseIterable {
        /// command_length is below 16 or above ``PDU/maximumLength``. What follows in the stream has no known
        /// beginning.
        case length = "the length does not fit a PDU"
        /// A field ends behind its PDU.
        case tooShort = "a field ends behind its PDU"
        /// A C-octet string is longer than the standard's table allows, or has a zero in it.
        case stringLength = "a text is too long for its field"
        /// A text that is not ASCII.
        case text = "a text is not ASCII"
        /// short_message is longer than 254 octets.
        case messageLength = "a message is longer than 254 octets"
        /// A time that is neither empty nor 16 characters long.
        case time = "a time is not 16 characters long"
        /// An optional parameter is longer than 65,535 octets.
        case parameter = "an optional parameter does not fit"
    }

    package let problem: Problem
    /// Offset in the PDU, in bytes.
    package let offset: Int

    package init(_ problem: Problem, offset: Int) {
        self.problem = problem
        self.offset = offset
    }

    package var description: String { "\(problem.rawValue), at byte \(offset)" }
}
