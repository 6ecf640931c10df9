import Authority
@_spi(Server) package import BenjiProtocol
import Crypto
import CryptoExtras
import Foundation
import Requests

/// A JWS in compact form (RFC 7515 §7.1) of another signer: a client assertion, a request object, or an ID token for
/// the console.
///
/// Reading it decides nothing: ``ClientKeySet/isSigner(of:)`` identifies the signer in a key set. Keys named by the
/// header itself (`jku`, `x5u`, `x5c`) are not looked at, and `jwk` in a ``DPoPProof`` alone.
///
/// jwt-kit is not used, because every check here would still be needed. Its parser takes JSON with a name twice and
/// base64 that is no base64url. Its key set needs a `kid` for each key, and tries another key if it does not know the
/// named one. An estimated thirty lines of this folder would go.
package struct ServerJWS {
    /// The supported algorithms. `none` and the HMACs are not here, so no header can choose them (RFC 8725 §3.1).
    package enum Algorithm: String, CaseIterable {
        case es256 = "ES256"
        case ps256 = "PS256"
        case rs256 = "RS256"
    }

    package let algorithm: Algorithm
    let keyID: String?
    let type: String?
    /// The key that the header brings, which proves nothing but that its signer has it (RFC 9449).
    let headerKey: JSON?
    package let payload: JSON
    let signingInput: [UInt8]
    let signature: [UInt8]

    package init(parsing text: String) throws(JSONError) {
        try self.init(try JWSParts(parsing: text, name: "JWT"))
    }

    init(_ parts: JWSParts) throws(JSONError) {
        let head = parts.header
        guard let algorithm = head["alg"]?.stringValue.flatMap(Algorithm.init) else {
            let known = Algorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw JSONError(place: "JWT header, $.alg", problem: "must be one of \(known)")
        }
        // RFC 7515 §4.1.11: a critical member that is not understood must be refused.
        guard head["crit"] == nil else { throw JSONError(place: "JWT header, $.crit", problem: "is not understood") }
        self.algorithm = algorithm
        keyID = head["kid"]?.stringValue
        type = head["typ"]?.stringValue
        headerKey = head["jwk"]
        payload = parts.payload
        signingInput = parts.signingInput
        signature = parts.signature
    }
}

/// The public keys that a client registered, or that a provider shows (RFC 7517).
///
/// Keys that cannot be used here, such as those of other algorithms, are ignored (§5): a set may hold keys for other
/// servers.
package struct ClientKeySet {
    private var keys: [(id: String?, algorithm: ServerJWS.Algorithm?, key: SignaturePublicKey)] = []

    /// The certificates of keys that have one (`x5c`), as DER.
    private(set) var certificates: [[UInt8]] = []

    /// The ignored parts of the set, each with the reason. A part is a key, as in
    /// `jwks.keys[1] (kid a): kty AKP is not supported`, or the certificate of a key that is used without it.
    package private(set) var ignored: [JSONError] = []

    /// The stored form of the set: the members that are read of each key, and no others.
    let canonical: String

    /// The most keys that a client may use: each is tried while a signature is checked.
    static let maximumCount = 16
    /// The largest text, in bytes: it is read before a caller has proved anything. Sixteen keys of 4096 bits have 13
    /// KB.
    static let maximumSize = 16 * 1024
    /// The members that hold private or symmetric key material (RFC 7518 §6.2.2, §6.3.2 and §6.4; `priv` of the key
    /// type AKP).
    private static let secretMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"]

    /// The key set of a client.
    /// - Throws: ``BenjiProtocol/JSONError`` for a text that is no key set, and for a set without a usable key. A set
    ///   in which any key holds a secret is refused as well, and so is a set above ``maximumSize`` or ``maximumCount``.
    package init(parsing text: String) throws(JSONError) {
        guard text.utf8.count <= Self.maximumSize else {
            throw JSONError(
                place: "jwks", problem: "has more than \(Self.maximumSize) bytes; of x5c the first certificate suffices"
            )
        }
        try self.init(text, count: 1...256)
        guard keys.count <= Self.maximumCount else {
            throw JSONError(
                place: "jwks.keys", problem: "must hold at most \(Self.maximumCount) keys, has \(keys.count)")
        }
    }

    /// The key set that a provider shows. The caller bounds the size of the text, and every usable key counts.
    /// - Throws: as ``init(parsing:)``, but for the size.
    package init(ofProvider text: String) throws(JSONError) { try self.init(text, count: 1...4096) }

    private init(_ text: String, count: ClosedRange<Int>) throws(JSONError) {
        var reader = try JSONObjectReader(try JSON(parsing: text), path: "jwks")
        var kept: [JSON] = []
        for (index, jwk) in try reader.array("keys", count: count).enumerated() {
            var path = "jwks.keys[\(index)]"
            guard case .object = jwk else { throw JSONError(place: path, problem: "must be an object, is \(jwk.kind)") }
            if let id = jwk["kid"]?.stringValue?.prefix(64).printable, !id.isEmpty { path += " (kid \(id))" }
            try Self.checkSecrets(jwk, path: path)
            let key: (String?, ServerJWS.Algorithm?, SignaturePublicKey)
            do { key = try Self.key(jwk, path: path) } catch {
                ignored.append(error)
                continue
            }
            keys.append(key)
            var members = ["kty", "crv", "x", "y", "n", "e", "kid", "alg", "use"].compactMap { name in
                jwk[name].flatMap { $0.stringValue == nil ? nil : JSON.Member(name, $0) }
            }
            do {
                if let certificate = try Self.certificate(jwk, of: key.2, path: path) {
                    certificates.append(certificate)
                    members.append(JSON.Member("x5c", .array([.string(Data(certificate).base64EncodedString())])))
                }
            } catch { ignored.append(error) }
            kept.append(.object(members))
        }
        guard !keys.isEmpty else {
            let reasons = ignored.prefix(4).map(\.description).joined(separator: "; ")
            throw JSONError(place: "jwks.keys", problem: "holds no key that can be used: \(reasons)")
        }
        canonical = JSON.object(["keys": .array(kept)]).text
    }

    private static func checkSecrets(_ jwk: JSON, path: String) throws(JSONError) {
        guard let name = secretMembers.first(where: { jwk[$0] != nil }) else { return }
        throw JSONError(
            place: path, problem: "\(name) is a secret; give the public key only, and replace this one")
    }

    /// Reads one key of a set, or of a message that brings its own.
    static func key(
        _ jwk: JSON, path: String
    ) throws(JSONError) -> (String?, ServerJWS.Algorithm?, SignaturePublicKey) {
        func fail(_ problem: String) -> JSONError { JSONError(place: path, problem: problem) }
        /// A member that is not supported. A value is repeated only if it cannot be anything but a name.
        func unsupported(_ name: String) -> JSONError {
            let value = jwk[name]?.stringValue ?? ""
            let isName = value.wholeMatch(of: /[A-Za-z0-9._-]{1,32}/) != nil
            return fail(isName ? "\(name) \(value) is not supported" : "\(name) is missing or not supported")
        }
        try checkSecrets(jwk, path: path)
        // RFC 7517 §4.2 and §4.3.
        guard jwk["use"] == nil || jwk["use"] == "sig" else { throw fail("use must be sig") }
        guard jwk["key_ops"] == nil || jwk["key_ops"]?.arrayValue?.contains("verify") == true else {
            throw fail("key_ops must contain verify")
        }
        var algorithm: ServerJWS.Algorithm?
        if let name = jwk["alg"] {
            algorithm = name.stringValue.flatMap(ServerJWS.Algorithm.init)
            guard algorithm != nil else { throw unsupported("alg") }
        }
        func bytes(_ name: String) throws(JSONError) -> [UInt8] {
            guard let bytes = jwk[name]?.stringValue.flatMap({ Base64URL.decode($0) }) else {
                throw fail("\(name) must be base64url")
            }
            return bytes
        }
        let key: SignaturePublicKey
        switch jwk["kty"]?.stringValue {
        case "EC":
            guard jwk["crv"] == "P-256" else { throw unsupported("crv") }
            guard algorithm ?? .es256 == .es256 else { throw fail("alg does not fit kty") }
            let point = try bytes("x") + bytes("y")
            do { key = .p256(try P256.Signing.PublicKey(rawRepresentation: point)) } catch {
                throw fail("is not a point of P-256")
            }
        case "RSA":
            guard algorithm != .es256 else { throw fail("alg does not fit kty") }
            let n = try bytes("n")
            let e = try bytes("e")
            // The library takes these sizes and no others.
            guard let rsa = try? _RSA.Signing.PublicKey(n: n, e: e) else {
                throw fail("must be an RSA key of 2048 to 8192 bits")
            }
            key = .rsa(rsa)
        default: throw unsupported("kty")
        }
        return (jwk["kid"]?.stringValue, algorithm, key)
    }

    /// Whether one of the keys made the signature: the one that the header names if it names one.
    package func isSigner(of jws: ServerJWS) -> Bool {
        keys.contains { id, algorithm, key in
            (jws.keyID == nil || id == nil || id == jws.keyID) && (algorithm == nil || algorithm == jws.algorithm)
                && key.isSigner(of: jws)
        }
    }
}

/// A public key that a signature is checked with.
enum SignaturePublicKey {
    case p256(P256.Signing.PublicKey)
    case rsa(_RSA.Signing.PublicKey)

    func isSigner(of jws: ServerJWS) -> Bool {
        switch (self, jws.algorithm) {
        case (.p256(let key), .es256):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: jws.signature) else {
                return false
            }
            return key.isValidSignature(signature, for: jws.signingInput)
        case (.rsa(let key), .ps256), (.rsa(let key), .rs256):
            return key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: jws.signature),
                for: SHA256.hash(data: jws.signingInput),
                padding: jws.algorithm == .ps256 ? .PSS : .insecurePKCS1v1_5)
        default: return false
        }
    }
}
