/// Why bytes are not a PDU, or values cannot be written as one: what, and at which byte.
///
/// It never quotes the bytes: they may be a phone number, a text or a password.
package struct PDUError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Problem: String, Sendable, Hashable, CaseIterable {
        /// command_length is below 16 or above ``PDU/maximumLength``. What follows in the stream has no known beginning.
        case length = "the length does not fit a PDU"
        /// A field ends behind its PDU.
        case tooShort = "a field ends behind its PDU"
        /// A C-octet string is longer than the standard's table allows, or its end is missing.
        case stringLength = "a text is too long for its field, or has no end"
        /// A text that is not ASCII.
        case text = "a text is not ASCII"
        /// sm_length is above 254.
        case messageLength = "a message is longer than 254 octets"
        /// A time that is neither empty nor 16 characters long.
        case time = "a time is not 16 characters long"
        /// Optional parameters that do not end where the PDU ends, or one that does not have its type's length.
        case parameter = "an optional parameter does not fit"
        /// Octets behind the last field of a PDU without optional parameters.
        case surplus = "there are octets behind the last field"
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
