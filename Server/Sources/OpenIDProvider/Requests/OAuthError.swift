import Authority
package import BenjiProtocol

/// The error codes of OAuth 2.0 and OpenID Connect that are answered, as their specifications spell them.
package enum OAuthError: String, Error, Hashable, Sendable, CaseIterable {
    // RFC 6749 §4.1.2.1, and at the token endpoint §5.2.
    case invalidRequest = "invalid_request"
    case invalidClient = "invalid_client"
    case invalidGrant = "invalid_grant"
    case invalidScope = "invalid_scope"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedGrantType = "unsupported_grant_type"
    case unsupportedResponseType = "unsupported_response_type"
    case accessDenied = "access_denied"
    case serverError = "server_error"
    case temporarilyUnavailable = "temporarily_unavailable"
    // OpenID Connect Core §3.1.2.6.
    case loginRequired = "login_required"
    case consentRequired = "consent_required"
    case interactionRequired = "interaction_required"
    case invalidRequestObject = "invalid_request_object"
    case requestNotSupported = "request_not_supported"
    case requestURINotSupported = "request_uri_not_supported"
    case invalidRequestURI = "invalid_request_uri"
    // OpenID Connect CIBA Core 1.0 §11 and §13.
    case authorizationPending = "authorization_pending"
    case slowDown = "slow_down"
    case expiredToken = "expired_token"
    case unknownUserID = "unknown_user_id"
    case invalidBindingMessage = "invalid_binding_message"
    // RFC 6750 §3.1.
    case invalidToken = "invalid_token"
    // RFC 9449 §5 and §8.
    case invalidDPoPProof = "invalid_dpop_proof"
    case useDPoPNonce = "use_dpop_nonce"

    /// Whether the proof of possession is wrong, so that a new one helps.
    package var isOfProof: Bool { self == .invalidDPoPProof || self == .useDPoPNonce }
}

extension Situation {
    /// The error in a proof of possession, as `WWW-Authenticate` names it (RFC 9449 §7.1).
    package init(ofProof error: OAuthError) { self.init(rawValue: error.rawValue) }

    package static let dpopProofInvalid = Situation(ofProof: .invalidDPoPProof)
    package static let dpopNonceOutdated = Situation(ofProof: .useDPoPNonce)
}

/// A no of the OpenID provider to an app's server.
package struct OpenIDFailure: Error, Hashable, Sendable {
    package var error: OAuthError
    /// English, for the developer: ASCII as `error_description` asks, never a secret, never a number.
    package var detail: String

    /// Whether asking again within seconds can help, if it is one that passes.
    package var retriesSoon: Bool

    /// The result code for interfaces that are not OAuth's.
    package var situation: Situation?

    package init(_ error: OAuthError, _ detail: String, retriesSoon: Bool = true, situation: Situation? = nil) {
        self.error = error
        self.detail = detail
        self.retriesSoon = retriesSoon
        self.situation = situation
    }
}
