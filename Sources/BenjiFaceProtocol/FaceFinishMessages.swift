public import BenjiProtocol

/// Ends a login or a binding: everything that was collected becomes true at once, or nothing of it.
public struct FaceFinishRequest: Hashable, Sendable {
    public var session: String
    /// When ``FaceNeed/profile`` is asked for.
    public var name: String?
    /// A JPEG of at most ``FaceUserInfo/maximumAvatar`` bytes. Optional even then.
    public var avatar: [UInt8]?
    /// When ``FaceNeed/authorization`` is asked for: a signed ``BenjiProtocol/ConsentRecord``.
    public var authorization: String?
    /// A yes to being found in the app's groups, if the person gives it: a signed ``BenjiProtocol/ConsentRecord`` to
    /// ``FaceBeginResponse/groups``.
    public var groups: String?
    /// The second factor of a session that has found somebody by their face: a one-tap token or what the install
    /// remembers, of the same account. The other sessions began with one.
    public var confirmation: FaceIdentity?
    /// The app's data about its user.
    public var userInfo: FaceUserInfo?

    public init(
        session: String, name: String? = nil, avatar: [UInt8]? = nil, authorization: String? = nil,
        groups: String? = nil, confirmation: FaceIdentity? = nil, userInfo: FaceUserInfo? = nil
    ) {
        self.session = session
        self.name = name
        self.avatar = avatar
        self.authorization = authorization
        self.groups = groups
        self.confirmation = confirmation
        self.userInfo = userInfo
    }

    public var json: JSON {
        var (token, remembered): (JSON?, JSON?)
        switch confirmation {
        case .oneTap(let text): token = .string(text)
        case .remembered(let text): remembered = .string(text)
        // An access token is no factor: it came of a login.
        case .access, nil: break
        }
        return .object([
            "session": .string(session), "name": name.map { .string($0) },
            "avatar": avatar.map { .string(Base64URL.encode($0)) }, "authorization": authorization.map { .string($0) },
            "groups": groups.map { .string($0) }, "token": token, "remembered": remembered,
            "userInfo": userInfo?.json,
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        session = try reader.credential("session", .faceSession, "a face session")
        name = try reader.optionalString("name", length: 1...64)
        let picture = try reader.optionalString("avatar", length: 1...(FaceUserInfo.maximumAvatar * 4 + 2) / 3)
        avatar = picture.flatMap(Base64URL.decode)
        guard picture == nil || avatar != nil else {
            throw JSONError(place: "$.avatar", problem: "must be base64url")
        }
        authorization = try reader.optionalString("authorization", length: 1...CompactJWS.maximumLength)
        groups = try reader.optionalString("groups", length: 1...CompactJWS.maximumLength)
        let token = try reader.optionalCredential("token", .token, "a token")
        let remembered = try reader.optionalCredential("remembered", .faceRemembered, "a remembered account")
        guard token == nil || remembered == nil else {
            throw JSONError(place: "$", problem: "must not hold both token and remembered")
        }
        confirmation = token.map(FaceIdentity.oneTap) ?? remembered.map(FaceIdentity.remembered)
        userInfo = try reader.optional("userInfo").map { json throws(JSONError) in
            try FaceUserInfo(json, path: "$.userInfo", isRequest: true)
        }
        try reader.finish()
    }
}

/// A login by face.
public struct FaceFinishResponse: Hashable, Sendable {
    public var trace: TraceID
    public var grant: FaceGrant
    /// By which this install may begin the next session without a token.
    public var remembered: String
    /// For the app's server, once: `authorization_code` at the token endpoint.
    public var authorizationCode: String
    /// The person's identifier at this app, whatever uid the app has given.
    public var openID: String
    public var uid: String
    /// Whether the uid was drawn by Benji and the app has not given its own yet.
    public var isRandomUID: Bool
    public var userInfo: FaceUserInfo

    public init(
        trace: TraceID, grant: FaceGrant, remembered: String, authorizationCode: String, openID: String, uid: String,
        isRandomUID: Bool, userInfo: FaceUserInfo
    ) {
        self.trace = trace
        self.grant = grant
        self.remembered = remembered
        self.authorizationCode = authorizationCode
        self.openID = openID
        self.uid = uid
        self.isRandomUID = isRandomUID
        self.userInfo = userInfo
    }

    public var json: JSON {
        .object([
            "code": "success", "trace": .string(trace.rawValue), "grant": grant.json,
            "remembered": .string(remembered), "authorizationCode": .string(authorizationCode),
            "openId": .string(openID), "uid": .string(uid), "randomUid": .bool(isRandomUID),
            "userInfo": userInfo.json,
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        trace = try reader.value("trace", "must be a trace id", TraceID.init(rawValue:))
        grant = try FaceGrant(try reader.value("grant"), path: "$.grant")
        remembered = try reader.credential("remembered", .faceRemembered, "a remembered account")
        authorizationCode = try reader.credential("authorizationCode", .faceCode, "an authorization code")
        openID = try reader.string("openId", length: 1...128)
        uid = try reader.string("uid", length: FaceUID.length)
        isRandomUID = try reader.bool("randomUid")
        userInfo = try FaceUserInfo(try reader.value("userInfo"), path: "$.userInfo", isRequest: false)
    }
}
