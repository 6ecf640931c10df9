import BenjiProtocol

/// The binding of an access token, without which the token is invalid.
struct TokenBinding: Hashable, Sendable {
    /// The key that its requests are proved to be made with (RFC 9449), by its thumbprint.
    var key: String?
    /// The certificate of the connection that they come by (RFC 8705 §3), by its thumbprint.
    var certificate: String?

    /// `token_type`: a certificate shows in nothing that the token's holder writes.
    var tokenType: String { key == nil ? "Bearer" : "DPoP" }

    /// `cnf` (RFC 7800 §3.1); `nil` if any holder of the token may use it.
    var confirmation: JSON? {
        guard self != TokenBinding() else { return nil }
        return .object(["jkt": key.map { .string($0) }, "x5t#S256": certificate.map { .string($0) }])
    }
}
