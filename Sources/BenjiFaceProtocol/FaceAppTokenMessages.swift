public import BenjiProtocol

/// Asks for an app token: what the vendor's document calls initialising the SDK. In OAuth's words a client credentials
/// grant (RFC 6749 §4.4), with the app's secret shown by ``BenjiProtocol/AppKeyProof`` instead of sent.
public struct FaceAppTokenRequest: Hashable, Sendable {
    public var appID: AppID
    public var bundleID: String
    /// ``BenjiProtocol/AppKeyProof`` over the request's proof; `nil` from an SDK that was given no secret.
    public var appKeyProof: String?

    public init(appID: AppID, bundleID: String, appKeyProof: String?) {
        self.appID = appID
        self.bundleID = bundleID
        self.appKeyProof = appKeyProof
    }

    public var json: JSON {
        .object([
            "app": .string(appID.rawValue), "bundle": .string(bundleID),
            "appKeyProof": appKeyProof.map { .string($0) },
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        appID = try reader.value("app", AppID.rule, AppID.init(rawValue:))
        bundleID = try reader.string("bundle", length: 1...255)
        appKeyProof = try reader.optionalString("appKeyProof", length: 43...43)
        try reader.finish()
    }
}

/// An app token, bound to the device key that asked.
public struct FaceAppTokenResponse: Hashable, Sendable {
    public var appToken: String
    /// Seconds from the answer.
    public var appTokenLifetime: Int64
    /// The attributes that the app may read (``FaceAttributeField``).
    public var attributes: [FaceAttributeField]
    public var serverTime: Timestamp

    public init(appToken: String, appTokenLifetime: Int64, attributes: [FaceAttributeField], serverTime: Timestamp) {
        self.appToken = appToken
        self.appTokenLifetime = appTokenLifetime
        self.attributes = attributes
        self.serverTime = serverTime
    }

    public var json: JSON {
        .object([
            "code": "success", "appToken": .string(appToken), "appTokenLifetime": .integer(appTokenLifetime),
            "attributes": .array(attributes.map { .string($0.rawValue) }),
            "serverTime": .integer(serverTime.milliseconds),
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        appToken = try reader.credential("appToken", .faceAppToken, "an app token")
        appTokenLifetime = try reader.integer("appTokenLifetime", in: 1...86400)
        // A newer server may know more of them.
        attributes = try reader.array("attributes").compactMap {
            $0.stringValue.flatMap(FaceAttributeField.init(rawValue:))
        }
        serverTime = Timestamp(milliseconds: try reader.integer("serverTime"))
    }
}
