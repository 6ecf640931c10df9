import JWTKit

/// The provider's metadata (OpenID Connect Discovery 1.0), as far as the shop needs it.
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

/// The provider's keys (RFC 7517 §5). Keys of a type, curve or algorithm that JWTKit does not know are left out, as §5
/// asks. A provider may add one at any time.
struct KeySet: Decodable, Sendable {
    struct Key: Decodable, Sendable {
        var value: JWK?

        init(from decoder: any Decoder) throws { value = try? JWK(from: decoder) }
    }

    var keys: [Key]
}

/// A pushed request's answer.
struct PushedRequest: Decodable, Sendable { var requestUri: String }

/// The reply of the token endpoint to a code.
struct TokenAnswer: Decodable, Sendable {
    var accessToken: String
    var idToken: String
}

/// The reply of userinfo to an access token.
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
