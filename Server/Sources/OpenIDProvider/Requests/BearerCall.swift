package import BenjiProtocol

extension OpenIDProvider {
    /// A call of an app's server that shows an access token.
    package struct BearerCall: Sendable {
        /// The value of the `Authorization` header.
        package var authorization: String?
        /// The token of the form (RFC 6750 §2.2); `nil` if there is none.
        package var formToken: String?
        /// The proof that the caller has the key that the token is bound to, if there was one.
        package var proof: PresentedProof?
        /// The address that it came from.
        package var peer: InternetAddress?
        /// The certificate of the connection, if it has one and the listener asks for it.
        package var certificate: ClientCertificate?

        package init(
            authorization: String?, peer: InternetAddress?, formToken: String? = nil, proof: PresentedProof? = nil,
            certificate: ClientCertificate? = nil
        ) {
            self.authorization = authorization
            self.peer = peer
            self.formToken = formToken
            self.proof = proof
            self.certificate = certificate
        }

        /// The token of header or form; `nil` if there is none, or one in each.
        var token: String? {
            guard let authorization else { return formToken }
            guard formToken == nil else { return nil }
            let parts = authorization.split(separator: " ")
            guard parts.count == 2, ["bearer", "dpop"].contains(parts[0].lowercased()) else { return nil }
            return String(parts[1])
        }

        /// Whether it says that the token is bound to a key (RFC 9449 §7.1).
        package var isBound: Bool { authorization?.prefix(5).lowercased() == "dpop " }
    }
}
