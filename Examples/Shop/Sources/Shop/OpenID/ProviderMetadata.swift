/// What the provider says about itself (OpenID Connect Discovery 1.0), as far as the shop needs it.
struct ProviderMetadata: Decodable, Sendable {
    var issuer: String
    var authorizationEndpoint: String
    var tokenEndpoint: String
    var userinfoEndpoint: String
    var jwksUri: String
    /// RFC 9126.
    var pushedAuthorizationRequestEndpoint: String?
    /// RFC 9207.
    var authorizationResponseIssParameterSupported: Bool?
}

/// A pushed request's answer.
struct PushedRequest: Decodable, Sendable { var requestUri: String }

/// What a code buys.
struct TokenAnswer: Decodable, Sendable {
    var accessToken: String
    var idToken: String
}

/// What an access token buys.
struct UserInfo: Decodable, Sendable {
    var sub: String
    var phoneNumber: String?
    var phoneNumberVerified: Bool?
}

/// A no (RFC 6749 §5.2).
struct OAuthRefusal: Decodable, Sendable {
    var error: String
    var errorDescription: String?
}
