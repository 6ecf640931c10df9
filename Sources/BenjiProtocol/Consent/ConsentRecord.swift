import Crypto

/// The person's consent: the content shown, the tick and the tap, and their times, signed by the device key.
///
/// It is tied to one prefetch by the scrip's hash and the prefetch nonce, so that a consent cannot be kept and used
/// again. The form is a compact JWS of type `benji-consent+jwt` under ES256.
public struct ConsentRecord: Hashable, Sendable {
    public static let type = "benji-consent+jwt"

    public var appID: AppID
    public var trace: TraceID
    /// base64url of SHA-256 of the scrip.
    public var scripHash: String
    /// base64url of SHA-256 of what the prefetch answered as its nonce. The consent is kept as evidence, so it holds no
    /// credential in clear.
    public var nonceHash: String
    public var content: ConsentContent
    /// ``ConsentContent/digest`` as the device computed it.
    public var contentDigest: String
    /// Digest of the description that Benji drew the page from (``digest(ofPage:)``), which is reviewed and approved.
    /// `nil` for a page that has none, such as one that the app draws.
    public var pageDigest: String?
    /// Digest of the scene: the same page with its boxes. Evidence only, the authority cannot recompute it.
    public var sceneDigest: String?
    public var shownAt: Timestamp
    public var tickedAt: Timestamp
    public var tappedAt: Timestamp

    public init(
        appID: AppID, trace: TraceID, scrip: String, nonce: String, content: ConsentContent, pageDigest: String? = nil,
        sceneDigest: String?, shownAt: Timestamp, tickedAt: Timestamp, tappedAt: Timestamp
    ) {
        self.appID = appID
        self.trace = trace
        scripHash = Self.hash(of: scrip)
        nonceHash = Self.hash(of: nonce)
        self.content = content
        contentDigest = content.digest
        self.pageDigest = pageDigest
        self.sceneDigest = sceneDigest
        self.shownAt = shownAt
        self.tickedAt = tickedAt
        self.tappedAt = tappedAt
    }

    /// How a consent names a scrip or a nonce.
    public static func hash(of credential: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(credential.utf8))))
    }

    /// The *page digest*: base64url of SHA-256 of a description's canonical bytes.
    public static func digest(ofPage bytes: [UInt8]) -> String {
        Base64URL.encode(Array(SHA256.hash(data: bytes)))
    }

    public func signed(by signer: some DeviceSigner) throws -> String {
        try CompactJWS.sign(
            header: [JSON.Member("typ", .string(Self.type))],
            payload: .object([
                "app": .string(appID.rawValue), "trace": .string(trace.rawValue), "scripHash": .string(scripHash),
                "nonceHash": .string(nonceHash), "content": content.json, "contentDigest": .string(contentDigest),
                "pageDigest": pageDigest.map { .string($0) }, "sceneDigest": sceneDigest.map { .string($0) },
                "shownAt": .integer(shownAt.milliseconds),
                "tickedAt": .integer(tickedAt.milliseconds), "tappedAt": .integer(tappedAt.milliseconds),
            ]), with: signer)
    }

    /// Reads a consent that `key` has signed. Whether it is a valid yes to this login is the authority's question.
    public init(verifying text: some StringProtocol, key: DevicePublicKey) throws(JSONError) {
        let jws = try CompactJWS(parsing: text)
        var header = try JSONObjectReader(jws.header, path: "consent header")
        guard try header.string("typ") == Self.type, try header.string("alg") == "ES256" else {
            throw JSONError(place: "consent header", problem: "must be \(Self.type) under ES256")
        }
        try header.finish()
        guard jws.isSigned(by: key) else {
            throw JSONError(place: "consent", problem: "not signed by the device's key")
        }
        var payload = try JSONObjectReader(jws.payload, path: "consent")
        appID = try payload.value("app", "must be an app id", AppID.init(rawValue:))
        trace = try payload.value("trace", "must be a trace id", TraceID.init(rawValue:))
        scripHash = try payload.string("scripHash", length: 43...43)
        nonceHash = try payload.string("nonceHash", length: 43...43)
        content = try ConsentContent(try payload.value("content"), path: "consent.content")
        contentDigest = try payload.string("contentDigest", length: 43...43)
        pageDigest = try payload.optionalString("pageDigest", length: 43...43)
        sceneDigest = try payload.optionalString("sceneDigest", length: 43...43)
        shownAt = Timestamp(milliseconds: try payload.integer("shownAt", in: 0...4_102_444_800_000))
        tickedAt = Timestamp(milliseconds: try payload.integer("tickedAt", in: 0...4_102_444_800_000))
        tappedAt = Timestamp(milliseconds: try payload.integer("tappedAt", in: 0...4_102_444_800_000))
        try payload.finish()
    }
}
