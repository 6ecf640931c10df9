public import BenjiProtocol

/// A step still needed before a session can be finished, in the order in which a person is best asked.
public enum FaceNeed: String, Hashable, Sendable, CaseIterable {
    /// A yes to the face being used (``FaceTerms``); before the first frame.
    case consent
    /// A challenge that is passed.
    case face
    /// A name and, if the person likes, a picture of themselves.
    case profile
    /// A yes to the app's learning who this is (``FaceAuthorization``).
    case authorization
}

/// The terms to which a person agrees before their face is used. They are apart from every other consent.
public struct FaceTerms: Hashable, Sendable {
    /// Repeated in the consent as its `policyVersion`.
    public var version: String
    public var title: String
    /// Must be among the consent's links.
    public var url: String

    public init(version: String, title: String, url: String) {
        self.version = version
        self.title = title
        self.url = url
    }

    var json: JSON { .object(["version": .string(version), "title": .string(title), "url": .string(url)]) }

    init(_ json: JSON, path: String) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: path)
        version = try reader.string("version", length: 1...64)
        title = try reader.string("title", length: 1...256)
        url = try reader.string("url", length: 1...2048)
    }
}

/// An authorisation of the app by an account's holder.
public struct FaceAuthorization: Hashable, Sendable {
    /// Repeated in the consent as its `policyVersion`.
    public var version: String
    /// The name under which the app is registered; a text of the consent must hold it.
    public var appName: String

    public init(version: String, appName: String) {
        self.version = version
        self.appName = appName
    }

    var json: JSON { .object(["version": .string(version), "appName": .string(appName)]) }

    init(_ json: JSON, path: String) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: path)
        version = try reader.string("version", length: 1...64)
        appName = try reader.string("appName", length: 1...128)
    }
}

/// A face session that has begun.
public struct FaceBeginResponse: Hashable, Sendable {
    public var trace: TraceID
    public var session: String
    /// Seconds from the answer.
    public var sessionLifetime: Int64
    /// Whether the number has no account yet: this session enrols.
    public var isNewAccount: Bool
    public var maskedNumber: String
    public var needs: [FaceNeed]
    /// There when ``needs`` holds ``FaceNeed/consent``.
    public var terms: FaceTerms?
    /// There when ``needs`` holds ``FaceNeed/authorization``.
    public var authorization: FaceAuthorization?
    /// There when the app has groups and the person has not agreed yet to being found in them; it may be left out.
    public var groups: FaceAuthorization?
    /// To be repeated in the consents.
    public var nonce: String
    public var serverTime: Timestamp

    public init(
        trace: TraceID, session: String, sessionLifetime: Int64, isNewAccount: Bool, maskedNumber: String,
        needs: [FaceNeed], terms: FaceTerms?, authorization: FaceAuthorization?, groups: FaceAuthorization? = nil,
        nonce: String, serverTime: Timestamp
    ) {
        self.trace = trace
        self.session = session
        self.sessionLifetime = sessionLifetime
        self.isNewAccount = isNewAccount
        self.maskedNumber = maskedNumber
        self.needs = needs
        self.terms = terms
        self.authorization = authorization
        self.groups = groups
        self.nonce = nonce
        self.serverTime = serverTime
    }

    public var json: JSON {
        .object([
            "code": "success", "trace": .string(trace.rawValue), "session": .string(session),
            "sessionLifetime": .integer(sessionLifetime), "newAccount": .bool(isNewAccount),
            "maskedNumber": .string(maskedNumber), "needs": .array(needs.map { .string($0.rawValue) }),
            "terms": terms?.json, "authorization": authorization?.json, "groups": groups?.json,
            "nonce": .string(nonce), "serverTime": .integer(serverTime.milliseconds),
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        trace = try reader.value("trace", "must be a trace id", TraceID.init(rawValue:))
        session = try reader.credential("session", .faceSession, "a face session")
        sessionLifetime = try reader.integer("sessionLifetime", in: 1...86400)
        isNewAccount = try reader.bool("newAccount")
        maskedNumber = try reader.string("maskedNumber", length: 5...32)
        needs = []
        for need in try reader.array("needs", count: 0...16) {
            // The phone cannot fulfil a need that it does not know.
            guard let known = need.stringValue.flatMap(FaceNeed.init(rawValue:)) else {
                throw JSONError(place: "$.needs", problem: "holds something that this version does not know")
            }
            needs.append(known)
        }
        terms = try reader.optional("terms").map { json throws(JSONError) in try FaceTerms(json, path: "$.terms") }
        authorization = try reader.optional("authorization").map { json throws(JSONError) in
            try FaceAuthorization(json, path: "$.authorization")
        }
        groups = try reader.optional("groups").map { json throws(JSONError) in
            try FaceAuthorization(json, path: "$.groups")
        }
        nonce = try reader.credential("nonce", .nonce, "a nonce")
        serverTime = Timestamp(milliseconds: try reader.integer("serverTime"))
    }
}
