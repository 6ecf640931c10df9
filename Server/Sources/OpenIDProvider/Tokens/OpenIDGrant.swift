import Authority
import BenjiProtocol
import Store

/// The grant that a code or an access token represents.
struct OpenIDGrant: Hashable, Sendable {
    var scopes: [String]
    /// How the person was recognised; `nil` for a token of the app's own, which has no subject.
    var context: AuthenticationContext?
    var authenticatedAt: Timestamp
    /// For a code: the values that its exchange must match.
    var redirectURI = ""
    var challenge = ""
    var nonce: String?
    /// The binding of the code or token.
    var binding = TokenBinding()
    /// The `sub` that this authorization alone has; `nil` if it is the account's.
    var subject: String?
    /// Of a code: whether its login is brief (``ProviderContext/isBrief(_:_:for:)``).
    var isBrief = false
    /// Of a code of a brief login: its consent, which is written when the code is redeemed.
    var pendingConsent: PendingConsent?

    /// A consent that is not written yet. App, trace and holder are the code's.
    struct PendingConsent: Hashable, Sendable {
        var contentDigest: String
        var record: String
        var assurance: Assurance?
        var receivedAt: Timestamp

        init(_ consent: ConsentEvidence) {
            contentDigest = consent.contentDigest
            record = consent.record
            assurance = consent.assurance
            receivedAt = consent.receivedAt
        }

        var json: JSON {
            .object([
                "digest": .string(contentDigest), "record": .string(record),
                "assurance": assurance.map { .string($0.rawValue) }, "receivedAt": .integer(receivedAt.milliseconds),
            ])
        }

        init(_ json: JSON) throws(JSONError) {
            var reader = try JSONObjectReader(json)
            contentDigest = try reader.string("digest")
            record = try reader.string("record", length: 0...1 << 20)
            assurance = try reader.optionalString("assurance").flatMap(Assurance.init(rawValue:))
            receivedAt = Timestamp(milliseconds: try reader.integer("receivedAt"))
        }

        /// The consent to write when `code` is redeemed.
        func evidence(of code: OpenIDCredential) -> ConsentEvidence? {
            code.subject.map {
                ConsentEvidence(
                    appID: code.appID, trace: code.trace, subscription: $0.subscription, contentDigest: contentDigest,
                    record: record, assurance: assurance, receivedAt: receivedAt)
            }
        }
    }

    var json: JSON {
        .object([
            "scopes": .array(scopes.map { .string($0) }), "context": context.map { .string($0.rawValue) },
            "authenticatedAt": .integer(authenticatedAt.milliseconds), "redirectURI": .string(redirectURI),
            "challenge": .string(challenge), "nonce": nonce.map { .string($0) },
            "subject": subject.map { .string($0) }, "key": binding.key.map { .string($0) },
            "certificate": binding.certificate.map { .string($0) }, "brief": isBrief ? .bool(true) : nil,
            "consent": pendingConsent?.json,
        ])
    }

    init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        scopes = try reader.array("scopes").compactMap(\.stringValue)
        context = try reader.optionalString("context").flatMap(AuthenticationContext.init(rawValue:))
        authenticatedAt = Timestamp(milliseconds: try reader.integer("authenticatedAt"))
        redirectURI = try reader.string("redirectURI")
        challenge = try reader.string("challenge")
        nonce = try reader.optionalString("nonce")
        subject = try reader.optionalString("subject")
        binding.key = try reader.optionalString("key")
        binding.certificate = try reader.optionalString("certificate")
        isBrief = reader.optional("brief")?.boolValue ?? false
        if let consent = reader.optional("consent") { pendingConsent = try PendingConsent(consent) }
    }

    init(_ request: AuthorizationRequest, authenticatedAt: Timestamp) {
        scopes = request.scopes
        context = request.context
        self.authenticatedAt = authenticatedAt
        redirectURI = request.redirectURI
        challenge = request.challenge
        nonce = request.nonce
        binding.key = request.keyThumbprint
    }

    /// For an app's own token.
    init(scopes: [String], issuedAt: Timestamp, binding: TokenBinding = TokenBinding()) {
        self.scopes = scopes
        self.binding = binding
        authenticatedAt = issuedAt
    }
}

extension OpenIDCredential {
    /// Reads ``details``, which only this program writes.
    func read<Value>(_ make: (JSON) throws(JSONError) -> Value) throws(OpenIDFailure) -> Value {
        do { return try make(try JSON(parsing: details)) } catch {
            throw OpenIDFailure(.serverError, "a stored credential cannot be read")
        }
    }
}
