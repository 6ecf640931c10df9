package import BenjiProtocol

/// How an app's server proves to the OpenID provider that it is the app's (OpenID Connect Core §9, RFC 8705 §2), pinned
/// at registration.
package enum ClientAuthentication: String, Hashable, Sendable, Codable, CaseIterable {
    /// A short-lived assertion signed by a key that the app registered.
    case privateKeyJWT = "private_key_jwt"
    /// A secret in the `Authorization` header: for clients that cannot sign.
    case clientSecretBasic = "client_secret_basic"
    /// The same secret as a parameter of the form: for clients that know no header.
    case clientSecretPost = "client_secret_post"
    /// A short-lived assertion with a code under the secret (HMAC), which so never travels.
    case clientSecretJWT = "client_secret_jwt"
    /// The certificate of the connection: one that an authority signed whom the operator trusts, for a name that is
    /// registered.
    case tlsClientAuth = "tls_client_auth"
    /// The certificate of the connection: one that is registered itself.
    case selfSignedTLSClientAuth = "self_signed_tls_client_auth"

    package var usesSecret: Bool { [.clientSecretBasic, .clientSecretPost, .clientSecretJWT].contains(self) }
    /// Whether it is by mutual TLS.
    package var usesCertificate: Bool { [.tlsClientAuth, .selfSignedTLSClientAuth].contains(self) }
}

/// Which rules a client of the OpenID provider keeps to, beside those that hold for all.
package enum ClientProfile: String, Hashable, Sendable, Codable, CaseIterable {
    case openID = "openid"
    /// FAPI 2.0 Security Profile: pushed requests alone, tokens bound to a key (DPoP) or a certificate, assertions for
    /// the issuer alone, and no RS256.
    case fapi2
}

/// How a client that asks people on their phones (CIBA) learns that somebody has decided.
package enum BackchannelDelivery: String, Hashable, Sendable, Codable, CaseIterable {
    /// It asks the token endpoint again and again.
    case poll
    /// It is told at its notification endpoint, and then asks the token endpoint.
    case ping
}

/// The registration of a client that may ask people on their phones (OpenID Connect CIBA Core 1.0 §4).
package struct BackchannelRegistration: Hashable, Sendable {
    package var delivery: BackchannelDelivery
    /// Receives notifications: an `https` address. `nil` if the client polls.
    package var notificationEndpoint: String?

    package init(delivery: BackchannelDelivery, notificationEndpoint: String? = nil) {
        self.delivery = delivery
        self.notificationEndpoint = notificationEndpoint
    }
}

/// The algorithm that signs an ID token.
package enum IDTokenAlgorithm: String, Hashable, Sendable, Codable, CaseIterable {
    case es256 = "ES256"
    /// For clients that know nothing else.
    case rs256 = "RS256"
}

/// The registration of an app as a client of the OpenID provider. Its `client_id` is the app's id.
package struct OpenIDClientRecord: Hashable, Sendable {
    package var appID: AppID
    /// Compared character by character.
    package var redirectURIs: [String]
    package var authentication: ClientAuthentication
    /// The newest first; none unless the client authenticates with one.
    package var secrets: [ClientSecretRecord]
    /// A JWK set with the client's public keys: for its assertions and its signed request objects, and with `x5c` for
    /// its certificates.
    package var keySet: String?
    package var idTokenAlgorithm: IDTokenAlgorithm
    /// Whether the person types the middle four digits of the number. So a number that is only shown lets no other
    /// person in. Raises `acr`.
    package var asksMiddleDigits: Bool
    /// Whether an authorization request must have been pushed (RFC 9126).
    package var requiresPushedRequests: Bool
    /// The page's description as JSON.
    package var page: String
    /// The scopes that the app may use at CAMARA's interfaces, such as `dpv:FraudPreventionAndDetection`. Without one
    /// it has no access to them.
    package var purposes: [String]
    /// The origins whose pages may show the app's login page in a frame; without one, none.
    package var frameAncestors: [String]
    /// Whether an authorization without a page gives the person's lasting name at this app. Without it each has a `sub`
    /// of its own.
    package var stableSubjectWithoutPage: Bool
    /// Whether an authorization request must have a `code_challenge` (RFC 7636).
    package var requiresPKCE: Bool
    /// Whether every access token is bound to a key of the client's (RFC 9449). Others are if the client proves that it
    /// has one.
    package var bindsAccessTokens: Bool
    /// The name in the certificate of a client of ``ClientAuthentication/tlsClientAuth``.
    package var certificateName: CertificateName?
    /// Whether every access token is bound to the certificate of the connection that it was asked for by (RFC 8705 §3).
    package var bindsToCertificate: Bool
    package var profile: ClientProfile
    /// Whether a person may have a consent remembered in a browser, so that later logins there show no page.
    package var remembersConsent: Bool
    /// `nil` for a client that asks no person on their phone.
    package var backchannel: BackchannelRegistration?
    /// Changes with every change; 0 for a client that the store does not have yet. The store sets it.
    package var revision: Int64

    package init(
        appID: AppID, redirectURIs: [String], authentication: ClientAuthentication, secrets: [ClientSecretRecord],
        keySet: String?, idTokenAlgorithm: IDTokenAlgorithm, asksMiddleDigits: Bool, requiresPushedRequests: Bool,
        page: String, purposes: [String] = [], frameAncestors: [String] = [], stableSubjectWithoutPage: Bool = false,
        requiresPKCE: Bool = true, bindsAccessTokens: Bool = false, certificateName: CertificateName? = nil,
        bindsToCertificate: Bool = false, profile: ClientProfile = .openID, remembersConsent: Bool = false,
        backchannel: BackchannelRegistration? = nil, revision: Int64 = 0
    ) {
        self.appID = appID
        self.redirectURIs = redirectURIs
        self.authentication = authentication
        self.secrets = secrets
        self.keySet = keySet
        self.idTokenAlgorithm = idTokenAlgorithm
        self.asksMiddleDigits = asksMiddleDigits
        self.requiresPushedRequests = requiresPushedRequests
        self.page = page
        self.purposes = purposes
        self.frameAncestors = frameAncestors
        self.stableSubjectWithoutPage = stableSubjectWithoutPage
        self.requiresPKCE = requiresPKCE
        self.bindsAccessTokens = bindsAccessTokens
        self.certificateName = certificateName
        self.bindsToCertificate = bindsToCertificate
        self.profile = profile
        self.remembersConsent = remembersConsent
        self.backchannel = backchannel
        self.revision = revision
    }
}

/// A client secret with more than 190 random bits, as a hash.
package struct ClientSecretRecord: RotatingKey {
    package var version: Int
    package var hash: CredentialHash
    /// `nil` if it was made before that was noted.
    package var createdAt: Timestamp?
    package var acceptedUntil: Timestamp?

    package init(version: Int = 1, hash: CredentialHash, createdAt: Timestamp?, acceptedUntil: Timestamp? = nil) {
        self.version = version
        self.hash = hash
        self.createdAt = createdAt
        self.acceptedUntil = acceptedUntil
    }
}

/// A key that signs ID tokens.
package struct OpenIDKeyRecord: Hashable, Sendable {
    /// The JWK's `kid`.
    package var id: String
    package var algorithm: IDTokenAlgorithm
    /// The public half, as the members of a JWK that are the key itself; `nil` in keys of an earlier version.
    package var publicKey: String?
    /// The private half; `nil` once another key signs.
    package var sealedKey: Sealed?
    package var createdAt: Timestamp
    /// Until when the public half must still be shown; `nil` for the key that signs now.
    package var publishedUntil: Timestamp?

    package init(
        id: String, algorithm: IDTokenAlgorithm, publicKey: String?, sealedKey: Sealed?, createdAt: Timestamp,
        publishedUntil: Timestamp?
    ) {
        self.id = id
        self.algorithm = algorithm
        self.publicKey = publicKey
        self.sealedKey = sealedKey
        self.createdAt = createdAt
        self.publishedUntil = publishedUntil
    }
}
