import Authority
import BenjiProtocol
import Store

/// What a code or an access token stands for.
struct OpenIDGrant: Hashable, Sendable {
    var scopes: [String]
    /// How the person was recognised; `nil` for a token of the app's own, which stands for nobody.
    var context: AuthenticationContext?
    var authenticatedAt: Timestamp
    /// For a code: what its exchange must match.
    var redirectURI = ""
    var challenge = ""
    var nonce: String?
    /// What code or token is bound to.
    var binding = TokenBinding()
    /// The `sub` that this authorization alone has; `nil` if it is the account's.
    var subject: String?

    var json: JSON {
        .object([
            "scopes": .array(scopes.map { .string($0) }), "context": context.map { .string($0.rawValue) },
            "authenticatedAt": .integer(authenticatedAt.milliseconds), "redirectURI": .string(redirectURI),
            "challenge": .string(challenge), "nonce": nonce.map { .string($0) },
            "subject": subject.map { .string($0) }, "key": binding.key.map { .string($0) },
            "certificate": binding.certificate.map { .string($0) },
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
    /// Reads ``details``, which nobody but this program wrote.
    func read<Value>(_ make: (JSON) throws(JSONError) -> Value) throws(OpenIDFailure) -> Value {
        do { return try make(try JSON(parsing: details)) } catch {
            throw OpenIDFailure(.serverError, "a stored credential cannot be read")
        }
    }
}
