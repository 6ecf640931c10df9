/// Asks for a code by SMS, where the network does not tell the number. The app's workflow must have it.
public struct SMSCodeRequest: Hashable, Sendable {
    public var appID: AppID
    public var bundleID: String
    /// ``AppKeyProof`` over the request's proof; `nil` from an SDK that was given no app key.
    public var appKeyProof: String?
    /// The SDK that speaks: it decides the life of the token.
    public var dialect: Dialect
    /// As the person typed it: digits, an optional `+` or `00` before them. A secret.
    public var number: String

    public init(appID: AppID, bundleID: String, appKeyProof: String?, dialect: Dialect, number: String) {
        self.appID = appID
        self.bundleID = bundleID
        self.appKeyProof = appKeyProof
        self.dialect = dialect
        self.number = number
    }

    public var json: JSON {
        .object([
            "app": .string(appID.rawValue), "bundle": .string(bundleID),
            "appKeyProof": appKeyProof.map { .string($0) }, "dialect": .string(dialect.rawValue),
            "number": .string(number),
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
        number = try reader.string("number", length: 1...32)
        try reader.finish()
    }
}

/// A message is under way, or may be. The answer is the same for every number that messages are sent to.
public struct SMSCodeResponse: Hashable, Sendable {
    public var trace: TraceID
    /// By what the code is known: 32 hexadecimal digits. The consent repeats it in place of scrip and nonce.
    public var transaction: String
    /// Digits of the code.
    public var digits: Int64
    /// Seconds from the answer.
    public var lifetime: Int64
    /// How many wrong codes are forgiven; `nil` from a server that does not say it.
    public var tries: Int64?
    /// To be repeated in the consent.
    public var policyVersion: String
    public var serverTime: Timestamp

    public init(
        trace: TraceID, transaction: String, digits: Int64, lifetime: Int64, tries: Int64? = nil, policyVersion: String,
        serverTime: Timestamp
    ) {
        self.trace = trace
        self.transaction = transaction
        self.digits = digits
        self.lifetime = lifetime
        self.tries = tries
        self.policyVersion = policyVersion
        self.serverTime = serverTime
    }

    public var json: JSON {
        .object([
            "code": "success", "trace": .string(trace.rawValue), "transaction": .string(transaction),
            "digits": .integer(digits), "lifetime": .integer(lifetime), "tries": tries.map { .integer($0) },
            "policyVersion": .string(policyVersion), "serverTime": .integer(serverTime.milliseconds),
        ])
    }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        _ = try reader.string("code")
        trace = try reader.value("trace", "must be a trace id", TraceID.init(rawValue:))
        transaction = try reader.transaction()
        digits = try reader.integer("digits", in: 4...10)
        lifetime = try reader.integer("lifetime", in: 1...86400)
        tries = try reader.optional("tries") == nil ? nil : reader.integer("tries", in: 1...100)
        policyVersion = try reader.string("policyVersion", length: 1...64)
        serverTime = Timestamp(milliseconds: try reader.integer("serverTime"))
    }
}

/// Turns a code that the person typed, and their consent, into a token. Answered as an authorize, without a next scrip.
public struct SMSLoginRequest: Hashable, Sendable {
    public var appID: AppID
    /// As in the request for the code.
    public var dialect: Dialect
    public var transaction: String
    /// The digits that the person typed.
    public var smsCode: String
    /// A signed ``ConsentRecord`` with the transaction in place of scrip and nonce.
    public var consent: String

    public init(appID: AppID, dialect: Dialect, transaction: String, smsCode: String, consent: String) {
        self.appID = appID
        self.dialect = dialect
        self.transaction = transaction
        self.smsCode = smsCode
        self.consent = consent
    }

    public var json: JSON {
        .object([
            "app": .string(appID.rawValue), "dialect": .string(dialect.rawValue), "transaction": .string(transaction),
            "smsCode": .string(smsCode), "consent": .string(consent),
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
        smsCode = try reader.value("smsCode", "must be 4 to 10 digits") { text in
            (4...10).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? text : nil
        }
        consent = try reader.string("consent", length: 1...CompactJWS.maximumLength)
        try reader.finish()
    }
}

extension JSONObjectReader {
    mutating func transaction() throws(JSONError) -> String {
        // The grammar of a trace id.
        try value("transaction", "must be 32 lower-case hexadecimal digits") {
            TraceID(rawValue: $0) == nil ? nil : $0
        }
    }
}
