import Authority
import BenjiProtocol
import Store

/// A checked authorization request: the parameters after validation.
struct AuthorizationRequest: Hashable, Sendable {
    var redirectURI: String
    var state: String?
    var nonce: String?
    /// The scopes that are granted, in the order of ``loginScopes`` or ``CAMARAScope``.
    var scopes: [String]
    /// PKCE (RFC 7636), S256; empty if the client may do without and does.
    var challenge: String
    /// The key that the code is bound to (RFC 9449 §10), by its thumbprint.
    var keyThumbprint: String?
    /// Whether the answer is a form that the browser sends, and not an address (`response_mode=form_post`).
    var isPosted: Bool
    /// The context that the request, or else the client's registration, asks for.
    var context: AuthenticationContext
    /// Whether a code by SMS would do if the network does not know the phone. It does not if the request or the
    /// registration names a stronger way and not this one.
    var acceptsSMS: Bool
    var isSilent: Bool
    /// Whether a remembered consent may replace a page. It may not if the app asks for a page (`prompt`), or if the
    /// request or the registration names another way and not this one.
    var acceptsRemembered: Bool
    /// The most seconds that may have passed since the person last tapped.
    var maximumAge: Int64?
    var languages: [String]

    static let loginScopes = ["openid", "phone"]
    static let knownScopes = loginScopes + CAMARAScope.allCases.map(\.rawValue)

    /// Whether the request is for CAMARA's interfaces: the network alone answers, and no page is ever shown.
    var isWithoutPage: Bool { CAMARAScopes.areAsked(Set(scopes)) }

    /// Where an answer goes: only ever to an address that the client registered.
    static func returnAddress(
        _ parameters: OpenIDParameters, client: OpenIDClientRecord
    ) throws(OpenIDFailure) -> String {
        let uri = try parameters.required("redirect_uri")
        guard client.redirectURIs.contains(where: { $0.utf8.elementsEqual(uri.utf8) }) else {
            throw OpenIDFailure(
                .invalidRequest,
                "redirect_uri: is not one that the app registered; they are compared character by character")
        }
        return uri
    }

    /// - Parameter parameters: those that count: of a signed request object, its own.
    init(_ parameters: OpenIDParameters, client: OpenIDClientRecord) throws(OpenIDFailure) {
        redirectURI = try Self.returnAddress(parameters, client: client)
        func refuse(_ detail: String, _ error: OAuthError = .invalidRequest) -> OpenIDFailure {
            OpenIDFailure(error, detail)
        }
        state = try Self.text(parameters, "state")
        nonce = try Self.text(parameters, "nonce")
        guard try parameters.required("response_type") == "code" else {
            throw refuse("response_type: must be code", .unsupportedResponseType)
        }
        isPosted = Self.isPosted(parameters, client: client)
        guard isPosted || parameters["response_mode"] ?? "query" == "query" else {
            throw refuse(
                client.profile == .fapi2
                    ? "response_mode: must be query"
                    : "response_mode: must be query, or form_post where redirect_uri is a web address")
        }
        let asked = Set(try parameters.required("scope").split(separator: " ").map(String.init))
        let isWithoutPage = CAMARAScopes.areAsked(asked)
        if isWithoutPage {
            scopes = try CAMARAScopes.granted(asked, of: client)
            guard !scopes.contains(where: { CAMARAScope(rawValue: $0)?.isOfNamedNumbers == true }) else {
                throw refuse(
                    "scope: one-time-password-sms needs the app's own token, by client_credentials", .invalidScope)
            }
        } else {
            guard asked.contains("openid") else { throw refuse("scope: must contain openid", .invalidScope) }
            scopes = Self.loginScopes.filter(asked.contains)
        }
        challenge = try Self.challenge(parameters, client: client)
        keyThumbprint = parameters["dpop_jkt"]
        guard keyThumbprint.map(Self.isHash) ?? true else {
            throw refuse("dpop_jkt: must be a SHA-256 as base64url, 43 characters")
        }
        let prompts = Set((parameters["prompt"] ?? "").split(separator: " ").map(String.init))
        guard prompts.isSubset(of: ["none", "login", "consent", "select_account"]) else {
            throw refuse("prompt: must be none, login, consent or select_account")
        }
        guard !prompts.contains("none") || prompts.count == 1 else {
            throw refuse("prompt: none cannot be combined with others")
        }
        // CAMARA implies prompt=none, whatever is asked.
        isSilent = isWithoutPage || prompts == ["none"]
        // Only a remembered consent can be too old: a tap is always new.
        if let age = parameters["max_age"] {
            guard let seconds = Int64(age), seconds >= 0 else { throw refuse("max_age: must be a number of seconds") }
            maximumAge = seconds
        }
        let wanted = (parameters["acr_values"] ?? "").split(separator: " ").compactMap {
            AuthenticationContext(rawValue: String($0))
        }
        // CAMARA ignores acr_values: there is no page on which digits could be typed.
        context =
            !isWithoutPage && (client.asksMiddleDigits || wanted.first == .networkAndDigits)
            ? .networkAndDigits : .network
        acceptsSMS = !isWithoutPage && !client.asksMiddleDigits && (wanted.isEmpty || wanted.contains(.sms))
        acceptsRemembered =
            !isWithoutPage && !client.asksMiddleDigits && prompts.isSubset(of: ["none"])
            && (wanted.isEmpty || wanted.contains(.remembered))
        languages = (parameters["ui_locales"] ?? "").split(separator: " ").map(String.init)
    }

    /// Whether an answer to these parameters is a form. An app is opened by an address alone, so it gets none.
    static func isPosted(_ parameters: OpenIDParameters, client: OpenIDClientRecord) -> Bool {
        parameters["response_mode"] == "form_post" && client.profile != .fapi2
            && parameters["redirect_uri"]?.hasPrefix("http") == true
    }

    /// Whether a text can be a SHA-256 as base64url.
    static func isHash(_ text: String) -> Bool { text.utf8.count == 43 && Base64URL.decode(text)?.count == 32 }

    /// PKCE's challenge; empty if there is none, and the client may do without.
    private static func challenge(
        _ parameters: OpenIDParameters, client: OpenIDClientRecord
    ) throws(OpenIDFailure) -> String {
        func refuse(_ detail: String) -> OpenIDFailure { OpenIDFailure(.invalidRequest, detail) }
        guard let challenge = parameters["code_challenge"] else {
            guard !client.requiresPKCE, parameters["code_challenge_method"] == nil else {
                throw refuse("code_challenge: missing; PKCE is mandatory (RFC 7636)")
            }
            return ""
        }
        guard parameters["code_challenge_method"] == "S256" else {
            throw refuse("code_challenge_method: must be S256")
        }
        guard isHash(challenge) else {
            throw refuse("code_challenge: must be a SHA-256 as base64url, 43 characters")
        }
        return challenge
    }

    /// A value that the client gets back as it sent it.
    private static func text(_ parameters: OpenIDParameters, _ name: String) throws(OpenIDFailure) -> String? {
        guard let value = parameters[name] else { return nil }
        guard value.utf8.count <= 2048, value.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
            throw OpenIDFailure(.invalidRequest, "\(name): must be printable ASCII of at most 2048 characters")
        }
        return value
    }

    // MARK: - At rest

    var json: JSON {
        .object([
            "redirectURI": .string(redirectURI), "state": state.map { .string($0) },
            "nonce": nonce.map { .string($0) }, "scopes": .array(scopes.map { .string($0) }),
            "challenge": .string(challenge), "context": .string(context.rawValue),
            "languages": .array(languages.map { .string($0) }),
            "acceptsSMS": acceptsSMS ? .bool(true) : nil, "key": keyThumbprint.map { .string($0) },
            "formPost": isPosted ? .bool(true) : nil,
        ])
    }

    init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        redirectURI = try reader.string("redirectURI")
        state = try reader.optionalString("state")
        nonce = try reader.optionalString("nonce")
        scopes = try reader.array("scopes").compactMap(\.stringValue)
        challenge = try reader.string("challenge")
        context = try reader.value("context", "unknown", AuthenticationContext.init(rawValue:))
        languages = try reader.array("languages").compactMap(\.stringValue)
        acceptsSMS = reader.optional("acceptsSMS")?.boolValue ?? false
        keyThumbprint = try reader.optionalString("key")
        isPosted = reader.optional("formPost")?.boolValue ?? false
        isSilent = false
        acceptsRemembered = false
    }
}
