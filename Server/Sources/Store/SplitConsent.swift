import BenjiProtocol
import Crypto

/// A signed consent as a store keeps it: what the page showed, which is the same for everybody who sees that page, apart from
/// the rest.
///
/// The record is a compact JWS whose payload has a member `content`. The bytes of its value are cut out and put back as they were,
/// so that the signature holds.
package struct SplitConsent: Hashable, Sendable {
    /// The value, as the device wrote it.
    package let content: [UInt8]
    /// The record with a payload that lacks the value.
    package let rest: String
    /// Where in that payload the value belongs, in bytes.
    package let position: Int

    /// SHA-256 of the content.
    package var digest: [UInt8] { Array(SHA256.hash(data: content)) }

    package init(content: [UInt8], rest: String, position: Int) {
        self.content = content
        self.rest = rest
        self.position = position
    }

    /// `nil` for a record of another form, which is kept whole.
    package init?(_ record: String) {
        guard let (header, payload, signature) = Self.parts(of: record), let range = Self.content(of: payload) else {
            return nil
        }
        var rest = payload
        rest.removeSubrange(range)
        self.init(
            content: Array(payload[range]), rest: "\(header).\(Base64URL.encode(rest)).\(signature)",
            position: range.lowerBound)
    }

    /// The whole record; `nil` if the parts do not belong together.
    package var record: String? {
        guard var (header, payload, signature) = Self.parts(of: rest), (0...payload.count).contains(position) else {
            return nil
        }
        payload.insert(contentsOf: content, at: position)
        return "\(header).\(Base64URL.encode(payload)).\(signature)"
    }

    private static func parts(of record: String) -> (header: Substring, payload: [UInt8], signature: Substring)? {
        let parts = record.split(separator: ".", omittingEmptySubsequences: false)
        // Base64url is read strictly, so that the same text comes out again.
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]) else { return nil }
        return (parts[0], payload, parts[2])
    }

    /// Where the first object lies that is called `content`.
    private static func content(of payload: [UInt8]) -> Range<Int>? {
        let name = Array("\"content\":{".utf8)
        let isName = { (index: Int) in payload[index] == name[0] && payload[index...].starts(with: name) }
        guard let start = payload.indices.first(where: isName) else { return nil }
        let first = start + name.count - 1
        var depth = 0
        var isInString = false
        var isEscaped = false
        for index in first..<payload.count {
            let byte = payload[index]
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return first..<(index + 1) }
            default: break
            }
        }
        return nil
    }
}
