/// The bytes of one message and of its answer, as they were sent, for display. They hold all that the message held:
/// made-up numbers, and credentials of this sandbox. The timeline and its JSON are without them.
package struct MessageBytes: Hashable, Sendable {
    /// How the bytes are to be read.
    package enum Form: String, Sendable, CaseIterable {
        /// A head of lines, an empty line, a body.
        case http
        /// A packet of RFC 2866.
        case radius
        /// The text of a short message, in UTF-8.
        case text
    }

    /// One of the two directions.
    package struct Part: Hashable, Sendable {
        /// Bytes of a part that are kept; the rest is counted only.
        package static let maximumLength = 16 * 1024

        /// The beginning, as much as is kept.
        package let bytes: [UInt8]
        /// Of all that was sent, in bytes.
        package let length: Int

        package var isWhole: Bool { bytes.count == length }

        /// - Parameter length: of all that was sent, where `bytes` are its beginning.
        package init(_ bytes: [UInt8], length: Int? = nil) {
            self.length = length ?? bytes.count
            self.bytes = bytes.count > Self.maximumLength ? Array(bytes.prefix(Self.maximumLength)) : bytes
        }
    }

    package var form: Form
    package var request: Part
    /// `nil` where there is none: nothing came back, or the message is one that has no answer.
    package var answer: Part?

    package init(_ form: Form, request: Part, answer: [UInt8]? = nil) {
        self.form = form
        self.request = request
        self.answer = answer.map { Part($0) }
    }

    package init(_ form: Form, request: [UInt8], answer: [UInt8]? = nil) {
        self.init(form, request: Part(request), answer: answer)
    }

    /// Bytes of memory.
    var size: Int { request.bytes.count + (answer?.bytes.count ?? 0) }
}
