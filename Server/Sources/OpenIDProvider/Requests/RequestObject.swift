import Authority
import BenjiProtocol
import Crypto
import Store

/// A signed request object (RFC 9101), by value: its parameters count, and no others.
enum RequestObject {
    /// The parameters that count, and what makes the object that they came in count once.
    struct Resolved {
        var parameters: OpenIDParameters
        /// The object's `jti`; `nil` if the parameters came in none.
        var id: String?
    }

    /// Parameters that OpenID Connect also wants beside the object: they must then say the same.
    private static let repeated = ["client_id", "response_type", "redirect_uri", "scope"]
    private static let own: Set<String> = ["iss", "aud", "exp", "iat", "nbf", "jti"]
    /// The parameters that are read of an object. Any other is ignored, whatever its value is (RFC 9101 §6.3, RFC 6749
    /// §3.1): `resource` (RFC 8707) is an array, `authorization_details` (RFC 9396) holds objects.
    private static let known = PushedAuthorizationRequests.kept.union([
        "client_id", "id_token_hint", "login_hint", "login_hint_token", "binding_message", "requested_expiry",
        "client_notification_token",
    ])

    /// The parameters of the object in `parameters`, or `parameters` if there is none.
    static func resolve(
        _ parameters: OpenIDParameters, client: OpenIDClientRecord, audiences: Set<String>, now: Timestamp
    ) throws(OpenIDFailure) -> Resolved {
        guard let text = parameters["request"] else { return Resolved(parameters: parameters) }
        func refuse(_ detail: String) -> OpenIDFailure { OpenIDFailure(.invalidRequestObject, "request: \(detail)") }
        guard let keySet = client.keySet else {
            throw OpenIDFailure(.requestNotSupported, "request: the app has registered no keys")
        }
        let payload: JSON
        do {
            let jws = try ServerJWS(parsing: text)
            guard ["oauth-authz-req+jwt", "jwt", nil].contains(jws.type?.lowercased()) else {
                throw refuse("typ must be oauth-authz-req+jwt or JWT")
            }
            guard client.profile.takes(jws.algorithm) else { throw refuse("alg must be ES256 or PS256") }
            guard try ClientKeySet(parsing: keySet).isSigner(of: jws) else {
                throw refuse("is not signed by one of the app's keys")
            }
            payload = jws.payload
        } catch {
            throw error as? OpenIDFailure ?? refuse("\(error)")
        }
        guard case .object(let members) = payload else { throw refuse("must be an object") }
        guard payload["iss"]?.stringValue == client.appID.rawValue else { throw refuse("iss must be the client_id") }
        guard SignedClaims.audiences(payload).contains(where: audiences.contains) else {
            throw refuse("aud must be the issuer or the endpoint")
        }
        guard let id = payload["jti"]?.stringValue, (1...255).contains(id.utf8.count) else {
            throw refuse("jti: missing or longer than 255 bytes")
        }
        if let problem = SignedClaims.timeProblem(payload, needsIssueTime: true, now: now) { throw refuse(problem) }
        // RFC 9101 §10.8: an object must not pass for an assertion of the client's.
        for name in ["sub", "request", "request_uri"] where payload[name] != nil {
            throw refuse("must not hold \(name)")
        }
        var values: [String: String] = [:]
        for member in members where !own.contains(member.name) {
            var text = member.value.stringValue ?? member.value.integerValue.map(String.init)
            // OpenID Connect Core §6.1: the one parameter that is an object.
            if member.name == "claims", case .object = member.value { text = member.value.text }
            if let value = text {
                values[member.name] = value.isEmpty ? nil : value
            } else if known.contains(member.name) {
                throw refuse("\(member.name) must be a string")
            }
        }
        for name in repeated {
            if let beside = parameters[name], values[name] != nil || name != "client_id", values[name] != beside {
                throw refuse("\(name) differs from the one beside the object")
            }
        }
        values["client_id"] = client.appID.rawValue
        return Resolved(parameters: OpenIDParameters(values: values), id: id)
    }
}

extension ProviderContext {
    /// Takes a signed request object, once: when it buys something, so that a phone that was not recognised can try
    /// again.
    func takeRequestObject(_ id: String?, of app: AppID) async throws(OpenIDFailure) {
        guard let id else { return }
        let name = "openid-request:" + Base64URL.encode(Array(SHA256.hash(data: Array(id.utf8))))
        let isNew: Bool
        do {
            isNew = try await store.takeName(
                name, app: app, until: now + .seconds(authority.configuration.messageMemory), now: now)
        } catch { throw OpenIDFailure(error) }
        guard isNew else { throw OpenIDFailure(.invalidRequestObject, "request: was used before; sign a new one") }
    }

    /// The parameters of a signed request object, or these.
    ///
    /// - Parameter paths: the endpoints that the object may be for.
    func effective(
        _ parameters: OpenIDParameters, _ client: KnownClient,
        at paths: [OpenIDProvider.Path] = [.authorize, .push]
    ) throws(OpenIDFailure) -> RequestObject.Resolved {
        try RequestObject.resolve(
            parameters, client: client.record,
            audiences: Set([configuration.issuer] + paths.flatMap(configuration.urls)),
            now: authority.clock.now)
    }
}
