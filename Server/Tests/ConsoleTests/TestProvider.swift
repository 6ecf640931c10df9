import Authority
@_spi(Server) import BenjiProtocol
import Console
import Crypto
import Foundation
import ServerTestKit
import Synchronization

/// An OpenID provider that the console is a client of, with one person per `sub`. It can be told to lie.
final class TestProvider: Sendable {
    static let configuration = OneTapClient.Configuration(
        issuer: "https://id.example", clientID: "300000000007", clientSecret: "s3cret",
        console: "https://benji.internal:8084")

    struct Lies: Sendable {
        /// In the place of the ID token's own claims; `null` leaves one out.
        var claims: [String: JSON] = [:]
        var metadata: [String: JSON] = [:]
        /// Further members of its key set.
        var keySet: [String: JSON] = [:]
        /// How many keys of other machines its set has besides its own, and one of a type that no code reads.
        var otherKeys = 0
        var algorithm = "ES256"
        var isSignedByAnother = false
        /// The `iss` of its answers to the browser; `nil` for none.
        var issuer: String? = TestProvider.configuration.issuer
        var body: [UInt8]?
        var isDown = false
    }

    private struct Grant {
        var subject: String
        var challenge: String
        var nonce: String
        var redirectURI: String
    }

    private struct State {
        var lies = Lies()
        var grants: [String: Grant] = [:]
        var calls: [String] = []
    }

    private let clock: TestClock
    private let key = P256.Signing.PrivateKey()
    private let other = P256.Signing.PrivateKey()
    private let state = Mutex(State())

    init(clock: TestClock) { self.clock = clock }

    /// The URLs that were called, in order.
    var calls: [String] { state.withLock { $0.calls } }

    func lie(_ change: @Sendable (inout Lies) -> Void) { state.withLock { change(&$0.lies) } }
    func tellTheTruth() { state.withLock { $0.lies = Lies() } }

    /// Somebody taps on their phone, in a browser that was sent to an address.
    /// - Returns: where it is sent back to, as path and query.
    func tap(_ address: String, as subject: String) -> String {
        var asked: [String: String] = [:]
        for item in URLComponents(string: address)?.queryItems ?? [] { asked[item.name] = item.value }
        let code = Base64URL.encode(SystemRandomSource().bytes(16))
        return state.withLock { state in
            state.grants[code] = Grant(
                subject: subject, challenge: asked["code_challenge"] ?? "", nonce: asked["nonce"] ?? "",
                redirectURI: asked["redirect_uri"] ?? "")
            return Self.path(
                asked["redirect_uri"] ?? "", ["code": code, "state": asked["state"] ?? "", "iss": state.lies.issuer])
        }
    }

    static func path(_ address: String, _ pairs: KeyValuePairs<String, String?>) -> String {
        FormText.adding(pairs, to: address.replacing(configuration.console, with: ""))
    }

    /// The provider's reply to the console.
    func answer(_ call: OneTapClient.Call) throws(OneTapClient.Unreachable) -> OneTapClient.Answer {
        let lies = state.withLock { state in
            state.calls.append(call.url)
            return state.lies
        }
        guard !lies.isDown else { throw OneTapClient.Unreachable("cannot be reached") }
        if let body = lies.body { return OneTapClient.Answer(status: 200, body: body) }
        switch call.url {
        case "https://id.example/.well-known/openid-configuration":
            return json(
                200,
                [
                    "issuer": "https://id.example", "authorization_endpoint": "https://gw.example/openid/authorize",
                    "token_endpoint": "https://id.example/openid/token", "jwks_uri": "https://id.example/openid/jwks",
                ].merging(lies.metadata) { $1 })
        case "https://id.example/openid/jwks":
            var keys = (0..<lies.otherKeys).map { Self.jwk(P256.Signing.PrivateKey().publicKey, "other-\($0)") }
            if !keys.isEmpty { keys.append(.object(["kty": "AKP", "alg": "ML-DSA-44", "pub": "AA", "kid": "a"])) }
            let set: [String: JSON] = ["keys": .array(keys + [Self.jwk(key.publicKey, "a")])]
            return json(200, set.merging(lies.keySet) { $1 })
        case "https://id.example/openid/token": return token(call, lies)
        default: return json(404, [:])
        }
    }

    /// A key with a member that no code reads.
    private static func jwk(_ key: P256.Signing.PublicKey, _ id: String) -> JSON {
        let point = Array(key.rawRepresentation)
        return .object([
            "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(Array(point.prefix(32)))),
            "y": .string(Base64URL.encode(Array(point.suffix(32)))), "use": "sig", "kid": .string(id),
            "x5u": .string("https://id.example/" + String(repeating: "c", count: 1000)),
        ])
    }

    private func token(_ call: OneTapClient.Call, _ lies: Lies) -> OneTapClient.Answer {
        var form: [String: String] = [:]
        for (name, value) in FormText.pairs((call.form ?? "").utf8) ?? [] { form[name] = value }
        let pair = Data("300000000007:s3cret".utf8).base64EncodedString()
        guard call.authorization == "Basic \(pair)" else { return json(401, ["error": "invalid_client"]) }
        // A code counts once.
        let grant = state.withLock { $0.grants.removeValue(forKey: form["code"] ?? "") }
        let challenge = Base64URL.encode(Array(SHA256.hash(data: Array((form["code_verifier"] ?? "").utf8))))
        guard let grant, grant.redirectURI == form["redirect_uri"],
            grant.challenge == challenge || form["code_verifier"] == NaiveClient.verifier
        else { return json(400, ["error": "invalid_grant"]) }
        let now = clock.now.seconds
        var claims: [String: JSON] = [
            "iss": "https://id.example", "sub": .string(grant.subject), "aud": "300000000007",
            "exp": .integer(now + 300), "iat": .integer(now), "auth_time": .integer(now),
            "nonce": .string(grant.nonce), "acr": "urn:benji:net",
        ]
        claims.merge(lies.claims) { $1 }
        let payload = JSON.object(claims.filter { $0.value != .null }.map { JSON.Member($0.key, $0.value) })
        let signer = lies.isSignedByAnother ? other : key
        let token = try? JWSParts.write(
            header: .object(["alg": .string(lies.algorithm), "kid": "a"]), payload: payload
        ) { input in
            try lies.algorithm == "none" ? [] : Array(signer.signature(for: input).rawRepresentation)
        }
        return json(200, ["id_token": .string(token ?? ""), "token_type": "Bearer", "access_token": "x"])
    }

    private func json(_ status: Int, _ members: [String: JSON]) -> OneTapClient.Answer {
        OneTapClient.Answer(
            status: status, body: JSON.object(members.map { JSON.Member($0.key, $0.value) }).serialized)
    }
}

/// A client that believes whatever comes back, as one written in a hurry would.
struct NaiveClient {
    /// It knows no PKCE; the provider lets it be, so that the attacks on the rest can be seen.
    static let verifier = "naive"

    let provider: TestProvider

    /// Returns the subject that the provider names for the answer to the browser.
    func subject(of answer: String) -> String? {
        let query = answer.split(separator: "?").dropFirst().first ?? ""
        let code = (FormText.pairs(query.utf8) ?? []).first { $0.name == "code" }?.value ?? ""
        let form = [
            ("code", code), ("redirect_uri", TestProvider.configuration.redirectURI), ("code_verifier", Self.verifier),
        ].map { "\($0)=\(FormText.encode($1))" }.joined(separator: "&")
        let pair = Data("300000000007:s3cret".utf8).base64EncodedString()
        let call = OneTapClient.Call(
            url: "https://id.example/openid/token", form: form, authorization: "Basic \(pair)")
        guard let said = try? JSON(parsing: provider.answer(call).body), let token = said["id_token"]?.stringValue,
            let parts = try? JWSParts(parsing: token)
        else { return nil }
        return parts.payload["sub"]?.stringValue
    }
}
