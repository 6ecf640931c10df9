package import BenjiProtocol
import Crypto
import Foundation

/// Codes of six digits that change every thirty seconds (RFC 6238, with HMAC-SHA-1 as authenticator apps have it).
package struct OneTimePassword: Sendable {
    /// In seconds.
    static let step: Int64 = 30
    static let digits = 6
    /// 160 bits, as RFC 4226 recommends.
    static let secretLength = 20

    let secret: [UInt8]

    package init(secret: [UInt8]) { self.secret = Array(secret.prefix(Self.secretLength)) }

    /// The number of the time step in which a moment is.
    package static func step(at moment: Timestamp) -> Int64 { moment.seconds / step }

    package func code(ofStep step: Int64) -> String {
        let counter = withUnsafeBytes(of: step.bigEndian) { Array($0) }
        let code = Array(
            HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: secret)))
        let offset = Int(code[19] & 0xf)
        let number = code[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        let text = String(number % 1_000_000)
        return String(repeating: "0", count: Self.digits - text.count) + text
    }

    /// The step of a code that counts at a moment; `nil` if it does not. A phone's clock may be a step off.
    func step(of code: String, at moment: Timestamp) -> Int64? {
        let plain = code.filter { !$0.isWhitespace }
        let now = Self.step(at: moment)
        return (now - 1...now + 1).last { self.code(ofStep: $0) == plain }
    }

    /// As people type it into an authenticator app (RFC 4648 §6).
    package var base32: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var text = ""
        var (bits, count) = (0, 0)
        for byte in secret {
            bits = bits << 8 | Int(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(alphabet[bits >> count & 31])
            }
        }
        return text
    }

    /// The URI for authenticator apps: https://github.com/google/google-authenticator/wiki/Key-Uri-Format
    package func address(of admin: String) -> String {
        "otpauth://totp/Benji:\(admin)?secret=\(base32)&issuer=Benji&algorithm=SHA1&digits=6&period=30"
    }
}
