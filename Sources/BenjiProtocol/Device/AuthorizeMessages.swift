/// Turns a scrip into a token (step 4 of a login).
public struct AuthorizeRequest: Hashable, Sendable {
    public var appID: AppID
    public var scrip: String
    public var purpose: TokenPurpose
    /// A signed ``ConsentRecord``. Login needs one, verification has none.
    public var consent: String?

    public init(appID: AppID, scrip: String, purpose: TokenPurpose, consent: String?) {
        self.appID = appID
        self.scrip = scrip
        self.purpose = purpose
        self.consent = consent
    }

    public var json: JSON {
        .object([
            "app": .string(appID.rawValue), "scrip": .string(scrip), "purpose": .string(purpose.rawValue),
            "consent": consent.map { .string($0) },
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        appID = try reader.value("app", AppID.rule, AppID.init(rawValue:))
        scrip = try reader.credential("scrip", .scrip, "a scrip")
        purpose = try reader.value("purpose", "must be login or verification", TokenPurpose.init(rawValue:))
        consent = try reader.optionalString("consent", length: 1...CompactJWS.maximumLength)
        try reader.finish()
    }
}

public struct AuthorizeResponse: Hashable, Sendable {
    public var trace: TraceID
    public var token: String
    /// Seconds from the answer.
    public var tokenLifetime: Int64
    /// The subscriber's identifier at this app; for a login, and in the dialect of China Mobile's older document for a
    /// verification too.
    public var openID: String?
    /// The next generation of a reusable scrip. The one just used is dead.
    public var scrip: String?
    /// The nonce for the next consent; comes with ``scrip``.
    public var nonce: String?
    public var assurance: Assurance
    /// The authority's signed receipt of the consent.
    public var consentReceipt: String?
    /// The number's carrier, and its mask; where no prefetch reported them.
    public var carrier: Carrier?
    public var maskedNumber: String?

    public init(
        trace: TraceID, token: String, tokenLifetime: Int64, openID: String?, scrip: String?, nonce: String?,
        assurance: Assurance, consentReceipt: String?, carrier: Carrier? = nil, maskedNumber: String? = nil
    ) {
        self.trace = trace
        self.token = token
        self.tokenLifetime = tokenLifetime
        self.openID = openID
        self.scrip = scrip
        self.nonce = nonce
        self.assurance = assurance
        self.consentReceipt = consentReceipt
        self.carrier = carrier
        self.maskedNumber = maskedNumber
    }

    public var json: JSON {
        .object([
            "code": "success", "trace": .string(trace.rawValue), "token": .string(token),
            "tokenLifetime": .integer(tokenLifetime), "openId": openID.map { .string($0) },
            "scrip": scrip.map { .string($0) }, "nonce": nonce.map { .string($0) },
            "assurance": .string(assurance.rawValue), "consentReceipt": consentReceipt.map { .string($0) },
            "carrier": carrier.map { .string($0.rawValue) }, "maskedNumber": maskedNumber.map { .string($0) },
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        _ = try reader.string("code")
        trace = try reader.value("trace", "must be a trace id", TraceID.init(rawValue:))
        token = try reader.credential("token", .token, "a token")
        tokenLifetime = try reader.integer("tokenLifetime", in: 1...2_592_000)
        openID = try reader.optionalString("openId", length: 1...128)
        scrip = try reader.optionalCredential("scrip", .scrip, "a scrip")
        nonce = try reader.optionalCredential("nonce", .nonce, "a nonce")
        assurance = try reader.value("assurance", "must be an assurance", Assurance.init(rawValue:))
        consentReceipt = try reader.optionalString("consentReceipt", length: 1...CompactJWS.maximumLength)
        carrier =
            try reader.optional("carrier") == nil
            ? nil : reader.value("carrier", "must be a carrier", Carrier.init(rawValue:))
        maskedNumber = try reader.optionalString("maskedNumber", length: 5...32)
    }
}

/// Ends a scrip early, with all its generations.
public struct ForgetRequest: Hashable, Sendable {
    public var appID: AppID
    public var scrip: String

    public init(appID: AppID, scrip: String) {
        self.appID = appID
        self.scrip = scrip
    }

    public var json: JSON { .object(["app": .string(appID.rawValue), "scrip": .string(scrip)]) }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        appID = try reader.value("app", AppID.rule, AppID.init(rawValue:))
        scrip = try reader.credential("scrip", .scrip, "a scrip")
        try reader.finish()
    }
}
