/// The settings of the shop.
public struct ShopConfiguration: Sendable {
    /// Where the shop listens.
    public var host = "127.0.0.1"
    /// Its port; 0 lets the system choose.
    public var port = 8090
    /// Where browsers reach it: `https://shop.example`, without a path. Plain HTTP is for the machine itself only: its
    /// cookies are then not marked as secure.
    public var origin: String
    /// PEM files, if the shop itself speaks TLS and no proxy before it does.
    public var certificate: Certificate?
    /// Login by web pages.
    public var openID: OpenID?
    /// Login by tokens that the shop's app brings.
    public var operatorDialect: OperatorDialect?
    /// A PEM file of the authorities that are believed for connections to Benji, instead of the system's.
    public var trustRoots: String?
    /// The address that connections to Benji leave by: one of those that Benji knows as this app's servers.
    public var sourceAddress: String?

    /// The secrets that verify Benji's events (`whsec_…`): one, or two while they change over. Without any, events are
    /// not accepted.
    public var callbackSecrets: [String] = []

    public init(origin: String) { self.origin = origin }

    /// A certificate chain and its private key.
    public struct Certificate: Sendable {
        public var chain: String
        public var key: String

        public init(chain: String, key: String) {
            self.chain = chain
            self.key = key
        }
    }

    /// The shop as a client of an OpenID provider. Its redirect URI is `ORIGIN/login/callback`.
    public struct OpenID: Sendable {
        /// The provider, as it names itself in tokens.
        public var issuer: String
        public var clientID: String
        /// Sent in the Authorization header (client_secret_basic).
        public var clientSecret: String
        /// Whether the request goes to the provider first and the browser carries its name only (RFC 9126).
        public var pushesRequests = false

        public init(issuer: String, clientID: String, clientSecret: String) {
            self.issuer = issuer
            self.clientID = clientID
            self.clientSecret = clientSecret
        }
    }

    /// The shop as an app's server in the operators' dialect.
    public struct OperatorDialect: Sendable {
        /// `https://HOST`, without a path.
        public var server: String
        public var appID: String
        public var serverSecret: String

        public init(server: String, appID: String, serverSecret: String) {
            self.server = server
            self.appID = appID
            self.serverSecret = serverSecret
        }
    }

    /// Where the provider sends browsers back to; to be registered there, character by character.
    public var redirectURI: String { origin + "/login/callback" }

    var isSecure: Bool { origin.hasPrefix("https://") }
}
