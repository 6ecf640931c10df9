/// Asks for a text to send from the phone, where the network does not tell the number. The app's workflow must have it.
public struct SMSUpstreamRequest: Hashable, Sendable {
    public var appID: AppID
    public var bundleID: String
    /// ``AppKeyProof`` over the request's proof; `nil` from an SDK that was given no app key.
    public var appKeyProof: String?
    /// The SDK that speaks: it decides the life of the token.
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

/// A text, and where to send it. Its sender is logged in on the phone that got this reply.
public struct SMSUpstreamResponse: Hashable, Sendable {
    public var trace: TraceID
    /// By what the text is known: 32 hexadecimal digits. The consent repeats it in place of scrip and nonce.
    public var transaction: String
    /// To be sent as it is. A secret until it has come.
    public var text: String
    /// Where to: digits, as they are dialled.
    public var serviceNumber: String
    /// Seconds from the answer until somebody must have logged in.
    public var lifetime: Int64
    /// Seconds between two questions whether the text has come.
    public var retryAfter: Int64
    /// To be repeated in the consent.
    public var policyVersion: String
    public var serverTime: Timestamp

    public init(
        trace: TraceID, transaction: String, text: String, serviceNumber: String, lifetime: Int64, retryAfter: Int64,
        policyVersion: String, serverTime: Timestamp
    ) {
        self.trace = trace
        self.transaction = transaction
        self.text = text
        self.serviceNumber = serviceNumber
        self.lifetime = lifetime
        self.retryAfter = retryAfter
        self.policyVersion = policyVersion
        self.serverTime = serverTime
    }

    public var json: JSON {
        .object([
            "code": "success", "trace": .string(trace.rawValue), "transaction": .string(transaction),
            "text": .string(text), "serviceNumber": .string(serviceNumber), "lifetime": .integer(lifetime),
            "retryAfter": .integer(retryAfter), "policyVersion": .string(policyVersion),
            "serverTime": .integer(serverTime.milliseconds),
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        _ = try reader.string("code")
        trace = try reader.value("trace", "must be a trace id", TraceID.init(rawValue:))
        transaction = try reader.transaction()
        text = try reader.string("text", length: 1...640)
        serviceNumber = try reader.value("serviceNumber", "must be 3 to 20 digits") { text in
            (3...20).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? text : nil
        }
        lifetime = try reader.integer("lifetime", in: 1...86400)
        retryAfter = try reader.integer("retryAfter", in: 1...86400)
        policyVersion = try reader.string("policyVersion", length: 1...64)
        serverTime = Timestamp(milliseconds: try reader.integer("serverTime"))
    }
}

/// Asks whether a text has come.
public struct SMSUpstreamStatusRequest: Hashable, Sendable {
    public var appID: AppID
    public var transaction: String

    public init(appID: AppID, transaction: String) {
        self.appID = appID
        self.transaction = transaction
    }

    public var json: JSON {
        .object(["app": .string(appID.rawValue), "transaction": .string(transaction)])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        appID = try reader.value("app", AppID.rule, AppID.init(rawValue:))
        transaction = try reader.transaction()
        try reader.finish()
    }
}

/// Whether a text has come, and from whom.
public struct SMSUpstreamStatusResponse: Hashable, Sendable {
    /// The sender of a text, for the person to recognise.
    public struct Sender: Hashable, Sendable {
        public var carrier: Carrier
        public var maskedNumber: String

        public init(carrier: Carrier, maskedNumber: String) {
            self.carrier = carrier
            self.maskedNumber = maskedNumber
        }
    }

    public var trace: TraceID
    /// `nil` while the text has not come.
    public var sender: Sender?
    /// Seconds until the next question; of no meaning once the text has come.
    public var retryAfter: Int64

    public init(trace: TraceID, sender: Sender?, retryAfter: Int64) {
        self.trace = trace
        self.sender = sender
        self.retryAfter = retryAfter
    }

    public var json: JSON {
        .object([
            "code": "success", "trace": .string(trace.rawValue), "hasArrived": .bool(sender != nil),
            "carrier": sender.map { .string($0.carrier.rawValue) },
            "maskedNumber": sender.map { .string($0.maskedNumber) }, "retryAfter": .integer(retryAfter),
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        _ = try reader.string("code")
        trace = try reader.value("trace", "must be a trace id", TraceID.init(rawValue:))
        if try reader.bool("hasArrived") {
            sender = Sender(
                carrier: try reader.value("carrier", "must be a carrier", Carrier.init(rawValue:)),
                maskedNumber: try reader.string("maskedNumber", length: 5...32))
        }
        retryAfter = try reader.integer("retryAfter", in: 1...86400)
    }
}

/// Turns a text that has come, and the person's consent, into a token. Answered as an authorize, without a next scrip.
public struct SMSUpstreamLoginRequest: Hashable, Sendable {
    public var appID: AppID
    /// As in the request for the text.
    public var dialect: Dialect
    public var transaction: String
    /// A signed ``ConsentRecord`` with the transaction in place of scrip and nonce.
    public var consent: String

    public init(appID: AppID, dialect: Dialect, transaction: String, consent: String) {
        self.appID = appID
        self.dialect = dialect
        self.transaction = transaction
        self.consent = consent
    }

    public var json: JSON {
        .object([
            "app": .string(appID.rawValue), "dialect": .string(dialect.rawValue), "transaction": .string(transaction),
            "consent": .string(consent),
        ])
    }

    /// - Parameter dialects: those that are answered.
    public init(_ json: JSON, dialects: [Dialect] = [.device]) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        appID = try reader.value("app", AppID.rule, AppID.init(rawValue:))
        dialect = try reader.value("dialect", "must be a dialect that phones speak") { name in
            dialects.first { $0.rawValue == name }
        }
        transaction = try reader.transaction()
        consent = try reader.string("consent", length: 1...CompactJWS.maximumLength)
        try reader.finish()
    }
}
