import Authority
import BenjiProtocol
import Store

/// A signed request object (RFC 9101), by value: its parameters count, and nothing beside them.
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
            guard let value = text else { throw refuse("parameters must be strings") }
            values[member.name] = value.isEmpty ? nil : value
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
