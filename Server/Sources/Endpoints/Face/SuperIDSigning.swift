internal import BenjiProtocol
internal import Crypto

/// The sign of SuperID's callers: MD5 over the members and the app key. It is weak, and kept to these calls (decision 11).
public enum SuperIDSigning {
    /// `name=value` sorted by name, values as `encodeURIComponent` writes them, joined by `&`.
    public static func joined(_ members: [String: String]) -> String {
        members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { "\($0.key)=\(encoded($0.value))" }.joined(separator: "&")
    }

    /// 32 hexadecimal digits. Clients send them in either case.
    public static func sign(_ members: [String: String], key: String) -> String {
        Hexadecimal.encode(Insecure.MD5.hash(data: Array("\(joined(members)):\(key)".utf8)))
    }

    private static func encoded(_ text: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if plain.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += Array("%\(Hexadecimal.encode([byte]).uppercased())".utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
