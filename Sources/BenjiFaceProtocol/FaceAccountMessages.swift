public import BenjiProtocol

/// A request that an access token is all of: user, logout, cancel, leaving groups.
public struct FaceAccessRequest: Hashable, Sendable {
    public var appToken: String
    public var accessToken: String

    public init(appToken: String, accessToken: String) {
        self.appToken = appToken
        self.accessToken = accessToken
    }

    public var json: JSON { .object(["appToken": .string(appToken), "accessToken": .string(accessToken)]) }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        appToken = try reader.credential("appToken", .faceAppToken, "an app token")
        accessToken = try reader.credential("accessToken", .faceAccess, "an access token")
        try reader.finish()
    }
}

/// Freezes or erases an account: the access token says whose, and something fresh that it is they.
public struct FaceConfirmedRequest: Hashable, Sendable {
    public var appToken: String
    public var accessToken: String
    /// A one-tap token of the account's number; `nil` where this device has just shown the face.
    public var token: String?

    public init(appToken: String, accessToken: String, token: String? = nil) {
        self.appToken = appToken
        self.accessToken = accessToken
        self.token = token
    }

    public var json: JSON {
        .object([
            "appToken": .string(appToken), "accessToken": .string(accessToken), "token": token.map { .string($0) },
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        appToken = try reader.credential("appToken", .faceAppToken, "an app token")
        accessToken = try reader.credential("accessToken", .faceAccess, "an access token")
        token = try reader.optionalCredential("token", .token, "a token")
        try reader.finish()
    }
}

/// Buys new tokens. The old refresh token is spent by it; shown a second time it ends the access.
public struct FaceRenewRequest: Hashable, Sendable {
    public var appToken: String
    public var refreshToken: String

    public init(appToken: String, refreshToken: String) {
        self.appToken = appToken
        self.refreshToken = refreshToken
    }

    public var json: JSON { .object(["appToken": .string(appToken), "refreshToken": .string(refreshToken)]) }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        appToken = try reader.credential("appToken", .faceAppToken, "an app token")
        refreshToken = try reader.credential("refreshToken", .faceRefresh, "a refresh token")
        try reader.finish()
    }
}

public struct FaceRenewResponse: Hashable, Sendable {
    public var grant: FaceGrant

    public init(grant: FaceGrant) { self.grant = grant }

    public var json: JSON { .object(["code": "success", "grant": grant.json]) }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        grant = try FaceGrant(try reader.value("grant"), path: "$.grant")
    }
}

/// Gives the account the app's own uid.
public struct FaceUpdateUIDRequest: Hashable, Sendable {
    public var appToken: String
    public var accessToken: String
    public var uid: String
    /// As of ``FaceConfirmedRequest``.
    public var token: String?

    public init(appToken: String, accessToken: String, uid: String, token: String? = nil) {
        self.appToken = appToken
        self.accessToken = accessToken
        self.uid = uid
        self.token = token
    }

    public var json: JSON {
        .object([
            "appToken": .string(appToken), "accessToken": .string(accessToken), "uid": .string(uid),
            "token": token.map { .string($0) },
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        appToken = try reader.credential("appToken", .faceAppToken, "an app token")
        accessToken = try reader.credential("accessToken", .faceAccess, "an access token")
        uid = try reader.string("uid", length: FaceUID.length)
        token = try reader.optionalCredential("token", .token, "a token")
        try reader.finish()
    }
}

/// Replaces what the app knows of its user.
public struct FaceUpdateUserInfoRequest: Hashable, Sendable {
    public var appToken: String
    public var accessToken: String
    public var userInfo: FaceUserInfo

    public init(appToken: String, accessToken: String, userInfo: FaceUserInfo) {
        self.appToken = appToken
        self.accessToken = accessToken
        self.userInfo = userInfo
    }

    public var json: JSON {
        .object(["appToken": .string(appToken), "accessToken": .string(accessToken), "userInfo": userInfo.json])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        appToken = try reader.credential("appToken", .faceAppToken, "an app token")
        accessToken = try reader.credential("accessToken", .faceAccess, "an access token")
        userInfo = try FaceUserInfo(try reader.value("userInfo"), path: "$.userInfo", isRequest: true)
        try reader.finish()
    }
}

/// Asks whether one of the app's users is tied to an account.
public struct FaceStateRequest: Hashable, Sendable {
    public var appToken: String
    public var uid: String

    public init(appToken: String, uid: String) {
        self.appToken = appToken
        self.uid = uid
    }

    public var json: JSON { .object(["appToken": .string(appToken), "uid": .string(uid)]) }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        appToken = try reader.credential("appToken", .faceAppToken, "an app token")
        uid = try reader.string("uid", length: FaceUID.length)
        try reader.finish()
    }
}

public struct FaceStateResponse: Hashable, Sendable {
    public var isAuthorized: Bool

    public init(isAuthorized: Bool) { self.isAuthorized = isAuthorized }

    public var json: JSON { .object(["code": "success", "authorized": .bool(isAuthorized)]) }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        isAuthorized = try reader.bool("authorized")
    }
}

/// The account and user of an access token.
public struct FaceUserResponse: Hashable, Sendable {
    public var openID: String
    public var uid: String
    public var isRandomUID: Bool
    /// Since when the account has this uid: a device that knew another learns here that it was changed, and when.
    public var uidSince: Timestamp?
    public var userInfo: FaceUserInfo
    /// `nil` when the app has no groups.
    public var groups: FaceGroupStanding?

    public init(
        openID: String, uid: String, isRandomUID: Bool, uidSince: Timestamp? = nil, userInfo: FaceUserInfo,
        groups: FaceGroupStanding? = nil
    ) {
        self.openID = openID
        self.uid = uid
        self.isRandomUID = isRandomUID
        self.uidSince = uidSince
        self.userInfo = userInfo
        self.groups = groups
    }

    public var json: JSON {
        .object([
            "code": "success", "openId": .string(openID), "uid": .string(uid), "randomUid": .bool(isRandomUID),
            "uidSince": uidSince.map { .integer($0.milliseconds) }, "userInfo": userInfo.json, "groups": groups?.json,
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        openID = try reader.string("openId", length: 1...128)
        uid = try reader.string("uid", length: FaceUID.length)
        isRandomUID = try reader.bool("randomUid")
        uidSince = (reader.optional("uidSince")?.integerValue).map(Timestamp.init(milliseconds:))
        userInfo = try FaceUserInfo(try reader.value("userInfo"), path: "$.userInfo", isRequest: false)
        groups = try reader.optional("groups").map { json throws(JSONError) in
            try FaceGroupStanding(json, path: "$.groups")
        }
    }
}

/// How somebody stands to the groups of an app, among whose people it may look for a face.
public struct FaceGroupStanding: Hashable, Sendable {
    /// Whether they have agreed to being found there.
    public var isAgreed: Bool
    /// The app's names of the groups that it has put them into, oldest first.
    public var names: [String]

    public init(isAgreed: Bool, names: [String]) {
        self.isAgreed = isAgreed
        self.names = names
    }

    public var json: JSON {
        .object(["agreed": .bool(isAgreed), "names": .array(names.map { .string($0) })])
    }

    public init(_ json: JSON, path: String) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: path)
        isAgreed = try reader.bool("agreed")
        names = try reader.array("names", count: 0...1000).map { json throws(JSONError) in
            guard let name = json.stringValue else {
                throw JSONError(place: "\(path).names", problem: "must be texts")
            }
            return name
        }
    }
}

/// How cancelling and erasing ended.
public struct FaceCancelResponse: Hashable, Sendable {
    /// Whether the face is gone too: no other app of the person's was left that uses it.
    public var isErased: Bool
    /// When an account that no app uses is erased, unless its holder logs in before; `nil` if it is gone, or an app
    /// uses it.
    public var keptUntil: Timestamp?

    public init(isErased: Bool, keptUntil: Timestamp? = nil) {
        self.isErased = isErased
        self.keptUntil = keptUntil
    }

    public var json: JSON {
        .object([
            "code": "success", "erased": .bool(isErased), "keptUntil": keptUntil.map { .integer($0.milliseconds) },
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        isErased = try reader.bool("erased")
        keptUntil = (reader.optional("keptUntil")?.integerValue).map(Timestamp.init(milliseconds:))
    }
}
