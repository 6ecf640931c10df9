/// Asks the gateway who this phone is (step 2 of a login).
public struct PrefetchRequest: Hashable, Sendable {
    public var appID: AppID
    public var bundleID: String
    /// ``AppKeyProof`` over the request's proof; `nil` from an SDK that was given no app key.
    public var appKeyProof: String?
    /// The SDK that speaks: it decides lifetimes.
    public var dialect: Dialect

    public init(appID: AppID, bundleID: String, appKeyProof: String?, dialect: Dialect) {
        self.appID = appID
        self.bundleID = bundleID
        self.appKeyProof = appKeyProof
        self.dialect = dialect
    }

    public var json: JSON {
        .object([
            "app": .string(appID.rawValue), "bundle": .string(bundleID),
            "appKeyProof": appKeyProof.map { .string($0) }, "dialect": .string(dialect.rawValue),
        ])
    }

    /// - Parameter dialects: those that are answered.
    public init(_ json: JSON, dialects: [Dialect] = [.device]) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        appID = try reader.value("app", AppID.rule, AppID.init(rawValue:))
        bundleID = try reader.string("bundle", length: 1...255)
        appKeyProof = try reader.optionalString("appKeyProof", length: 43...43)
        dialect = try reader.value("dialect", "must be a dialect that phones speak") { name in
            dialects.first { $0.rawValue == name }
        }
        try reader.finish()
    }
}

/// The reply to a prefetch: enough to show the page, and the scrip that authorize requires.
public struct PrefetchResponse: Hashable, Sendable {
    public var trace: TraceID
    public var scrip: String
    /// Seconds from the answer.
    public var scripLifetime: Int64
    public var maskedNumber: String
    public var carrier: Carrier
    public var policyVersion: String
    public var page: CarrierPage
    /// To be repeated in the consent.
    public var nonce: String
    public var assurance: Assurance
    /// For the next attestation, if the app has attesters.
    public var attestationChallenge: String?
    /// Whether the app's workflow also logs in by a code by SMS.
    public var smsLogin: Bool
    /// Whether the app holds the capability `ticked-page`: its pages may begin with the tick set.
    public var tickedPage: Bool
    public var serverTime: Timestamp

    public init(
        trace: TraceID, scrip: String, scripLifetime: Int64, maskedNumber: String, carrier: Carrier,
        policyVersion: String,
        page: CarrierPage, nonce: String, assurance: Assurance, attestationChallenge: String? = nil,
        smsLogin: Bool = false, tickedPage: Bool = false, serverTime: Timestamp
    ) {
        self.trace = trace
        self.scrip = scrip
        self.scripLifetime = scripLifetime
        self.maskedNumber = maskedNumber
        self.carrier = carrier
        self.policyVersion = policyVersion
        self.page = page
        self.nonce = nonce
        self.assurance = assurance
        self.attestationChallenge = attestationChallenge
        self.smsLogin = smsLogin
        self.tickedPage = tickedPage
        self.serverTime = serverTime
    }

    public var json: JSON {
        .object([
            "code": "success", "trace": .string(trace.rawValue), "scrip": .string(scrip),
            "scripLifetime": .integer(scripLifetime), "maskedNumber": .string(maskedNumber),
            "carrier": .string(carrier.rawValue), "policyVersion": .string(policyVersion), "page": page.json,
            "nonce": .string(nonce), "assurance": .string(assurance.rawValue),
            "attestationChallenge": attestationChallenge.map { .string($0) }, "smsLogin": smsLogin ? .bool(true) : nil,
            "tickedPage": tickedPage ? .bool(true) : nil, "serverTime": .integer(serverTime.milliseconds),
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        _ = try reader.string("code")
        trace = try reader.value("trace", "must be a trace id", TraceID.init(rawValue:))
        scrip = try reader.credential("scrip", .scrip, "a scrip")
        scripLifetime = try reader.integer("scripLifetime", in: 1...86400)
        maskedNumber = try reader.string("maskedNumber", length: 5...32)
        carrier = try reader.value("carrier", "must be a carrier", Carrier.init(rawValue:))
        policyVersion = try reader.string("policyVersion", length: 1...64)
        page = try CarrierPage(try reader.value("page"), path: "$.page")
        nonce = try reader.credential("nonce", .nonce, "a nonce")
        assurance = try reader.value("assurance", "must be an assurance", Assurance.init(rawValue:))
        attestationChallenge = try reader.optionalString("attestationChallenge", length: 1...128)
        smsLogin = reader.optional("smsLogin") == .bool(true)
        tickedPage = reader.optional("tickedPage") == .bool(true)
        serverTime = Timestamp(milliseconds: try reader.integer("serverTime"))
        // Servers may say more in a later minor version; phones ignore it.
    }
}
