import BenjiProtocol

/// `application/x-www-form-urlencoded`, the encoding of queries, form bodies and Basic credentials.
///
/// Hummingbird's `URLEncodedFormDecoder` is not strict enough. It drops a name without `=`, leaves `+` in a name, takes
/// brackets in a name for structure, and keeps no order. A parameter that comes twice has to be seen (RFC 6749 §3.1).
package enum FormText {
    /// The pairs of a query or a body, in order; `nil` if an escape is broken or the result is no UTF-8.
    package static func pairs(_ text: some Collection<UInt8>) -> [(name: String, value: String)]? {
        var pairs: [(String, String)] = []
        for part in text.split(separator: 0x26) {
            let halves = part.split(separator: 0x3d, maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decode(halves[0]), let value = decode(halves.count > 1 ? halves[1] : part.suffix(0)) else {
                return nil
            }
            pairs.append((name, value))
        }
        return pairs
    }

    package static func decode(_ bytes: some Collection<UInt8>) -> String? {
        var decoded: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case 0x2b: decoded.append(0x20)
            case 0x25:
                guard let high = rest.popFirst().flatMap(Hexadecimal.value(ofDigit:)),
                    let low = rest.popFirst().flatMap(Hexadecimal.value(ofDigit:))
                else { return nil }
                decoded.append(high << 4 | low)
            default: decoded.append(byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }

    /// `text` for a query: everything but unreserved characters (RFC 3986 §2.3) is escaped.
    /// - Parameter marks: bytes that stay besides.
    package static func encode(_ text: String, keeping marks: String = "") -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            case let mark where marks.utf8.contains(mark): encoded.unicodeScalars.append(Unicode.Scalar(mark))
            default: encoded += "%" + Hexadecimal.encode([byte], uppercase: true)
            }
        }
        return encoded
    }

    /// `uri` with parameters added to its query.
    package static func adding(_ pairs: KeyValuePairs<String, String?>, to uri: String) -> String {
        var text = uri
        for (name, value) in pairs {
            guard let value else { continue }
            text += (text.contains("?") ? "&" : "?") + name + "=" + encode(value)
        }
        return text
    }
}
