import Authority
package import BenjiProtocol
import Store

/// Endpoint addresses and discovery metadata.
extension OpenIDProvider {
    package enum Path: String, CaseIterable, Sendable {
        case discovery = "/.well-known/openid-configuration"
        /// The same document under the name that OAuth gives it (RFC 8414).
        case metadata = "/.well-known/oauth-authorization-server"
        case jwks = "/openid/jwks"
        /// The keys that consent receipts are checked by, former ones too.
        case receiptKeys = "/.well-known/benji-receipt-keys"
        case authorize = "/openid/authorize"
        /// Where the page's form goes.
        case login = "/openid/login"
        case push = "/openid/par"
        case token = "/openid/token"
        /// Where an app's server has a person asked on their phone (CIBA).
        case backchannel = "/openid/bc-authorize"
        case userInfo = "/openid/userinfo"
        case revoke = "/openid/revoke"
        case introspect = "/openid/introspect"
        /// The images of apps' pages, each under its digest.
        case media = "/openid/media/{digest}"
        /// A person's own page: the consents that are remembered.
        case consents = "/openid/consents"
        /// A person's own page: what apps ask them.
        case requests = "/openid/requests"
        /// The helper for web developers.
        case script = "/openid/benji.js"
    }

    package func url(_ path: Path) -> String { configuration.url(path) }

    /// OpenID Connect Discovery 1.0 §3.
    package var metadata: JSON {
        func list(_ names: [String]) -> JSON { .array(names.map { .string($0) }) }
        let signing = list(ServerJWS.Algorithm.allCases.map(\.rawValue))
        let assertions = list(ServerJWS.Algorithm.allCases.map(\.rawValue) + ["HS256"])
        let authentication = list(clientAuthentications.map(\.rawValue))
        return .object([
            "issuer": .string(configuration.issuer), "authorization_endpoint": .string(url(.authorize)),
            "token_endpoint": .string(url(.token)), "userinfo_endpoint": .string(url(.userInfo)),
            "jwks_uri": .string(url(.jwks)), "revocation_endpoint": .string(url(.revoke)),
            "introspection_endpoint": .string(url(.introspect)),
            "pushed_authorization_request_endpoint": .string(url(.push)),
            "backchannel_authentication_endpoint": .string(url(.backchannel)),
            "backchannel_token_delivery_modes_supported": list(BackchannelDelivery.allCases.map(\.rawValue)),
            "backchannel_authentication_request_signing_alg_values_supported": signing,
            "backchannel_user_code_parameter_supported": false,
            "scopes_supported": list(AuthorizationRequest.knownScopes),
            "response_types_supported": list(["code"]), "response_modes_supported": list(["query", "form_post"]),
            "grant_types_supported": list(["authorization_code", "client_credentials", BackchannelGrant.type]),
            "subject_types_supported": list(["pairwise"]),
            "acr_values_supported": list(AuthenticationContext.allCases.map(\.rawValue)),
            "id_token_signing_alg_values_supported": list(IDTokenAlgorithm.allCases.map(\.rawValue)),
            "token_endpoint_auth_methods_supported": authentication,
            "token_endpoint_auth_signing_alg_values_supported": assertions,
            "revocation_endpoint_auth_methods_supported": authentication,
            "revocation_endpoint_auth_signing_alg_values_supported": assertions,
            "introspection_endpoint_auth_methods_supported": authentication,
            "introspection_endpoint_auth_signing_alg_values_supported": assertions,
            "request_object_signing_alg_values_supported": signing, "request_parameter_supported": true,
            "request_uri_parameter_supported": false, "claims_parameter_supported": false,
            "claims_supported": list([
                "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "at_hash", "phone_number",
                "phone_number_verified",
            ]), "code_challenge_methods_supported": list(["S256"]),
            "dpop_signing_alg_values_supported": list(DPoPProof.algorithms.map(\.rawValue)),
            "tls_client_certificate_bound_access_tokens": configuration.mutualTLS == nil ? nil : true,
            "mtls_endpoint_aliases": configuration.mutualTLS.map { _ in mutualTLSAliases },
            "authorization_response_iss_parameter_supported": true,
            "prompt_values_supported": list(["none", "login", "consent", "select_account"]),
            "ui_locales_supported": list(["zh-Hans", "zh-Hant", "en"]),
        ])
    }

    /// RFC 8705 §5: the endpoints for calls with a client certificate. The other endpoints need none.
    private var mutualTLSAliases: JSON {
        func alias(_ path: Path) -> JSON { .string(configuration.origin(isMutualTLS: true) + path.rawValue) }
        return .object([
            "token_endpoint": alias(.token), "pushed_authorization_request_endpoint": alias(.push),
            "userinfo_endpoint": alias(.userInfo), "revocation_endpoint": alias(.revoke),
            "introspection_endpoint": alias(.introspect), "backchannel_authentication_endpoint": alias(.backchannel),
        ])
    }

    /// How clients can authenticate here: by certificate where somebody asks for one.
    private var clientAuthentications: [ClientAuthentication] {
        ClientAuthentication.allCases.filter { method in
            switch method {
            case .tlsClientAuth: configuration.mutualTLS != nil && clientAuthorities?.isEmpty == false
            case .selfSignedTLSClientAuth: configuration.mutualTLS != nil
            default: true
            }
        }
    }

    /// The nonce that a client repeats in its next proof of possession (RFC 9449 §8).
    package var dpopNonce: String { authority.vault.dpopNonce(at: authority.clock.now) }

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
    /// The origin before the paths that apps' servers call.
    func origin(isMutualTLS: Bool) -> String { isMutualTLS ? mutualTLS ?? issuer : issuer }

    /// The addresses of an endpoint of apps' servers: the usual one, and its alias for clients with a certificate.
    func urls(_ path: OpenIDProvider.Path) -> [String] {
        [url(path)] + [mutualTLS].compactMap { $0.map { $0 + path.rawValue } }
    }

    func url(_ path: OpenIDProvider.Path) -> String {
        switch path {
        case .authorize, .login, .media, .consents, .requests, .script: pages + path.rawValue
        default: issuer + path.rawValue
        }
    }
}
