public import Crypto

/// The public half of the P-256 key that an install of an app makes for itself.
public struct DevicePublicKey: Hashable, Sendable {
    /// The point as 64 bytes: x, then y.
    public let rawRepresentation: [UInt8]
    /// The JWK thumbprint (RFC 7638, SHA-256) as base64url: what scrips and tokens are bound to.
    public let thumbprint: String
    private let held: ConstantKey<P256.Signing.PublicKey>
    var key: P256.Signing.PublicKey { held.key }

    /// `nil` unless `rawRepresentation` is a point of the curve.
    public init?(rawRepresentation: some Collection<UInt8>) {
        let bytes = Array(rawRepresentation)
        guard bytes.count == 64, let key = try? P256.Signing.PublicKey(rawRepresentation: bytes) else { return nil }
        self.init(key, bytes)
    }

    public init(_ key: P256.Signing.PublicKey) { self.init(key, Array(key.rawRepresentation)) }

    private init(_ key: P256.Signing.PublicKey, _ bytes: [UInt8]) {
        held = ConstantKey(key)
        rawRepresentation = bytes
        thumbprint = Self.thumbprint(of: bytes)
    }

    /// The key as a JSON Web Key (RFC 7518 §6.2.1).
    public var jwk: JSON {
        .object([
            "crv": "P-256", "kty": "EC", "x": .string(Base64URL.encode(rawRepresentation[..<32])),
            "y": .string(Base64URL.encode(rawRepresentation[32...])),
        ])
    }

    /// Reads a JSON Web Key. Refuses private keys and other curves; members that are not read are ignored (RFC 7517
    /// §4).
    public init(jwk: JSON, path: String = "$.jwk") throws(JSONError) {
        var reader = try JSONObjectReader(jwk, path: path)
        guard reader.optional("d") == nil else {
            throw JSONError(place: "\(path).d", problem: "must not hold a private key")
        }
        guard try reader.string("kty") == "EC", try reader.string("crv") == "P-256" else {
            throw JSONError(place: path, problem: "must be an EC key of the curve P-256")
        }
        let x = try reader.value("x", "must be base64url", Base64URL.decode)
        let y = try reader.value("y", "must be base64url", Base64URL.decode)
        guard x.count == 32, y.count == 32, let key = DevicePublicKey(rawRepresentation: x + y) else {
            throw JSONError(place: path, problem: "is not a point of the curve P-256")
        }
        self = key
    }

    /// Each key's thumbprint is asked for several times in a login, so it is made once, and without a tree of JSON.
    private static func thumbprint(of point: [UInt8]) -> String {
        let x = Base64URL.encode(point[..<32])
        let y = Base64URL.encode(point[32...])
        // RFC 7638 wants the required members in lexicographic order and no white space.
        let canonical = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
        return Base64URL.encode(Array(SHA256.hash(data: Array(canonical.utf8))))
    }

    public static func == (left: DevicePublicKey, right: DevicePublicKey) -> Bool {
        left.rawRepresentation == right.rawRepresentation
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(rawRepresentation) }
}

/// Something that signs with a device key: the Secure Enclave, the Keychain, a file, or a test.
public protocol DeviceSigner: Sendable {
    var publicKey: DevicePublicKey { get }
    /// The ECDSA signature over SHA-256 of `message`: 64 bytes, r then s (RFC 7518 §3.4).
    func signature(over message: [UInt8]) throws -> [UInt8]
}

/// A device key held in memory.
public struct SoftwareDeviceSigner: DeviceSigner {
    private let held: ConstantKey<P256.Signing.PrivateKey>
    public let publicKey: DevicePublicKey

    public init(key: P256.Signing.PrivateKey = P256.Signing.PrivateKey()) {
        held = ConstantKey(key)
        publicKey = DevicePublicKey(key.publicKey)
    }

    public func signature(over message: [UInt8]) throws -> [UInt8] {
        Array(try held.key.signature(for: message).rawRepresentation)
    }
}
