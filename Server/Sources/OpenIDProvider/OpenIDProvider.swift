// OpenID Connect and CAMARA over the authority: what a browser, a web page's server and a caller of a network API are
// answered. It knows no HTTP and no SQL. Begin with `OpenIDProvider.swift`.
package import Authority
package import BenjiProtocol
import Crypto
import Logging
package import Store

/// What the provider needs to keep, beside what the authority does.
package typealias OpenIDProviderStore = OpenIDStore & RegisterStore & GuessStore

/// The authority as an OpenID provider: what it says to browsers and to apps' servers, decided without HTTP.
///
/// A login is a walk through credentials that are each spent once: a page that is shown, a code, an access token. Start
/// reading at `OpenIDProvider+Authorize.swift`; the walk goes on in `+Page`, `+Token` and `+UserInfo`.
package final class OpenIDProvider: Sendable {
    package struct Configuration: Hashable, Sendable {
        /// The provider's name in tokens, and where apps' servers call it: `https://id.example.com`, without a path.
        package var issuer: String
        /// Where phones' browsers reach it over the carrier's network: `https://gw.example.com`, without a path.
        package var pages: String

        package init(issuer: String, pages: String) {
            self.issuer = issuer
            self.pages = pages
        }
    }

    /// Seconds. A code is shown by a server at once (ASVS 10.4.3 asks for a minute at most); a page is read by a person.
    enum Lifetime {
        static let pushedRequest: Int64 = 60
        static let page: Int64 = 300
        static let code: Int64 = 60
        static let accessToken: Int64 = 300
        static let idToken: Int64 = 300
    }

    /// How long a page waits for its answer, in seconds.
    package static let pageLife = Lifetime.page

    /// Wrong digits that may be typed for one number at one app in a day: ten of ten thousand. They are counted in the store,
    /// so that a restart gives no more of them.
    static let digitTriesPerDay = 10
    /// Typed digits on one page.
    static let digitTriesPerPage = 3

    package let configuration: Configuration
    let authority: Authority
    let store: any OpenIDProviderStore
    let clients: OpenIDClients

    /// Unknown numbers that one app may ask about in ten minutes.
    static let unknownNumbers = 600
    /// Pages for one app on one phone, and codes without a page, so many a second, whatever else comes: a browser has nothing
    /// that tells it from a guest of the phone's connection, so a count of ten minutes could be used up by him. What an app's server
    /// pushed or signed is counted by its own name (``KnownRequest/name(for:)``).
    static let perSecond = 20
    /// Apart from the SDK's: any page that a browser looks at can send it here, and must not use up what the person's apps may ask.
    let pageLimiter: RateBucket<String>
    /// Apart from pages: what nobody sees must not use up what people ask for.
    let networkLimiter: RateBucket<String>
    /// Taps without the tick, each page's apart. They write nothing.
    let tapLimiter: RateLimiter
    /// Questions about one number's SIM.
    let simSwapLimiter: RateLimiter
    let lookUpLimiter = RateLimiter(limit: unknownNumbers, window: .seconds(600), capacity: 100_000)

    package init(configuration: Configuration, authority: Authority, store: any OpenIDProviderStore) {
        self.configuration = configuration
        self.authority = authority
        self.store = store
        clients = OpenIDClients(authority: authority, store: store)
        let limit = authority.configuration.prefetchesPerNumber
        let capacity = authority.configuration.rememberedCallers
        pageLimiter = RateBucket(perSecond: Self.perSecond, burst: limit, capacity: capacity)
        tapLimiter = RateLimiter(limit: limit, window: .seconds(600), capacity: capacity)
        simSwapLimiter = RateLimiter(limit: limit, window: .seconds(600), capacity: capacity)
        networkLimiter = RateBucket(perSecond: Self.perSecond, burst: limit, capacity: capacity)
    }

    var random: any RandomSource { authority.random }
    var now: Timestamp { authority.lives.now }

    /// A new credential nobody can guess: 43 characters, 256 bits.
    func newSecret() -> String { CredentialGrammar.openID.make(random: random) }

    /// What allows a page its style sheet.
    package func newNonce() -> String { newSecret() }

    package static func isSecret(_ text: String) -> Bool { CredentialGrammar.openID.matches(text) }

    func lookUp(_ secret: String) async throws(OpenIDFailure) -> OpenIDLookup {
        guard Self.isSecret(secret) else { return .unknown }
        do { return try await store.openIDCredential(CredentialHash(of: secret)) } catch { throw OpenIDFailure(error) }
    }

    func exchange(_ exchange: OpenIDExchange) async throws(OpenIDFailure) -> OpenIDExchangeOutcome {
        do { return try await store.exchange(exchange) } catch { throw OpenIDFailure(error) }
    }

    // MARK: - What clients read

    package enum Path: String, CaseIterable, Sendable {
        case discovery = "/.well-known/openid-configuration"
        case jwks = "/openid/jwks"
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

    package func url(_ path: Path) -> String {
        switch path {
        case .authorize, .login, .media, .script: configuration.pages + path.rawValue
        default: configuration.issuer + path.rawValue
        }
    }

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

    package func jwks() async throws(OpenIDFailure) -> JSON {
        do { return try await clients.jwks() } catch { throw OpenIDFailure(error) }
    }
}

extension OpenIDFailure {
    init(_ error: StoreError) { self.init(Refusal(error)) }

    /// What a refusal of the authority's means to a client.
    init(_ refusal: Refusal) {
        switch refusal.situation {
        case .storeUnavailable, .overloaded: self.init(.temporarilyUnavailable, refusal.detail)
        case .appUnknown: self.init(.invalidClient, refusal.detail)
        case .appSuspended, .appNotAllowed, .capabilityMissing: self.init(.unauthorizedClient, refusal.detail)
        default: self.init(.serverError, refusal.detail)
        }
    }

    init(_ failure: DeviceFailure) { self.init(Refusal(failure.situation, failure.detail)) }
}
