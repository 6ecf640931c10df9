package import BenjiProtocol
import Crypto

/// The two signs of GeYan's callers.
package enum GeYanSigning {
    /// All members but `sign`, those without a value left out, sorted by name, `name=value` joined with `&`.
    ///
    /// - Returns: `nil` if a name or value holds anything but letters, digits, `_`, `-` and `.`, or is no text or
    ///   number. A text with `=` or `&` could be divided in more than one way.
    package static func joined(_ request: JSON) -> String? {
        guard case .object(let members) = request else { return nil }
        var pairs: [(name: String, value: String)] = []
        for member in members where member.name != "sign" {
            switch member.value {
            case .null, .string(""): continue
            case .string(let text), .number(let text): pairs.append((member.name, text))
            default: return nil
            }
        }
        guard pairs.allSatisfy({ isPlain($0.name) && isPlain($0.value) }) else { return nil }
        return pairs.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    private static func isPlain(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                    || [0x2d, 0x2e, 0x5f].contains(byte)
            }
    }

    /// SHA-256 over the joined members and `&key=` and the master secret: 64 lower-case hexadecimal digits.
    package static func longSign(joined: String, key: String) -> String {
        Hexadecimal.encode(SHA256.hash(data: Array("\(joined)&key=\(key)".utf8)))
    }

    /// SHA-256 over app key, time and master secret, which are one key here. It covers neither token nor app.
    package static func shortSign(timestamp: String, key: String) -> String {
        Hexadecimal.encode(SHA256.hash(data: Array((key + timestamp + key).utf8)))
    }
}
