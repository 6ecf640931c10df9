import Authority
package import BenjiProtocol
import Store

/// Pushed authorization requests (RFC 9126): the app's server brings the request itself, and the browser only its name.
package struct PushedAuthorizationRequests: Sendable {
    let context: ProviderContext

    private static let prefix = "urn:ietf:params:oauth:request_uri:"

    package func push(_ credentials: ClientCredentials) async throws(OpenIDFailure) -> JSON {
        let client = try await context.authenticate(credentials, at: .push)
        guard credentials.parameters["request_uri"] == nil else {
            throw OpenIDFailure(.invalidRequest, "request_uri: cannot be pushed")
        }
        let resolved = try context.effective(credentials.parameters, client)
        var parameters = resolved.parameters
        // A request pushed with a proof is bound to its key (RFC 9449 §10.1).
        if let key = try await context.provenKey(credentials.proof, of: client.record) {
            guard parameters["dpop_jkt"] ?? key == key else {
                throw OpenIDFailure(.invalidDPoPProof, "dpop_jkt: is another key than the proof's")
            }
            parameters = parameters.with("dpop_jkt", key)
        }
        // Errors are reported here, to the app's server.
        try client.check(try AuthorizationRequest(parameters, client: client.record).scopes)
        // An ID token is not kept; whom it names is.
        if let subjects = try await context.requestedSubjects(parameters, of: client.record) {
            guard !subjects.isEmpty else {
                throw OpenIDFailure(
                    .invalidRequest, "claims and id_token_hint: nobody is all the accounts that are asked for")
            }
            parameters = parameters.with("claims", RequestedSubject.claims(for: subjects))
        }
        try await context.takeRequestObject(resolved.id, of: client.record.appID)
        let secret = context.newCredential()
        let now = context.now
        try await context.insert(
            OpenIDCredential(
                hash: CredentialHash(of: secret, .openID), kind: .pushed, family: context.random.family(),
                appID: client.record.appID,
                subject: nil, trace: TraceID(at: context.now, random: context.random),
                details: Self.json(parameters).text,
                issuedAt: now, expiresAt: now + .seconds(OpenIDLifetime.pushedRequest)))
        return .object([
            "request_uri": .string(Self.prefix + secret), "expires_in": .integer(OpenIDLifetime.pushedRequest),
        ])
    }

    /// The parameters of an authorization request that are kept; the client's authentication is not.
    static let kept: Set<String> = [
        "response_type", "response_mode", "redirect_uri", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method", "prompt", "max_age", "acr_values", "ui_locales", "claims", "dpop_jkt",
    ]

    private static func json(_ parameters: OpenIDParameters) -> JSON {
        .object(kept.sorted().compactMap { name in parameters[name].map { JSON.Member(name, .string($0)) } })
    }

    private static func parameters(_ json: JSON) throws(JSONError) -> OpenIDParameters {
        guard case .object(let members) = json else { throw JSONError(place: "$", problem: "must be an object") }
        var values: [String: String] = [:]
        for member in members { values[member.name] = member.value.stringValue }
        return OpenIDParameters(values: values)
    }

    /// A pushed request, as a browser names it.
    struct Found {
        var credential: OpenIDCredential
        var parameters: OpenIDParameters
        /// Whether it is neither used nor too old.
        var isLive: Bool
    }

    func find(_ uri: String, of client: KnownClient) async throws(OpenIDFailure) -> Found {
        guard uri.hasPrefix(Self.prefix) else {
            throw OpenIDFailure(.requestURINotSupported, "request_uri: only those of pushed requests (RFC 9126)")
        }
        let found = try await context.lookUp(String(uri.dropFirst(Self.prefix.count)))
        guard let credential = found.credential, credential.kind == .pushed, credential.appID == client.record.appID
        else { throw OpenIDFailure(.invalidRequestURI, "request_uri: unknown") }
        let parameters = try credential.read { json throws(JSONError) in try Self.parameters(json) }
        let isLive = if case .live = found { context.now < credential.expiresAt } else { false }
        return Found(credential: credential, parameters: parameters, isLive: isLive)
    }

    /// Keeps the first credential of a login, if the pushed request still holds if there was one.
    ///
    /// - Parameter end: a page keeps the request, so that it can be loaded again. A page's code spends the request.
    func keep(
        _ credential: OpenIDCredential, of pushed: OpenIDCredential?, end: OpenIDExchange.End = .spent
    ) async throws {
        guard let pushed else {
            return try await context.insert(credential)
        }
        let outcome = try await context.exchange(
            OpenIDExchange(
                hash: pushed.hash, kind: .pushed, appID: pushed.appID, now: context.now, next: credential, end: end))
        guard case .spent = outcome else { throw OpenIDFailure(.invalidRequestURI, "request_uri: was used before") }
    }
}
