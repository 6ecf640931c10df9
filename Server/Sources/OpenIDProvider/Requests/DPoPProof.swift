import Authority
@_spi(Server) package import BenjiProtocol
import Crypto
import Store

/// A proof of possession as it came, and what the request is that it must be for.
package struct PresentedProof: Sendable {
    /// The value of the `DPoP` header.
    package var text: String
    /// `GET`, `POST`.
    package var method: String
    /// The path that was called.
    package var path: String
    /// Whether it was called where certificates are asked for, which has an address of its own.
    package var isMutualTLS: Bool

    package init(_ text: String, method: String, path: String, isMutualTLS: Bool = false) {
        self.text = text
        self.method = method
        self.path = path
        self.isMutualTLS = isMutualTLS
    }
}

/// A proof that the caller has a private key (RFC 9449, DPoP).
enum DPoPProof {
    /// Nothing weaker, for any client: who makes proofs can make these.
    static let algorithms: [ServerJWS.Algorithm] = [.es256, .ps256]
    /// How old a proof may be. Clocks differ, and by ``SignedClaims/leeway`` it may be from the future.
    static let maximumAge: Duration = .seconds(60)
    /// How long a nonce of ours may be repeated.
    static let nonceLife: Duration = .seconds(300)

    /// The thumbprint of a key (RFC 7638) as base64url.
    static func thumbprint(of key: JSON) -> String? {
        let names = key["kty"] == "EC" ? ["crv", "kty", "x", "y"] : ["e", "kty", "n"]
        var members: [JSON.Member] = []
        for name in names {
            guard let value = key[name], value.stringValue != nil else { return nil }
            members.append(JSON.Member(name, value))
        }
        return Base64URL.encode(Array(SHA256.hash(data: JSON.object(members).serialized)))
    }

    /// An address as `htu` is compared (RFC 9449 §4.3, RFC 3986 §6.2.2 and §6.2.3). It has no query and no fragment,
    /// scheme and host in small letters, and no port that the scheme implies.
    static func comparable(_ address: String) -> String {
        var parts = address.prefix { $0 != "?" && $0 != "#" }
            .split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 2 else { return address }
        (parts[0], parts[2]) = (parts[0].lowercased(), parts[2].lowercased())
        for (scheme, port) in ["https:": ":443", "http:": ":80"] where parts[0] == scheme && parts[2].hasSuffix(port) {
            parts[2].removeLast(port.count)
        }
        return parts.joined(separator: "/")
    }
}

extension ProviderContext {
    /// The thumbprint of the key that a request is proved to be made with; `nil` if it brings no proof.
    ///
    /// - Parameters:
    ///   - token: the access token that comes with it, and the thumbprint of the key that it is bound to.
    ///   - client: whose request it is.
    func provenKey(
        _ presented: PresentedProof?, token: (text: String, key: String)? = nil, of client: OpenIDClientRecord
    ) async throws(OpenIDFailure) -> String? {
        guard let presented else { return nil }
        func refuse(_ problem: String) -> OpenIDFailure { OpenIDFailure(.invalidDPoPProof, "DPoP: \(problem)") }
        let proof: ServerJWS
        do { proof = try ServerJWS(parsing: presented.text) } catch { throw refuse(error.description) }
        guard proof.type == "dpop+jwt" else { throw refuse("typ must be dpop+jwt") }
        guard DPoPProof.algorithms.contains(proof.algorithm) else { throw refuse("alg must be ES256 or PS256") }
        guard let jwk = proof.headerKey, let thumbprint = DPoPProof.thumbprint(of: jwk) else {
            throw refuse("jwk: missing, or no public key")
        }
        // Before anything is written: who stole the token has other keys without end.
        guard token == nil || token?.key == thumbprint else {
            throw OpenIDFailure(.invalidToken, "the access token is bound to another key")
        }
        let key: SignaturePublicKey
        do { key = try ClientKeySet.key(jwk, path: "jwk").2 } catch { throw refuse(error.description) }
        guard key.isSigner(of: proof) else { throw refuse("is not signed by its own key") }
        let claims = proof.payload
        guard claims["htm"]?.stringValue == presented.method else { throw refuse("htm is not the request's method") }
        guard
            claims["htu"]?.stringValue.map(DPoPProof.comparable)
                == DPoPProof.comparable(configuration.origin(isMutualTLS: presented.isMutualTLS) + presented.path)
        else { throw refuse("htu is not the address that was called") }
        if let token {
            guard claims["ath"]?.stringValue == Base64URL.encode(Array(SHA256.hash(data: Array(token.text.utf8))))
            else {
                throw refuse("ath is not the hash of the access token")
            }
        }
        try checkTime(claims, of: client)
        guard let id = claims["jti"]?.stringValue, (1...255).contains(id.utf8.count) else {
            throw refuse("jti: missing or longer than 255 bytes")
        }
        // The key is in the name, so that two of a client's processes need not agree about names.
        let name = "openid-dpop:" + Base64URL.encode(Array(SHA256.hash(data: Array((thumbprint + id).utf8))))
        let isNew: Bool
        do {
            isNew = try await store.takeName(
                name, app: client.appID, until: now + .seconds(authority.configuration.messageMemory), now: now)
        } catch { throw OpenIDFailure(error) }
        guard isNew else { throw refuse("was used before") }
        return thumbprint
    }

    /// Freshness is by the wall clock (decision 22): the client signed by one.
    private func checkTime(_ claims: JSON, of client: OpenIDClientRecord) throws(OpenIDFailure) {
        let now = authority.clock.now
        if let text = claims["nonce"]?.stringValue {
            guard let time = authority.vault.dpopNonceTime(text), time <= now + SignedClaims.leeway,
                now < time + DPoPProof.nonceLife
            else { throw OpenIDFailure(.useDPoPNonce, "DPoP: nonce is none of ours, or too old; repeat the new one") }
        } else if client.profile == .fapi2 {
            throw OpenIDFailure(.useDPoPNonce, "DPoP: nonce: missing; repeat the one of the answer's DPoP-Nonce")
        }
        guard let issued = claims["iat"]?.integerValue.map(Timestamp.init(seconds:)) else {
            throw OpenIDFailure(.invalidDPoPProof, "DPoP: iat: missing or not a number")
        }
        guard issued <= now + SignedClaims.leeway else {
            throw OpenIDFailure(.invalidDPoPProof, "DPoP: iat is in the future")
        }
        guard now < issued + DPoPProof.maximumAge + SignedClaims.leeway else {
            throw OpenIDFailure(.invalidDPoPProof, "DPoP: is older than a minute")
        }
        // Neither is asked for, but each is held to what it says (RFC 7519 §4.1.4, §4.1.5).
        if let expiry = claims["exp"] {
            guard let end = expiry.integerValue.map(Timestamp.init(seconds:)), now < end else {
                throw OpenIDFailure(.invalidDPoPProof, "DPoP: exp: has passed, or is not a number")
            }
        }
        if let notBefore = claims["nbf"] {
            guard let start = notBefore.integerValue.map(Timestamp.init(seconds:)), start <= now + SignedClaims.leeway
            else { throw OpenIDFailure(.invalidDPoPProof, "DPoP: nbf: is in the future, or not a number") }
        }
    }

    /// Whether a call may use an access token: as a bearer's, or with the key that it is bound to.
    ///
    /// - Parameter key: the thumbprint of the key that the token is bound to.
    func checkPossession(
        of key: String?, _ call: OpenIDProvider.BearerCall, of client: OpenIDClientRecord
    ) async throws(OpenIDFailure) {
        guard let key else {
            guard !call.isBound else {
                throw OpenIDFailure(.invalidToken, "the access token is not bound to a key: send it as Bearer")
            }
            guard !client.takesKeyBoundTokensAlone else {
                throw OpenIDFailure(.invalidToken, "the access token is not bound to a key, and the client's must be")
            }
            return
        }
        guard call.isBound else {
            throw OpenIDFailure(.invalidToken, "the access token is bound to a key: send it as DPoP, with a proof")
        }
        guard try await provenKey(call.proof, token: (call.token ?? "", key), of: client) != nil else {
            throw OpenIDFailure(.invalidDPoPProof, "DPoP: missing")
        }
    }
}

extension ClientProfile {
    /// Whether a message of a client's may be signed so.
    func takes(_ algorithm: ServerJWS.Algorithm) -> Bool { self != .fapi2 || algorithm != .rs256 }
}
