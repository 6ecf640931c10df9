// OpenID Connect and CAMARA over the authority: what a browser, a web page's server and a caller of a network API are
// answered. It knows no HTTP and no SQL. Begin with `Authorization/AuthorizationEndpoint.swift`, then
// `Login/LoginEndpoint.swift`, `Tokens/TokenEndpoint.swift` and `Tokens/UserInfoEndpoint.swift`.
package import Authority
package import BenjiProtocol
package import Store

/// The provider's stores, besides those of the authority.
package typealias OpenIDProviderStore = OpenIDStore & RegisterStore & GuessStore & RowCodeStore

/// The provider. A login spends one credential after another (page, code, access token); each step is a type of its own
/// over ``ProviderContext``.
package final class OpenIDProvider: Sendable {
    package struct Configuration: Hashable, Sendable {
        /// The provider's name in tokens, and where apps' servers call it: `https://id.example.com`, without a path.
        package var issuer: String
        /// Where phones' browsers reach it over the carrier's network: `https://gw.example.com`, without a path.
        package var pages: String

        /// The prefix of the paths of CAMARA's interfaces: `/carrier`; empty if there is none.
        package var apiPrefix: String

        /// Where apps' servers call it that have a client certificate: `https://mtls.id.example.com`, without a path;
        /// `nil` if nowhere.
        package var mutualTLS: String?

        package init(issuer: String, pages: String, apiPrefix: String = "", mutualTLS: String? = nil) {
            self.issuer = issuer
            self.pages = pages
            self.apiPrefix = apiPrefix
            self.mutualTLS = mutualTLS
        }
    }

    package let configuration: Configuration
    let authority: Authority
    let clients: OpenIDClients
    /// The signers of clients' certificates; `nil` if no client is asked for one.
    package let clientAuthorities: ClientAuthorities?
    let pages: LoginPages
    package let pushedRequests: PushedAuthorizationRequests
    let authorizationEndpoint: AuthorizationEndpoint
    let loginEndpoint: LoginEndpoint
    let tokenEndpoint: TokenEndpoint
    let userInfoEndpoint: UserInfoEndpoint
    private let consentsEndpoint: ConsentsEndpoint
    package let backchannelEndpoint: BackchannelEndpoint
    private let requestsEndpoint: RequestsEndpoint
    package let revocationEndpoint: RevocationEndpoint
    package let introspectionEndpoint: IntrospectionEndpoint
    package let numberVerification: NumberVerification
    package let simSwap: SIMSwap
    package let oneTimePasswordSMS: OneTimePasswordSMS

    /// - Parameters:
    ///   - smsLogin: `nil` if the installation sends no messages.
    ///   - clientAuthorities: the signers of clients' certificates.
    ///   - notices: `nil` without notifications of backchannel requests: clients poll, and people look at their page.
    package init(
        configuration: Configuration, authority: Authority, store: any OpenIDProviderStore, smsLogin: SMSLogin? = nil,
        clientAuthorities: ClientAuthorities? = nil, notices: BackchannelNotices? = nil
    ) {
        let context = ProviderContext(
            configuration: configuration, authority: authority, store: store, clientAuthorities: clientAuthorities)
        self.configuration = configuration
        self.authority = authority
        clients = context.clients
        self.clientAuthorities = clientAuthorities
        pages = LoginPages(context: context)
        pushedRequests = PushedAuthorizationRequests(context: context)
        authorizationEndpoint = AuthorizationEndpoint(
            context: context, pages: pages, pushedRequests: pushedRequests, smsLogin: smsLogin)
        loginEndpoint = LoginEndpoint(context: context, pages: pages, guesses: store, smsLogin: smsLogin)
        tokenEndpoint = TokenEndpoint(context: context)
        userInfoEndpoint = UserInfoEndpoint(context: context)
        consentsEndpoint = ConsentsEndpoint(context: context)
        let limits = BackchannelLimits(context: context)
        backchannelEndpoint = BackchannelEndpoint(
            context: context, limits: limits, codes: smsLogin?.codes, notices: notices)
        requestsEndpoint = RequestsEndpoint(context: context, limits: limits, notices: notices)
        revocationEndpoint = RevocationEndpoint(context: context)
        introspectionEndpoint = IntrospectionEndpoint(context: context)
        numberVerification = NumberVerification(context: context)
        simSwap = SIMSwap(context: context)
        oneTimePasswordSMS = OneTimePasswordSMS(context: context, codes: smsLogin?.codes)
    }

    // MARK: - The steps of a login

    /// A browser asks for the page.
    package func authorize(_ parameters: OpenIDParameters, _ call: BrowserCall) async throws(OpenIDStop) -> OpenIDStep {
        try await authorizationEndpoint.authorize(parameters, call)
    }

    /// The page's form comes back.
    package func answer(_ answer: PageAnswer, _ call: BrowserCall) async throws(OpenIDStop) -> OpenIDStep {
        try await loginEndpoint.answer(answer, call)
    }

    /// The consents that the holder of this phone's number has had remembered, after ending one or all.
    package func consents(
        ending: ConsentEnding?, _ call: BrowserCall
    ) async throws(OpenIDStop) -> [RememberedApp] { try await consentsEndpoint.consents(ending: ending, call) }

    /// Returns the requests that wait for the holder of this phone's number, after deciding one.
    package func requests(
        deciding decision: BackchannelDecision?, _ call: BrowserCall
    ) async throws(OpenIDStop) -> [WaitingRequest] { try await requestsEndpoint.requests(deciding: decision, call) }

    /// An image or a video of a page. Anybody may look at it: it is on pages that anybody may open.
    package func media(digest: String) async throws(OpenIDFailure) -> OpenIDMedia? {
        try await pages.media(digest: digest)
    }

    /// An app's server exchanges a code, or asks for a token of its own.
    package func token(_ credentials: ClientCredentials) async throws(OpenIDFailure) -> JSON {
        try await tokenEndpoint.token(credentials)
    }

    /// Authenticates an app's server by `private_key_jwt`. The audience is the issuer or the token endpoint.
    package func app(asserting assertion: String, at peer: InternetAddress?) async throws(OpenIDFailure) -> AppID {
        try await app(
            of: [("client_assertion_type", ProviderContext.assertionType), ("client_assertion", assertion)], at: peer)
    }

    /// Authenticates an app's server by its client certificate.
    package func app(
        _ id: AppID, by certificate: ClientCertificate?, at peer: InternetAddress?
    ) async throws(OpenIDFailure) -> AppID {
        try await app(of: [("client_id", id.rawValue)], by: certificate, at: peer)
    }

    private func app(
        of parameters: [(name: String, value: String)], by certificate: ClientCertificate? = nil,
        at peer: InternetAddress?
    ) async throws(OpenIDFailure) -> AppID {
        let credentials = ClientCredentials(
            authorization: nil, parameters: try OpenIDParameters(parameters), peer: peer, certificate: certificate)
        return try await tokenEndpoint.context.authenticate(credentials, at: .token).record.appID
    }

    /// An access token buys one answer, as often as it is asked for.
    package func userInfo(_ call: BearerCall) async throws(OpenIDFailure) -> JSON {
        try await userInfoEndpoint.userInfo(call)
    }
}
