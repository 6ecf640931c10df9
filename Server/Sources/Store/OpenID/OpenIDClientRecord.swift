package import BenjiProtocol

/// How an app's server proves to the OpenID provider that it is the app's (OpenID Connect Core §9), pinned at registration.
package enum ClientAuthentication: String, Hashable, Sendable, CaseIterable {
    /// A short-lived assertion signed by a key that the app registered.
    case privateKeyJWT = "private_key_jwt"
    /// A secret in the `Authorization` header: for clients that cannot sign.
    case clientSecretBasic = "client_secret_basic"
}

/// What an ID token is signed with.
package enum IDTokenAlgorithm: String, Hashable, Sendable, Codable, CaseIterable {
    case es256 = "ES256"
    /// For clients that know nothing else.
    case rs256 = "RS256"
}

/// What makes a registered app a client of the OpenID provider. Its `client_id` is the app's id.
package struct OpenIDClientRecord: Hashable, Sendable {
    package var appID: AppID
    /// Compared character by character.
    package var redirectURIs: [String]
    package var authentication: ClientAuthentication
    /// The newest first; none unless the client authenticates with one.
    package var secrets: [ClientSecretRecord]
    /// A JWK set with the client's public keys: for its assertions and its signed request objects.
    package var keySet: String?
    package var idTokenAlgorithm: IDTokenAlgorithm
    /// Whether the person types the middle four digits of the number, so that nobody gets in with a number that is only
    /// shown to them. Raises `acr`.
    package var asksMiddleDigits: Bool
    /// Whether an authorization request must have been pushed (RFC 9126).
    package var requiresPushedRequests: Bool
    /// The page's description as JSON.
    package var page: String
    /// What the app may ask CAMARA's interfaces for: scopes such as `dpv:FraudPreventionAndDetection`. Without one it has
    /// nothing to do with them.
    package var purposes: [String]
    /// The origins whose pages may show the app's login page in a frame; without one, none.
    package var frameAncestors: [String]
    /// Whether an authorization without a page gives the person's lasting name at this app. Without it each has a `sub` of its
    /// own.
    package var stableSubjectWithoutPage: Bool
    /// Changes with every change; 0 for a client that the store does not have yet. The store sets it.
    package var revision: Int64

    package init(
        appID: AppID, redirectURIs: [String], authentication: ClientAuthentication, secrets: [ClientSecretRecord],
        keySet: String?, idTokenAlgorithm: IDTokenAlgorithm, asksMiddleDigits: Bool, requiresPushedRequests: Bool,
        page: String, purposes: [String] = [], frameAncestors: [String] = [], stableSubjectWithoutPage: Bool = false,
        revision: Int64 = 0
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
