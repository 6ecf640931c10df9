import Crypto
import Foundation

/// A login that a browser was sent away with: what its return must match.
struct LoginAttempt: Sendable {
    /// Comes back as it was sent; names the attempt.
    let state = Secret.make()
    /// Comes back inside the ID token.
    let nonce = Secret.make()
    /// Shown to the provider with the code, so that a stolen code is worthless (PKCE, RFC 7636).
    let verifier = Secret.make()
    /// The path of the shop to go on to.
    let next: String
    /// The name of the login's window for the page that opened it; `nil` if the login runs in the page itself.
    let popup: String?
    /// The session that began it: its basket is kept.
    let session: String?
    let begunAt = Date()

    /// Ten minutes: longer than a login page lives.
    static let life: TimeInterval = 600

    var challenge: String { Self.challenge(of: verifier) }

    static func challenge(of verifier: String) -> String {
        Secret.base64URL(SHA256.hash(data: Data(verifier.utf8)))
    }
}

enum Secret {
    /// 256 random bits as base64url.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return base64URL((0..<4).flatMap { _ in withUnsafeBytes(of: generator.next() as UInt64) { Array($0) } })
    }

    static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
