import Crypto

/// A device key's statement about one request: a DPoP proof (RFC 9449 §4.2) with the hash of the body. From an attested
/// app it also has the local address that the request leaves by.
///
/// It travels in the `DPoP` header. RFC 9449 covers method and address only; the hash (`bh`) covers the rest.
public struct DeviceProof: Hashable, Sendable {
    public static let headerName = "DPoP"
    public static let type = "dpop+jwt"
    /// How far `iat` may be from the server's clock, either way.
    public static let maximumAge: Duration = .seconds(120)

    /// A fresh random name for this proof: 16 to 64 characters.
    public var id: String
    public var method: String
    /// The request's address without query and fragment.
    public var url: String
    public var issuedAt: Timestamp
    /// base64url of the body's SHA-256. An absent body is an empty one.
    public var bodyHash: String
    /// The address of the cellular interface that the request leaves by, as the phone sees it.
    public var localAddress: InternetAddress?
    /// The key that signed.
    public var key: DevicePublicKey

    public init(
        id: String, method: String, url: String, issuedAt: Timestamp, body: [UInt8], localAddress: InternetAddress?,
        key: DevicePublicKey
    ) {
        self.id = id
        self.method = method
        self.url = url
        self.issuedAt = issuedAt
        bodyHash = Self.hash(of: body)
        self.localAddress = localAddress
        self.key = key
    }

    public static func hash(of body: [UInt8]) -> String { Base64URL.encode(Array(SHA256.hash(data: body))) }

    /// The header's value.
    public func signed(by signer: some DeviceSigner) throws -> String {
        try CompactJWS.sign(
            header: [JSON.Member("typ", .string(Self.type)), JSON.Member("jwk", signer.publicKey.jwk)],
            payload: .object([
                "jti": .string(id), "htm": .string(method), "htu": .string(url), "iat": .integer(issuedAt.seconds),
                "bh": .string(bodyHash), "la": localAddress.map { .string($0.description) },
            ]), with: signer)
    }

    /// Reads a header's value and checks its form and its signature. It does not check that it belongs to this request
    /// (`covers(method:url:body:)`), is recent, and is new.
    public init(verifying text: some StringProtocol) throws(JSONError) {
        try self.init(verifying: CompactJWS(parsing: text))
    }

    /// The same for one that was taken apart already.
    public init(verifying jws: CompactJWS) throws(JSONError) {
        var header = try JSONObjectReader(jws.header, path: "proof header")
        guard try header.string("typ") == Self.type else {
            throw JSONError(place: "proof header.typ", problem: "must be \(Self.type)")
        }
        guard try header.string("alg") == "ES256" else {
            throw JSONError(place: "proof header.alg", problem: "must be ES256")
        }
        key = try DevicePublicKey(jwk: try header.value("jwk"), path: "proof header.jwk")
        try header.finish()
        guard jws.isSigned(by: key) else { throw JSONError(place: "proof", problem: "the signature is wrong") }
        var payload = try JSONObjectReader(jws.payload, path: "proof")
        id = try payload.string("jti", length: 16...64)
        method = try payload.string("htm", length: 3...7)
        url = try payload.string("htu", length: 1...2048)
        issuedAt = Timestamp(seconds: try payload.integer("iat", in: 0...4_102_444_800))
        bodyHash = try payload.string("bh", length: 43...43)
        localAddress = nil
        if let text = try payload.optionalString("la", length: 2...45) {
            guard let address = InternetAddress(text) else {
                throw JSONError(place: "proof.la", problem: "is not an address")
            }
            localAddress = address
        }
        // RFC 9449 lets a proof carry more claims; they mean nothing to us.
    }

    /// Whether the proof was made for this very request. `urls` are the addresses under which this server may be
    /// called.
    public func covers(method: String, urls: some Sequence<String>, body: [UInt8]) -> Bool {
        // Bytes are compared: for `String` a letter may equal another scalar (U+212A is "K").
        let own = Self.normalized(url)
        return self.method.utf8.elementsEqual(method.utf8) && bodyHash == Self.hash(of: body)
            && urls.contains { Self.normalized($0) == own }
    }

    /// Scheme and host in lower case, the scheme's own port left out, no query and no fragment (RFC 9449 §4.3, RFC
    /// 3986 §6.2). In UTF-8: to take a text apart by its characters takes as long as to check a signature's form.
    static func normalized(_ url: String) -> [UInt8] {
        let bare = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        var bytes = Array(bare)
        let separator = Array("://".utf8)
        guard let colon = bytes.indices.first(where: { bytes[$0...].starts(with: separator) }) else { return bytes }
        let host = colon + separator.count
        let end = bytes[host...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
        if end == bytes.count { bytes.append(UInt8(ascii: "/")) }
        // ASCII only: `lowercased()` of the standard library maps U+212A to "k".
        for index in 0..<end where (0x41...0x5a).contains(bytes[index]) { bytes[index] |= 0x20 }
        for (scheme, port) in [("http", ":80"), ("https", ":443")]
        where bytes[..<colon].elementsEqual(scheme.utf8)
            && bytes[host..<end].suffix(port.utf8.count).elementsEqual(port.utf8)
        {
            bytes.removeSubrange(end - port.utf8.count..<end)
        }
        return bytes
    }
}
