public import BenjiProtocol

/// Begins looking for a face among the people of one group of the app (the vendor's later group search).
public struct FaceSearchBeginRequest: Hashable, Sendable {
    public var appToken: String
    /// The group's id, as the app's server got it.
    public var group: String

    public init(appToken: String, group: String) {
        self.appToken = appToken
        self.group = group
    }

    public var json: JSON { .object(["appToken": .string(appToken), "group": .string(group)]) }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        appToken = try reader.credential("appToken", .faceAppToken, "an app token")
        group = try reader.string("group", length: 1...64)
        try reader.finish()
    }
}

/// A search that has begun: a face session that expects no particular person. Consent, challenge and frames follow.
public struct FaceSearchBeginResponse: Hashable, Sendable {
    public var trace: TraceID
    public var session: String
    /// Seconds from the answer.
    public var sessionLifetime: Int64
    /// The terms of the consent. It is always needed, because the person in front of the camera is not known yet.
    public var terms: FaceTerms
    /// To be repeated in the consent.
    public var nonce: String
    public var serverTime: Timestamp

    public init(
        trace: TraceID, session: String, sessionLifetime: Int64, terms: FaceTerms, nonce: String, serverTime: Timestamp
    ) {
        self.trace = trace
        self.session = session
        self.sessionLifetime = sessionLifetime
        self.terms = terms
        self.nonce = nonce
        self.serverTime = serverTime
    }

    public var json: JSON {
        .object([
            "code": "success", "trace": .string(trace.rawValue), "session": .string(session),
            "sessionLifetime": .integer(sessionLifetime), "terms": terms.json, "nonce": .string(nonce),
            "serverTime": .integer(serverTime.milliseconds),
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        trace = try reader.value("trace", "must be a trace id", TraceID.init(rawValue:))
        session = try reader.credential("session", .faceSession, "a face session")
        sessionLifetime = try reader.integer("sessionLifetime", in: 1...86400)
        terms = try FaceTerms(try reader.value("terms"), path: "$.terms")
        nonce = try reader.credential("nonce", .nonce, "a nonce")
        serverTime = Timestamp(milliseconds: try reader.integer("serverTime"))
    }
}

/// Looks for the face whose challenge the session has passed, once.
public struct FaceSearchRequest: Hashable, Sendable {
    public var session: String

    public init(session: String) { self.session = session }

    public var json: JSON { .object(["session": .string(session)]) }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        session = try reader.credential("session", .faceSession, "a face session")
        try reader.finish()
    }
}

/// The result of a search. Nothing is issued before the person has shown a second factor (``FaceFinishRequest``).
public struct FaceSearchResponse: Hashable, Sendable {
    public var trace: TraceID
    /// The candidate's openId; `nil` if no member is like the face, or two are.
    public var candidate: String?

    public init(trace: TraceID, candidate: String?) {
        self.trace = trace
        self.candidate = candidate
    }

    public var json: JSON {
        .object([
            "code": "success", "trace": .string(trace.rawValue), "candidate": candidate.map { .string($0) },
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        trace = try reader.value("trace", "must be a trace id", TraceID.init(rawValue:))
        candidate = try reader.optionalString("candidate", length: 1...128)
    }
}
