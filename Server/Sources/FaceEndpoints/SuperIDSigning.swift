import Authority
import BenjiProtocol
import Crypto
import Endpoints

/// The sign of SuperID's callers: MD5 over the members and the app key. It is weak, and kept to these calls (decision
/// 11).
package enum SuperIDSigning {
    /// `name=value` sorted by name, values as `encodeURIComponent` writes them, joined by `&`.
    package static func joined(_ members: [String: String]) -> String {
        members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            // JavaScript's encodeURIComponent escapes less than RFC 3986 would.
            .map { "\($0.key)=\(FormText.encode($0.value, keeping: "!*'()"))" }.joined(separator: "&")
    }

    /// 32 hexadecimal digits. Clients send them in either case.
    package static func sign(_ members: [String: String], key: String) -> String {
        Hexadecimal.encode(Insecure.MD5.hash(data: Array("\(joined(members)):\(key)".utf8)))
    }
}
