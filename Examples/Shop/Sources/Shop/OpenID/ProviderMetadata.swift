import JWTKit

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

/// The provider's keys (RFC 7517 §5). A key of a type, curve or algorithm that JWTKit does not know is left out, as §5 asks: a provider may add
/// one on any day.
struct KeySet: Decodable, Sendable {
    struct Key: Decodable, Sendable {
        var value: JWK?

        init(from decoder: any Decoder) throws { value = try? JWK(from: decoder) }
    }

    var keys: [Key]
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
