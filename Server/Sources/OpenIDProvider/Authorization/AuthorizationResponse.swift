import Authority

/// Answers to an authorization request by way of the browser (RFC 6749 §4.1.2), each with its issuer (RFC 9207).
struct AuthorizationResponse: Sendable {
    let issuer: String

    /// The app gets its code.
    func code(_ code: String, for request: AuthorizationRequest) -> OpenIDStep {
        .redirect(
            FormText.adding(
                ["code": code, "state": request.state, "iss": issuer], to: request.redirectURI))
    }

    /// The app hears that the person wants another way.
    func otherWay(_ request: AuthorizationRequest) -> String {
        error(.accessDenied, "the person chose another way to log in", to: request.redirectURI, state: request.state)
    }

    func error(_ error: OAuthError, _ detail: String, to uri: String, state: String?) -> String {
        // RFC 6749 §4.1.2.1: no quotation marks and no backslashes.
        let detail = detail.filter { $0.isASCII && $0 != "\"" && $0 != "\\" }
        return FormText.adding(
            ["error": error.rawValue, "error_description": detail, "state": state, "iss": issuer],
            to: uri)
    }
}

extension ProviderContext {
    var response: AuthorizationResponse { AuthorizationResponse(issuer: configuration.issuer) }
}
