@_spi(Server) package import BenjiProtocol

/// The authority's signed receipt for a consent, verified with nothing but its public keys.
package struct ConsentReceipt: Sendable {
    package static let type = "consent-receipt+jwt"

    /// `app`, `sub`, `trace`, `contentDigest`, `consentHash`, `assurance`, `tickedAt`, `tappedAt` (milliseconds) and
    /// `iat` (seconds).
    package let claims: JSON
    /// The key that signed it.
    package let key: DevicePublicKey

    /// - Parameter keys: the authority's receipt keys, present and earlier ones.
    /// - Throws: ``JSONError`` if it is no receipt, or if none of the keys signed it while it was in use.
    package init(verifying text: some StringProtocol, keys: [PublishedReceiptKey]) throws(JSONError) {
        let jws = try CompactJWS(parsing: text)
        guard jws.header["typ"] == .string(Self.type), jws.header["alg"] == "ES256" else {
            throw JSONError(place: "receipt header", problem: "must be \(Self.type) under ES256")
        }
        guard let found = keys.first(where: { jws.isSigned(by: $0.key) }) else {
            throw JSONError(place: "receipt", problem: "is signed by none of the \(keys.count) keys that were given")
        }
        guard let issuedAt = jws.payload["iat"]?.integerValue, found.isInUse(at: issuedAt) else {
            throw JSONError(place: "receipt, $.iat", problem: "is not of the time in which its key signed receipts")
        }
        claims = jws.payload
        key = found.key
    }

    /// The keys in a JWK set (RFC 7517 §5), in one JWK, or in the policy document that phones read. Keys that cannot be
    /// read, such as those of other algorithms, are skipped.
    ///
    /// - Throws: ``JSONError`` of the first key if none can be read, and of a private key.
    package static func keys(in json: JSON) throws(JSONError) -> [PublishedReceiptKey] {
        let found = json["keys"]?.arrayValue ?? [json["receiptKey"] ?? json]
        var keys: [PublishedReceiptKey] = []
        var firstError: JSONError?
        for (position, jwk) in found.enumerated() {
            func moment(_ name: String) throws(JSONError) -> Timestamp? {
                guard let value = jwk[name] else { return nil }
                guard let seconds = value.integerValue else {
                    throw JSONError(place: "keys[\(position)].\(name)", problem: "must be whole seconds since 1970")
                }
                return Timestamp(seconds: seconds)
            }
            do throws(JSONError) {
                keys.append(
                    PublishedReceiptKey(
                        try DevicePublicKey(jwk: jwk, path: "keys[\(position)]"), from: try moment("nbf"),
                        until: try moment("exp")))
            } catch {
                guard jwk["d"] == nil else { throw error }
                firstError = firstError ?? error
            }
        }
        if keys.isEmpty, let firstError { throw firstError }
        return keys
    }

    /// A JWK set of receipt keys, each with its thumbprint as `kid`, and from when until when it signed as `nbf` and
    /// `exp`.
    package static func set(of keys: [PublishedReceiptKey]) -> JSON {
        .object(["keys": .array(keys.map(\.jwk))])
    }
}

/// A key that receipts are checked by, and when it was in use.
package struct PublishedReceiptKey: Hashable, Sendable {
    package var key: DevicePublicKey
    /// `nil` if unknown.
    package var from: Timestamp?
    /// `nil` while it signs.
    package var until: Timestamp?

    package init(_ key: DevicePublicKey, from: Timestamp? = nil, until: Timestamp? = nil) {
        self.key = key
        self.from = from
        self.until = until
    }

    package func isInUse(at seconds: Int64) -> Bool {
        from.map { $0.seconds <= seconds } ?? true && until.map { seconds <= $0.seconds } ?? true
    }

    fileprivate var jwk: JSON {
        guard case .object(let members) = key.jwk else { return key.jwk }
        let times = [("nbf", from), ("exp", until)].compactMap { name, moment in
            moment.map { JSON.Member(name, .integer($0.seconds)) }
        }
        return .object(
            members + [
                JSON.Member("kid", .string(key.thumbprint)), JSON.Member("use", "sig"), JSON.Member("alg", "ES256"),
            ] + times)
    }
}
