@_spi(Server) package import BenjiProtocol

/// What the authority signed about a consent that it received, read by somebody who has its public keys and nothing else.
package struct ConsentReceipt: Sendable {
    package static let type = "consent-receipt+jwt"

    /// `app`, `sub`, `trace`, `contentDigest`, `consentHash`, `assurance`, `tickedAt`, `tappedAt` (milliseconds) and `iat`
    /// (seconds).
    package let claims: JSON
    /// The key that signed it.
    package let key: DevicePublicKey

    /// - Parameter keys: the authority's receipt keys, present and earlier ones.
    /// - Throws: ``JSONError`` if it is no receipt, or if none of the keys signed it.
    package init(verifying text: some StringProtocol, keys: [DevicePublicKey]) throws(JSONError) {
        let jws = try CompactJWS(parsing: text)
        guard jws.header["typ"] == .string(Self.type), jws.header["alg"] == "ES256" else {
            throw JSONError(place: "receipt header", problem: "must be \(Self.type) under ES256")
        }
        guard let key = keys.first(where: { jws.isSigned(by: $0) }) else {
            throw JSONError(place: "receipt", problem: "is signed by none of the \(keys.count) keys that were given")
        }
        claims = jws.payload
        self.key = key
    }

    /// The keys in a JWK set (RFC 7517 §5), in one JWK, or in the policy document that phones read.
    package static func keys(in json: JSON) throws(JSONError) -> [DevicePublicKey] {
        let found = json["keys"]?.arrayValue ?? [json["receiptKey"] ?? json]
        var keys: [DevicePublicKey] = []
        for (position, jwk) in found.enumerated() {
            // What a set says about a key beside the key itself is not needed.
            guard case .object(let members) = jwk else {
                throw JSONError(place: "keys[\(position)]", problem: "must be a JWK, is \(jwk.kind)")
            }
            let bare = JSON.object(members.filter { !["kid", "use", "alg"].contains($0.name) })
            keys.append(try DevicePublicKey(jwk: bare, path: "keys[\(position)]"))
        }
        return keys
    }

    /// A JWK set of receipt keys, each with its thumbprint as `kid`.
    package static func set(of keys: [DevicePublicKey]) -> JSON {
        .object([
            "keys": .array(
                keys.map { key in
                    guard case .object(let members) = key.jwk else { return key.jwk }
                    return .object(
                        members + [
                            JSON.Member("kid", .string(key.thumbprint)), JSON.Member("use", "sig"),
                            JSON.Member("alg", "ES256"),
                        ])
                })
        ])
    }
}
