package import BenjiProtocol

extension OpenIDProvider {
    /// A call of an app's server that shows an access token.
    package struct BearerCall: Sendable {
        /// The value of the `Authorization` header.
        package var authorization: String?
        /// The address that it came from.
        package var peer: InternetAddress?

        package init(authorization: String?, peer: InternetAddress?) {
            self.authorization = authorization
            self.peer = peer
        }

        /// RFC 6750 §2.1: the token of the header; `nil` if it holds none.
        var token: String? {
            let parts = (authorization ?? "").split(separator: " ")
            guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
            return String(parts[1])
        }
    }
}
