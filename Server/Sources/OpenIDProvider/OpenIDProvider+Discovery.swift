import Authority
package import BenjiProtocol
import Store

/// Endpoint addresses and discovery metadata.
extension OpenIDProvider {
    package enum Path: String, CaseIterable, Sendable {
        case discovery = "/.well-known/openid-configuration"
        case jwks = "/openid/jwks"
        /// The keys that consent receipts are checked by, former ones too.
        case receiptKeys = "/.well-known/benji-receipt-keys"
        case authorize = "/openid/authorize"
        /// Where the page's form goes.
        case login = "/openid/login"
        case push = "/openid/par"
        case token = "/openid/token"
        case userInfo = "/openid/userinfo"
        case revoke = "/openid/revoke"
        case introspect = "/openid/introspect"
        /// The images of apps' pages, each under its digest.
        case media = "/openid/media/{digest}"
        /// The helper for web developers.
        case script = "/openid/benji.js"
    }

    package func url(_ path: Path) -> String { configuration.url(path) }

    /// OpenID Connect Discovery 1.0 §3.
    package var metadata: JSON {
        func list(_ names: [String]) -> JSON { .array(names.map { .string($0) }) }
        let signing = list(ServerJWS.Algorithm.allCases.map(\.rawValue))
        let authentication = list(ClientAuthentication.allCases.map(\.rawValue))
        return .object([
            "issuer": .string(configuration.issuer), "authorization_endpoint": .string(url(.authorize)),
            "token_endpoint": .string(url(.token)), "userinfo_endpoint": .string(url(.userInfo)),
            "jwks_uri": .string(url(.jwks)), "revocation_endpoint": .string(url(.revoke)),
            "introspection_endpoint": .string(url(.introspect)),
            "pushed_authorization_request_endpoint": .string(url(.push)),
            "scopes_supported": list(AuthorizationRequest.knownScopes),
            "response_types_supported": list(["code"]), "response_modes_supported": list(["query"]),
            "grant_types_supported": list(["authorization_code", "client_credentials"]),
            "subject_types_supported": list(["pairwise"]),
            "acr_values_supported": list(AuthenticationContext.allCases.map(\.rawValue)),
            "id_token_signing_alg_values_supported": list(IDTokenAlgorithm.allCases.map(\.rawValue)),
            "token_endpoint_auth_methods_supported": authentication,
            "token_endpoint_auth_signing_alg_values_supported": signing,
            "revocation_endpoint_auth_methods_supported": authentication,
            "revocation_endpoint_auth_signing_alg_values_supported": signing,
            "introspection_endpoint_auth_methods_supported": authentication,
            "introspection_endpoint_auth_signing_alg_values_supported": signing,
            "request_object_signing_alg_values_supported": signing, "request_parameter_supported": true,
            "request_uri_parameter_supported": false, "claims_parameter_supported": false,
            "claims_supported": list([
                "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "at_hash", "phone_number",
                "phone_number_verified",
            ]), "code_challenge_methods_supported": list(["S256"]),
            "authorization_response_iss_parameter_supported": true,
            "prompt_values_supported": list(["none", "login", "consent", "select_account"]),
            "ui_locales_supported": list(["zh-Hans", "zh-Hant", "en"]),
        ])
    }

    /// The keys of consent receipts as a JWK set.
    package func receiptKeys() async throws(OpenIDFailure) -> JSON {
        do { return ConsentReceipt.set(of: try await authority.receiptKeys()) } catch {
            throw OpenIDFailure(error)
        }
    }

    package func jwks() async throws(OpenIDFailure) -> JSON {
        do { return try await clients.jwks() } catch { throw OpenIDFailure(error) }
    }
}

extension OpenIDProvider.Configuration {
    func url(_ path: OpenIDProvider.Path) -> String {
        switch path {
        case .authorize, .login, .media, .script: pages + path.rawValue
        default: issuer + path.rawValue
        }
    }
}
