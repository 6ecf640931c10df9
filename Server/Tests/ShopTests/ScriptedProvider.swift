import Crypto
import Foundation
import JWTKit
import Synchronization

@testable import Shop

/// An OpenID provider and an operator's server as the shop sees them, without a socket. It can lie in every way.
final class ScriptedProvider: Sendable {
    static let issuer = "https://id.example"
    static let person = "person-1"
    static let number = "13800000001"

    /// The deviations from an honest provider.
    struct Lies: Sendable {
        var discoveryIssuer: String?
        var claims: [String: String] = [:]
        var expiresIn: TimeInterval = 300
        var userSubject: String?
        var isVerified = true
        /// Signs under another key than the one that is shown.
        var signsWithOtherKey = false
        /// Publishes other keys before its own, some of unknown types, and unknown members. RFC 7517 §5 permits this.
        var hasMoreKeys = false
        /// A whole ID token, instead of a signed one.
        var idToken: String?
        var isDown = false
        var operatorCode = "103000"
    }

    let lies: Mutex<Lies>
    let asked = Mutex<[BenjiServerClient.Message]>([])
    private let key = ES256PrivateKey()
    private let otherKey = ES256PrivateKey()
    private let nonce = Mutex("")

    init(_ change: (inout Lies) -> Void = { _ in }) {
        var lies = Lies()
        change(&lies)
        self.lies = Mutex(lies)
    }

    var line: BenjiServerClient {
        BenjiServerClient { [self] message async throws(LineFailure) in
            asked.withLock { $0.append(message) }
            do { return try await answer(message) } catch { throw LineFailure(detail: "\(error)") }
        }
    }

    /// The provider has seen the request: it repeats its nonce in the ID token.
    func sees(_ address: String) {
        let nonce = URLComponents(string: address)?.queryItems?.first { $0.name == "nonce" }?.value
        self.nonce.withLock { $0 = nonce ?? "" }
    }

    private func answer(_ message: BenjiServerClient.Message) async throws -> BenjiServerClient.Answer {
        let lies = lies.withLock { $0 }
        if lies.isDown { throw LineFailure(detail: "down") }
        let path = message.url.replacing(Self.issuer, with: "")
        switch path {
        case "/.well-known/openid-configuration":
            return try json([
                "issuer": lies.discoveryIssuer ?? Self.issuer, "authorization_endpoint": "https://gw.example/authorize",
                "token_endpoint": Self.issuer + "/token", "userinfo_endpoint": Self.issuer + "/userinfo",
                "jwks_uri": Self.issuer + "/jwks", "authorization_response_iss_parameter_supported": true,
            ])
        case "/jwks":
            guard lies.hasMoreKeys else { return try json(["keys": [jwk()]]) }
            let other = jwk(otherKey, "key-0").merging(["not_known": "x"]) { $1 }
            var nameless = other
            nameless["kid"] = nil
            let keys = [
                ["kty": "AKP", "kid": "key-2", "alg": "ML-DSA-44", "pub": "AA"],
                ["kty": "OKP", "crv": "X448", "kid": "key-3"],
                ["kid": "key-4"], nameless, other, jwk(),
            ]
            return try json(["keys": keys, "not_known": true])
        case "/token":
            return try json(["access_token": "access-1", "id_token": try await idToken(lies), "token_type": "Bearer"])
        case "/userinfo":
            return try json([
                "sub": lies.userSubject ?? Self.person, "phone_number": "+86" + Self.number,
                "phone_number_verified": lies.isVerified,
            ])
        case "/unisdk/rsapi/loginTokenValidate":
            var answer = ["resultCode": lies.operatorCode, "desc": "…"]
            if lies.operatorCode == "103000" { answer["msisdn"] = Self.number }
            return try json(answer)
        default: return BenjiServerClient.Answer(status: 404, body: Data())
        }
    }

    private func json(_ object: [String: Any]) throws -> BenjiServerClient.Answer {
        BenjiServerClient.Answer(status: 200, body: try JSONSerialization.data(withJSONObject: object))
    }

    private func jwk(_ other: ES256PrivateKey? = nil, _ name: String = "key-1") -> [String: String] {
        let parameters = (other ?? key).parameters
        return [
            "kty": "EC", "crv": "P-256", "kid": name, "alg": "ES256", "use": "sig",
            "x": Self.url(parameters?.x ?? ""), "y": Self.url(parameters?.y ?? ""),
        ]
    }

    /// The coordinates of the public key, for attacks that use it as a secret.
    var publicSecret: String { jwk()["x"] ?? "" }

    private static func url(_ text: String) -> String {
        text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private func idToken(_ lies: Lies) async throws -> String {
        if let text = lies.idToken { return text }
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: lies.signsWithOtherKey ? otherKey : key, kid: "key-1")
        let half = SHA256.hash(data: Data("access-1".utf8)).prefix(16)
        var token = IDToken(
            iss: lies.claims["iss"] ?? Self.issuer, sub: lies.claims["sub"] ?? Self.person,
            aud: AudienceClaim(value: [lies.claims["aud"] ?? "client-1"]),
            exp: ExpirationClaim(value: Date(timeIntervalSinceNow: lies.expiresIn)), iat: IssuedAtClaim(value: Date()),
            nonce: lies.claims["nonce"] ?? nonce.withLock { $0 }, acr: "urn:benji:net",
            accessTokenHash: lies.claims["at_hash"] ?? Secret.base64URL(half))
        token.azp = lies.claims["azp"]
        return try await keys.sign(token, kid: "key-1")
    }
}
