import Authority
package import BenjiProtocol
import Store

/// Pushed authorization requests (RFC 9126): the app's server brings the request itself, and the browser only its name.
extension OpenIDProvider {
    static let pushedPrefix = "urn:ietf:params:oauth:request_uri:"

    package func push(_ credentials: ClientCredentials) async throws(OpenIDFailure) -> JSON {
        let client = try await authenticate(credentials, at: .push)
        guard credentials.parameters["request_uri"] == nil else {
            throw OpenIDFailure(.invalidRequest, "request_uri: cannot be pushed")
        }
        let resolved = try effective(credentials.parameters, client)
        var parameters = resolved.parameters
        // Said now and not to the browser.
        try client.check(try AuthorizationRequest(parameters, client: client.record).scopes)
        // An ID token is not kept; whom it names is.
        if let subjects = try await requestedSubjects(parameters, of: client.record) {
            guard !subjects.isEmpty else {
                throw OpenIDFailure(
                    .invalidRequest, "claims and id_token_hint: nobody is all the accounts that are asked for")
            }
            parameters = parameters.with("claims", RequestedSubject.claims(for: subjects))
        }
        try await takeRequestObject(resolved.id, of: client.record.appID)
        let secret = newSecret()
        let now = now
        do {
            try await store.insertOpenIDCredential(
                OpenIDCredential(
                    hash: CredentialHash(of: secret), kind: .pushed, family: random.family(),
                    appID: client.record.appID,
                    subject: nil, trace: TraceID(random: random), details: Self.json(parameters).text, issuedAt: now,
                    expiresAt: now + .seconds(Lifetime.pushedRequest)))
        } catch { throw OpenIDFailure(error) }
        return .object([
            "request_uri": .string(Self.pushedPrefix + secret), "expires_in": .integer(Lifetime.pushedRequest),
        ])
    }

    /// What an authorization request may say; the client's authentication is not kept.
    private static let kept: Set<String> = [
        "response_type", "response_mode", "redirect_uri", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method", "prompt", "max_age", "acr_values", "ui_locales", "claims",
    ]

    private static func json(_ parameters: OpenIDParameters) -> JSON {
        .object(kept.sorted().compactMap { name in parameters[name].map { JSON.Member(name, .string($0)) } })
    }

    static func parameters(_ json: JSON) throws(JSONError) -> OpenIDParameters {
        guard case .object(let members) = json else { throw JSONError(place: "$", problem: "must be an object") }
        var values: [String: String] = [:]
        for member in members { values[member.name] = member.value.stringValue }
        return OpenIDParameters(values: values)
    }
}
