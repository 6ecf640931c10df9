import Crypto
import Foundation
import JWTKit

/// The provider's signed word about who logged in (OpenID Connect Core §2). JWTKit checks the signature, ``problem``
/// what it says.
struct IDToken: JWTPayload {
    var iss: String
    var sub: String
    var aud: AudienceClaim
    var exp: ExpirationClaim
    var iat: IssuedAtClaim
    var azp: String?
    var nonce: String?
    var acr: String?
    var accessTokenHash: String?

    enum CodingKeys: String, CodingKey {
        case iss, sub, aud, exp, iat, azp, nonce, acr
        case accessTokenHash = "at_hash"
    }

    /// Algorithms that are taken. `none` and those with a shared secret are not.
    static let algorithms: Set<String> = ["ES256", "RS256"]

    func verify(using algorithm: some JWTAlgorithm) throws { try exp.verifyNotExpired() }

    /// The first fault, or `nil`: the checks of OpenID Connect Core §3.1.3.7 that need the token's login.
    func problem(issuer: String, clientID: String, nonce: String, accessToken: String) -> String? {
        guard iss == issuer else { return "iss is another provider" }
        guard aud.value == [clientID], azp == nil || azp == clientID else { return "it is for another client" }
        guard self.nonce == nonce else { return "nonce is not the one of this login" }
        guard iat.value <= Date(timeIntervalSinceNow: 60) else { return "it was issued in the future" }
        if let accessTokenHash {
            let half = SHA256.hash(data: Data(accessToken.utf8)).prefix(16)
            guard accessTokenHash == Secret.base64URL(half) else { return "at_hash is not of this access token" }
        }
        return sub.isEmpty ? "sub is empty" : nil
    }
}
