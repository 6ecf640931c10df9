import Authority

/// Answers to an authorization request by way of the browser (RFC 6749 §4.1.2), each with its issuer (RFC 9207).
struct AuthorizationResponse: Sendable {
    let issuer: String

    /// The app gets its code.
    func code(_ code: String, for request: AuthorizationRequest) -> OpenIDStep {
        step(
            ["code": code, "state": request.state, "iss": issuer], to: request.redirectURI, isPosted: request.isPosted)
    }

    /// The person said no on the page.
    func turnedDown(_ request: AuthorizationRequest) -> OpenIDStep {
        failed(
            OpenIDFailure(.accessDenied, Self.otherWay), to: request.redirectURI, state: request.state,
            isPosted: request.isPosted)
    }

    private static let otherWay = "the person chose another way to log in"

    func failed(_ failure: OpenIDFailure, to uri: String, state: String?, isPosted: Bool) -> OpenIDStep {
        step(fields(failure.error, failure.detail, state), to: uri, isPosted: isPosted)
    }

    private func step(_ fields: KeyValuePairs<String, String?>, to uri: String, isPosted: Bool) -> OpenIDStep {
        guard isPosted else { return .redirect(FormText.adding(fields, to: uri)) }
        return .post(
            OpenIDForm(target: uri, fields: fields.compactMap { name, value in value.map { .init(name, $0) } }))
    }

    /// A link back to the app, which learns that the person wants another way. It is an address even if answers are
    /// forms: a link is no form, and it contains nothing to protect.
    func otherWay(_ request: AuthorizationRequest) -> String {
        error(.accessDenied, Self.otherWay, to: request.redirectURI, state: request.state)
    }

    func error(_ error: OAuthError, _ detail: String, to uri: String, state: String?) -> String {
        FormText.adding(fields(error, detail, state), to: uri)
    }

    private func fields(_ error: OAuthError, _ detail: String, _ state: String?) -> KeyValuePairs<String, String?> {
        // RFC 6749 §4.1.2.1: no quotation marks and no backslashes.
        let detail = detail.filter { $0.isASCII && $0 != "\"" && $0 != "\\" }
        return ["error": error.rawValue, "error_description": detail, "state": state, "iss": issuer]
    }
}

extension ProviderContext {
    var response: AuthorizationResponse { AuthorizationResponse(issuer: configuration.issuer) }
}
