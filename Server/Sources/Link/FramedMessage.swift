package import BenjiProtocol

/// A message of the link with a head in JSON and a body of any bytes.
///
/// On the wire it is four bytes with the length of the head, the most significant first, then the head, then the body.
package struct FramedMessage: Hashable, Sendable {
    package static let mediaType = "application/vnd.benji.link-forward"
    /// Bytes of a head. It holds the header fields of one message, which the listeners bound.
    static let maximumHead = 512 * 1024

    package var head: JSON
    package var body: [UInt8]

    package init(head: JSON, body: [UInt8]) {
        self.head = head
        self.body = body
    }

    /// The message, or `nil` if its head is too long.
    package var bytes: [UInt8]? {
        let head = head.serialized
        guard head.count <= Self.maximumHead else { return nil }
        return (0..<4).map { UInt8(truncatingIfNeeded: head.count >> (24 - 8 * $0)) } + head + body
    }

    package init(parsing bytes: [UInt8]) throws(JSONError) {
        func refuse(_ problem: String) -> JSONError { JSONError(place: "body", problem: problem) }
        guard bytes.count >= 4 else { throw refuse("must begin with the length of a head") }
        let length = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= Self.maximumHead, bytes.count - 4 >= length else {
            throw refuse("the head is cut off, or too long")
        }
        do { head = try JSON(parsing: bytes[4..<4 + length]) } catch { throw error.inside("head") }
        body = Array(bytes[(4 + length)...])
    }
}

/// A field of a forwarded message's header. Names are in lower case.
struct HeaderLine: Hashable, Sendable {
    var name: String
    var value: String

    var json: JSON { .array([.string(name), .string(value)]) }
}

extension JSONObjectReader {
    /// A member that is an array of texts.
    package mutating func texts(_ name: String, count: ClosedRange<Int>) throws(JSONError) -> [String] {
        var texts: [String] = []
        for item in try array(name, count: count) {
            guard let text = item.stringValue else {
                throw JSONError(place: "\(path).\(name)", problem: "each must be a string")
            }
            texts.append(text)
        }
        return texts
    }

    /// The fields of a header: an array of pairs of name and value, in order.
    /// - Parameter isAllowed: whether a name may occur.
    mutating func headerLines(_ isAllowed: (String) -> Bool) throws(JSONError) -> [HeaderLine] {
        var lines: [HeaderLine] = []
        for (index, item) in try array("headers", count: 0...FramedMessage.maximumHead).enumerated() {
            let pair = item.arrayValue ?? []
            // A value ends its field nowhere (RFC 9110 §5.5).
            guard pair.count == 2, let name = pair[0].stringValue, isAllowed(name), let value = pair[1].stringValue,
                !value.utf8.contains(where: { $0 == 0 || $0 == 0x0a || $0 == 0x0d })
            else {
                throw JSONError(place: "\(path).headers[\(index)]", problem: "must be a field that is forwarded")
            }
            lines.append(HeaderLine(name: name, value: value))
        }
        return lines
    }
}
