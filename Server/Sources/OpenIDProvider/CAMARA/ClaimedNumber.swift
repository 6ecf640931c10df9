import Authority
@_spi(Server) package import BenjiProtocol
import Crypto

/// A number as a caller of number verification gives it.
package enum ClaimedNumber: Hashable, Sendable {
    /// E.164 with its plus sign.
    case plain(String)
    /// SHA-256 of that. With some thousand million numbers in use a hash hides nothing: it is treated as a number.
    case hashed([UInt8])

    /// - Parameter text: a SHA-256 in hexadecimal, 64 digits in either case.
    package init?(hash text: String) {
        guard text.utf8.count == 64, let hash = Hexadecimal.decode(text) else { return nil }
        self = .hashed(hash)
    }

    package func isNumber(_ number: PhoneNumber) -> Bool {
        let text = Array("+\(number.e164)".utf8)
        return switch self {
        case .plain(let claim): ConstantTime.areEqual(Array(claim.utf8), text)
        case .hashed(let claim): ConstantTime.areEqual(claim, Array(SHA256.hash(data: text)))
        }
    }
}
